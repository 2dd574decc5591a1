/** The label of a playback speed. */
import { words } from './words.ts'

export function speedLabel(speed: number): string {
  return words.speed({ speed: Number(speed.toFixed(2)) })
}
