/**
 * Chooses next steps that fit the user's onboarding answers. Pure: the server stores the answers unchanged.
 */
import { words } from './words.ts'

/** A missing field was not answered. */
type Interests = Readonly<Record<string, unknown>>

type Way = { readonly href: string; readonly label: string }

const ways = {
  feeds: { href: '/sessions/new/feeds', label: words.ways.feeds },
  byHand: { href: '/sessions/new/manual', label: words.ways.byHand },
  own: { href: '/import', label: words.ways.own },
  community: { href: '/community', label: words.ways.community },
} satisfies Record<string, Way>

/** Links for the chosen features come first, then links for the role. */
const waysByFeature: Readonly<Record<string, Way>> = {
  sessions: ways.feeds,
  search: ways.feeds,
  captions: ways.byHand,
  vault: ways.own,
  community: ways.community,
}

export function waysFor(interests: Interests): Way[] {
  const named = textsIn(interests['preferredFeatures']).flatMap(
    (feature) => waysByFeature[feature] ?? [],
  )
  const fitting =
    interests['contentRole'] === 'creator'
      ? [ways.byHand, ways.own, ways.feeds]
      : [ways.community, ways.feeds]
  return [...new Set([...named, ...fitting])]
}

export function likedTags(interests: Interests): string[] {
  return textsIn(interests['preferredTags'])
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
