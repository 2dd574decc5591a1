/** How fast a show goes, in words, and the steps in which it is changed. */
import { words } from './words.ts'

/** Two steps are twice as fast. */
export const speedStep = Math.SQRT2

export function speedLabel(speed: number): string {
  return words.speed({ speed: Number(speed.toFixed(2)) })
}
