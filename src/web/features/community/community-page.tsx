/** The community: published sessions and pictures as a wall of cards. */
import { Shield } from 'lucide-react'
import { statusOf } from '../../api.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { words as frameWords } from '../../frame/words.ts'
import { usePageTitle } from '../../page-title.ts'
import { useSignInAddress } from '../../sign-in-address.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Segment } from '../../ui/choice.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CannotShow, EarlierResults } from '../../ui/failure.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { words as uiWords } from '../../ui/words.ts'
import { sentence } from '../../words/sentence.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { type AgeGate, useAgeGate } from '../accounts/use-age-gate.tsx'
import { makingWords } from '../sessions/making-words.ts'
import { words as sessionWords } from '../sessions/words.ts'
import { CommunityCard } from './community-card.tsx'
import { CommunityFilters } from './community-filters.tsx'
import { noFilter, useCommunityFilter, useCommunityList } from './community-list.ts'
import { ForGuests, ForMembersOnly } from './for-guests.tsx'
import { Wall } from './wall.tsx'
import { words } from './words.ts'

const kinds = (['all', 'sessions', 'media'] as const).map((value) => ({
  value,
  label: words.kinds[value],
}))

export function CommunityPage() {
  return (
    <ForGuests>
      <Community />
    </ForGuests>
  )
}

function Community() {
  usePageTitle(frameWords.community)
  const { data: user } = useCurrentUser()
  const signInAddress = useSignInAddress()
  const { filter, change, isFiltered } = useCommunityFilter()
  const list = useCommunityList(filter)
  const age = useAgeGate()
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  // The setting has changed since this page was loaded.
  if (!user && statusOf(list.error) === 401) return <ForMembersOnly />
  return (
    <>
      <PageHead title={frameWords.community}>
        {user ? (
          <ButtonLink href="/community/published" look="bare">
            {words.yours}
          </ButtonLink>
        ) : (
          <ButtonLink href={signInAddress} look="bare">
            {uiWords.signIn}
          </ButtonLink>
        )}
        <Segment
          label={words.whatToShow}
          options={kinds}
          value={filter.kind}
          onChoose={(kind) => change({ kind })}
        />
      </PageHead>
      <CommunityFilters filter={filter} onChange={change} />
      {user && !age.isVerified && !age.isRefused && (
        <AgeNote age={age} onVerified={() => void list.refetch()} />
      )}
      <EarlierResults list={list} />
      {list.isPending && <WallSkeleton />}
      {list.isError && <CannotShow error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && items.length === 0 && (
        <EmptyState
          headline={isFiltered ? words.nothingLikeThat : words.nobodyYet}
          action={
            isFiltered && <Button onClick={() => change(noFilter)}>{sessionWords.showAll}</Button>
          }
        >
          {isFiltered ? words.nothingFits : words.howToPublish}
        </EmptyState>
      )}
      <Wall>
        {items.map((item) => (
          <CommunityCard key={`${item.kind}-${item.id}`} item={item} />
        ))}
      </Wall>
      <ShowMore list={list} />
      {age.dialog}
    </>
  )
}

function AgeNote({ age, onVerified }: { age: AgeGate; onVerified: () => void }) {
  async function confirm() {
    if (await age.confirm()) onVerified()
  }
  return (
    <p className="mb-5 flex items-start gap-2.5 text-sm text-ink-2">
      <Shield size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-3" />
      <span>
        {sentence(words.openToEveryone, {
          confirm: (
            <button
              type="button"
              className="cursor-pointer text-ink underline decoration-edge underline-offset-[3px]"
              onClick={() => void confirm()}
            >
              {makingWords.confirmAge}
            </button>
          ),
        })}
      </span>
    </p>
  )
}

function WallSkeleton() {
  return (
    <Waiting label={words.loading}>
      <Wall>
        {['h-44', 'h-64', 'h-52', 'h-72', 'h-48', 'h-60', 'h-40', 'h-56'].map((height) => (
          <Skeleton key={height} className={height} />
        ))}
      </Wall>
    </Waiting>
  )
}
