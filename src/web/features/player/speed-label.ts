/** How fast a show goes, in words. */
import { words } from './words.ts'

export function speedLabel(speed: number): string {
  return words.speed({ speed: Number(speed.toFixed(2)) })
}
