/** Returns the median. For an even number of figures it is the upper of the two in the middle. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? NaN
}
