/** Slow drift: a picture grows and moves a little while it is shown, towards its focus point. */
import { randomFrom } from '../../../../contract/random.ts'

const farthestPercent = 2
const largestScale = 1.06

export type Focus = { readonly x: number; readonly y: number }

/**
 * Returns the first and last keyframe. A picture with a focus point zooms in on it. For others the seed
 * decides the direction, and half of them zoom out.
 */
export function driftOf(seed: string, focus: Focus | null): [Keyframe, Keyframe] {
  const near = { transform: `translate(0%, 0%) scale(1)` }
  if (focus) return [near, farFrame(1 - 2 * focus.x, 1 - 2 * focus.y)]
  const chance = randomFrom(`${seed}/drift`)
  const angle = chance() * 2 * Math.PI
  const far = farFrame(Math.cos(angle), Math.sin(angle))
  return chance() < 0.5 ? [near, far] : [far, near]
}

/** Returns the zoomed keyframe, moved in this direction. A vector longer than 1 is shortened to 1. */
function farFrame(right: number, down: number): Keyframe {
  const length = Math.max(1, Math.hypot(right, down))
  const [x, y] = [right, down].map((part) => ((part / length) * farthestPercent).toFixed(2))
  return { transform: `translate(${x}%, ${y}%) scale(${largestScale})` }
}
