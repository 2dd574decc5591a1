/**
 * Offers for a library with few sessions, based on the onboarding answers: community sessions with the chosen
 * tags, and ways to create a session.
 */
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'
import { CommunityCard } from '../community/community-card.tsx'
import { likedTags, nextStepsFor } from './next-steps.ts'
import { words } from './words.ts'

const maxShown = 4

export function Offers() {
  const { data: user } = useCurrentUser()
  if (!user?.onboardingCompleted) return null
  return (
    <section aria-labelledby="offers" className="mt-10 grid gap-4">
      <h2 id="offers" className="text-lg font-semibold">
        {words.forYou}
      </h2>
      <ul className="flex flex-wrap gap-2">
        {nextStepsFor(user.interests).map(({ href, label }) => (
          <li key={href}>
            <ButtonLink href={href} look="plain">
              {label}
            </ButtonLink>
          </li>
        ))}
      </ul>
      <FromCommunity tags={likedTags(user.interests)} />
    </section>
  )
}

function FromCommunity({ tags }: { tags: readonly string[] }) {
  const { data: items = [] } = useQuery({
    queryKey: keys.community.offers(tags),
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

/** Returns the most saved sessions if none has these tags. */
async function findOffers(tags: readonly string[]) {
  const wanted = { kind: 'sessions', sort: 'popular', limit: String(maxShown) } as const
  if (tags.length > 0) {
    const query = { ...wanted, tags: tags.join(','), tagMode: 'or' } as const
    const { items } = await client.community.browse({ query })
    if (items.length > 0) return items
  }
  return (await client.community.browse({ query: wanted })).items
}
