/**
 * Chooses next steps that fit the user's onboarding answers. Pure: the server stores the answers unchanged.
 */
import { words } from './words.ts'

/** A missing field was not answered. */
type Interests = Readonly<Record<string, unknown>>

type NextStep = { readonly href: string; readonly label: string }

const steps = {
  feeds: { href: '/sessions/new/feeds', label: words.ways.feeds },
  byHand: { href: '/sessions/new/manual', label: words.ways.byHand },
  own: { href: '/import', label: words.ways.own },
  community: { href: '/community', label: words.ways.community },
} satisfies Record<string, NextStep>

/** Links for the chosen features come first, then links for the role. */
const stepsByFeature: Readonly<Record<string, NextStep>> = {
  sessions: steps.feeds,
  search: steps.feeds,
  captions: steps.byHand,
  vault: steps.own,
  community: steps.community,
}

export function nextStepsFor(interests: Interests): NextStep[] {
  const named = textsIn(interests['preferredFeatures']).flatMap(
    (feature) => stepsByFeature[feature] ?? [],
  )
  const fitting =
    interests['contentRole'] === 'creator'
      ? [steps.byHand, steps.own, steps.feeds]
      : [steps.community, steps.feeds]
  return [...new Set([...named, ...fitting])]
}

export function likedTags(interests: Interests): string[] {
  return textsIn(interests['preferredTags'])
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
