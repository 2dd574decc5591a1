/** The speeds that a viewer can choose in the player, on a remote and in a room. */

export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2] as const

/** Returns the index in `speeds` of the value nearest to `speed`. The API can set any speed. */
export function speedIndex(speed: number): number {
  const distances = speeds.map((one) => Math.abs(one - speed))
  return distances.indexOf(Math.min(...distances))
}

/** Returns the speed `steps` steps faster, or slower if negative, within the limits of `speeds`. */
export function speedBeside(speed: number, steps: number): number {
  const index = Math.max(0, Math.min(speeds.length - 1, speedIndex(speed) + steps))
  return speeds[index] ?? speed
}
