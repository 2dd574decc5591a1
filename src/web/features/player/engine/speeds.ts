/** The speeds that people choose among: in the player, on a remote and in a room. */

export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2] as const

/** Returns the place in `speeds` of the one nearest to `speed`, which an API may have set. */
export function speedIndex(speed: number): number {
  const distances = speeds.map((one) => Math.abs(one - speed))
  return distances.indexOf(Math.min(...distances))
}

/** Returns the speed that many steps faster, or slower; at an end it stays. */
export function speedBeside(speed: number, steps: number): number {
  const index = Math.max(0, Math.min(speeds.length - 1, speedIndex(speed) + steps))
  return speeds[index] ?? speed
}
