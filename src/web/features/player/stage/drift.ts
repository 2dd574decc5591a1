/** Slow drift: a picture grows and travels a little while it is shown, in a direction of its own. */
import { chanceFrom } from '../engine/chance.ts'

const farthestPercent = 2
const largestScale = 1.06

/** From where to where, told by the seed: some pictures come closer, some draw back. */
export function driftOf(seed: string): [Keyframe, Keyframe] {
  const chance = chanceFrom(`${seed}/drift`)
  const angle = chance() * 2 * Math.PI
  const x = (Math.cos(angle) * farthestPercent).toFixed(2)
  const y = (Math.sin(angle) * farthestPercent).toFixed(2)
  const near = { transform: `translate(0%, 0%) scale(1)` }
  const far = { transform: `translate(${x}%, ${y}%) scale(${largestScale})` }
  return chance() < 0.5 ? [near, far] : [far, near]
}
