/** The size of a run: a measurement, or a smoke that only proves that everything still works. */

/** Returns the first value in a measurement, the second in a smoke. */
export type Scale = <Value>(full: Value, smoke: Value) => Value

export function scaleOf(options: { isSmoke: boolean }): Scale {
  return (full, smoke) => (options.isSmoke ? smoke : full)
}
