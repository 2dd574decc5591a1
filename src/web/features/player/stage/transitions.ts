/**
 * The transitions: the animation of the new picture, of the old one, and the duration. They animate only
 * transforms and opacity, so that a frame needs no layout and no paint.
 */
import type { transitions } from '../../../../contract/transitions.ts'

export type TransitionName = (typeof transitions)[number]

export type TransitionPlan = {
  readonly enter: Keyframe[]
  readonly leave: Keyframe[]
  readonly durationMs: number
  readonly easing: string
}

const easeOut = 'cubic-bezier(0.2, 0.7, 0.2, 1)'
const easeIn = 'cubic-bezier(0.5, 0, 0.8, 0.3)'
const easeBoth = 'cubic-bezier(0.45, 0, 0.2, 1)'
const easeDissolve = 'cubic-bezier(0.37, 0, 0.63, 1)'

/** The longest share of the time of its slide that a transition takes. */
const longestShare = 0.3
const reducedMs = 200

export function prefersStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

export function planTransition(
  name: TransitionName,
  options: { readonly step: 1 | -1; readonly holdMs: number; readonly isReduced: boolean },
): TransitionPlan {
  const { step, holdMs, isReduced } = options
  const plan = isReduced && name !== 'none' ? stillPlan : planOf(name, step)
  return { ...plan, durationMs: Math.min(plan.durationMs, holdMs * longestShare) }
}

const stay = [{ opacity: 1 }, { opacity: 1 }]
const appear = [{ opacity: 0 }, { opacity: 1 }]

const stillPlan = { enter: appear, leave: stay, durationMs: reducedMs, easing: 'linear' }

function planOf(name: TransitionName, step: 1 | -1): TransitionPlan {
  switch (name) {
    case 'fade':
      return { enter: appear, leave: stay, durationMs: 900, easing: easeDissolve }
    case 'slide':
      return {
        enter: [{ transform: `translateX(${102 * step}%)` }, { transform: 'translateX(0)' }],
        leave: [{ transform: 'translateX(0)' }, { transform: `translateX(${-102 * step}%)` }],
        durationMs: 620,
        easing: easeBoth,
      }
    case 'zoom':
      return {
        enter: [
          { opacity: 0, transform: 'scale(1.08)' },
          { opacity: 1, offset: 0.6 },
          { opacity: 1, transform: 'scale(1)' },
        ],
        leave: [{ transform: 'scale(1)' }, { transform: 'scale(1.04)' }],
        durationMs: 1000,
        easing: easeOut,
      }
    case 'flip':
      return {
        enter: [
          { transform: `rotateY(${90 * step}deg)` },
          { transform: `rotateY(${90 * step}deg)`, offset: 0.5, easing: easeOut },
          { transform: 'rotateY(0)' },
        ],
        leave: [
          { transform: 'rotateY(0)', easing: easeIn },
          { transform: `rotateY(${-90 * step}deg)`, offset: 0.5 },
          { transform: `rotateY(${-90 * step}deg)` },
        ],
        durationMs: 760,
        easing: 'linear',
      }
    case 'none':
      return { enter: stay, leave: stay, durationMs: 0, easing: 'linear' }
  }
}
