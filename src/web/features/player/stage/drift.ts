/** Slow drift: a picture grows and travels a little while it is shown, towards where the eye goes. */
import { chanceFrom } from '../../../../contract/chance.ts'

const farthestPercent = 2
const largestScale = 1.06

export type Focus = { readonly x: number; readonly y: number }

/**
 * From where to where. A picture with a focus comes closer to it; for others the seed decides the
 * direction, and some draw back.
 */
export function driftOf(seed: string, focus: Focus | null): [Keyframe, Keyframe] {
  const near = { transform: `translate(0%, 0%) scale(1)` }
  if (focus) return [near, farFrame(1 - 2 * focus.x, 1 - 2 * focus.y)]
  const chance = chanceFrom(`${seed}/drift`)
  const angle = chance() * 2 * Math.PI
  const far = farFrame(Math.cos(angle), Math.sin(angle))
  return chance() < 0.5 ? [near, far] : [far, near]
}

/** How far to the right and down; no further than 1 in all. */
function farFrame(right: number, down: number): Keyframe {
  const length = Math.max(1, Math.hypot(right, down))
  const [x, y] = [right, down].map((part) => ((part / length) * farthestPercent).toFixed(2))
  return { transform: `translate(${x}%, ${y}%) scale(${largestScale})` }
}
