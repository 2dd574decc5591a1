/**
 * What a library with little in it offers next, by what its owner said at the beginning: sessions of
 * the community with their tags, and the ways to make one that fit them.
 */
import { useQuery } from '@tanstack/react-query'
import { client, type SignedInUser } from '../../api.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'
import { CommunityCard } from '../community/community-card.tsx'

const mostShown = 4

export function Offers() {
  const { data: user } = useCurrentUser()
  if (!user?.onboardingCompleted) return null
  return (
    <section aria-labelledby="offers" className="mt-10 grid gap-4">
      <h2 id="offers" className="text-lg font-semibold">
        For you
      </h2>
      <ul className="flex flex-wrap gap-2">
        {waysFor(user.interests).map(({ href, label }) => (
          <li key={href}>
            <ButtonLink href={href} look="plain">
              {label}
            </ButtonLink>
          </li>
        ))}
      </ul>
      <FromCommunity tags={answersOf(user.interests).tags} />
    </section>
  )
}

function FromCommunity({ tags }: { tags: readonly string[] }) {
  const { data: items = [] } = useQuery({
    queryKey: ['community', 'offers', tags],
    queryFn: () => findOffers(tags),
  })
  return (
    <div className="grid grid-cols-2 gap-2.5 empty:hidden sm:gap-[18px] lg:grid-cols-4">
      {items.map((item) => (
        <CommunityCard key={item.id} item={item} />
      ))}
    </div>
  )
}

/** Where nothing has these tags, what most people have saved. */
async function findOffers(tags: readonly string[]) {
  const wanted = { kind: 'sessions', sort: 'popular', limit: String(mostShown) } as const
  if (tags.length > 0) {
    const query = { ...wanted, tags: tags.join(','), tagMode: 'or' } as const
    const { items } = await client.community.browse({ query })
    if (items.length > 0) return items
  }
  return (await client.community.browse({ query: wanted })).items
}

type Way = { readonly href: string; readonly label: string }

const ways = {
  feeds: { href: '/sessions/new', label: 'New session from feeds' },
  byHand: { href: '/sessions/new/manual', label: 'Choose every slide yourself' },
  own: { href: '/import', label: 'Bring your own pictures' },
  community: { href: '/community', label: 'Look at what others made' },
} satisfies Record<string, Way>

/** What was named as interesting stands first, then what fits the role. */
const waysByFeature: Readonly<Record<string, Way>> = {
  sessions: ways.feeds,
  search: ways.feeds,
  captions: ways.byHand,
  vault: ways.own,
  community: ways.community,
}

export function waysFor(interests: SignedInUser['interests']): Way[] {
  const { role, features } = answersOf(interests)
  const named = features.flatMap((feature) => waysByFeature[feature] ?? [])
  const fitting =
    role === 'creator' ? [ways.byHand, ways.own, ways.feeds] : [ways.community, ways.feeds]
  return [...new Set([...named, ...fitting])]
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** The server keeps the answers as they were given; what is not there was not said. */
function answersOf(interests: SignedInUser['interests']) {
  return {
    role: interests['contentRole'] === 'creator' ? 'creator' : 'consumer',
    features: textsIn(interests['preferredFeatures']),
    tags: textsIn(interests['preferredTags']),
  }
}
