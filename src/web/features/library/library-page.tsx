/** The library: the user's own sessions, newest first, including sessions that are being filled. */
import { Import, Plus } from 'lucide-react'
import { Suspense } from 'react'
import { Link } from 'wouter'
import { PageHead } from '../../frame/page-head.tsx'
import { words as frameWords } from '../../frame/words.ts'
import { usePageTitle } from '../../page-title.ts'
import { lazyPart } from '../../parts.ts'
import { Button, ButtonLink, type ButtonLook } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CannotShow, EarlierResults } from '../../ui/failure.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { Welcome } from '../accounts/welcome.tsx'
import { isFilling, type Session } from '../sessions/session-data.ts'
import { words as sessionWords } from '../sessions/words.ts'
import { LibraryFilters } from './library-filters.tsx'
import { useLibraryFilter, useLibraryList } from './library-list.ts'
import { SessionCard } from './session-card.tsx'
import { words } from './words.ts'

const Offers = lazyPart(async () => (await import('./offers.tsx')).Offers)

/** Each followed session uses a connection, and a browser opens few connections to one site. */
const maxFollowed = 3

/** With fewer sessions, a large card would leave the rest of its row empty. */
const fewestForFeature = 5

export function LibraryPage() {
  usePageTitle(frameWords.sessions)
  const { filter, change, isFiltered } = useLibraryFilter()
  const list = useLibraryList(filter)
  const sessions = list.data?.pages.flat() ?? []
  const isBare = list.isSuccess && sessions.length === 0 && !isFiltered
  return (
    <>
      <PageHead title={frameWords.sessions}>
        {!isBare && (
          <>
            <ImportLink look="bare" />
            <ButtonLink
              href="/sessions/new"
              look="lit"
              icon={<Plus size={18} aria-hidden="true" />}
              className="max-sm:hidden"
            >
              {sessionWords.newSession}
            </ButtonLink>
          </>
        )}
      </PageHead>
      <Welcome />
      {!isBare && <LibraryFilters filter={filter} onChange={change} />}
      <EarlierResults list={list} />
      {list.isPending && <LibrarySkeleton />}
      {list.isError && <CannotShow error={list.error} onRetry={() => void list.refetch()} />}
      {isBare && <NothingYet />}
      {list.isSuccess && sessions.length === 0 && isFiltered && (
        <EmptyState
          headline={words.noneLikeThat}
          action={
            <Button
              onClick={() =>
                change({ isFavourite: false, tag: null, categorySlug: null, words: '' })
              }
            >
              {sessionWords.showAll}
            </Button>
          }
        >
          {words.noneFits}
        </EmptyState>
      )}
      {sessions.length > 0 && (
        <SessionGrid
          sessions={sessions}
          hasFeature={!isFiltered && sessions.length >= fewestForFeature}
        />
      )}
      <ShowMore list={list} />
      {list.isSuccess && !isFiltered && sessions.length < fewestForFeature && (
        <Suspense>
          <Offers />
        </Suspense>
      )}
      {list.isSuccess && !isFiltered && (
        <p className="mt-8 text-sm">
          <Link href="/trash" className="text-link">
            {words.trash}
          </Link>
        </p>
      )}
    </>
  )
}

function SessionGrid({
  sessions,
  hasFeature,
}: {
  sessions: readonly Session[]
  hasFeature: boolean
}) {
  const followed = new Set(
    sessions
      .filter(isFilling)
      .slice(0, maxFollowed)
      .map(({ id }) => id),
  )
  const featured = hasFeature
    ? sessions.find(({ fillStatus }) => fillStatus === 'ready')
    : undefined
  return (
    <div className={gridClass}>
      {sessions.map((session) => (
        <SessionCard
          key={session.id}
          session={session}
          isFollowed={followed.has(session.id)}
          isFeature={session === featured}
        />
      ))}
    </div>
  )
}

const gridClass =
  'grid grid-flow-dense grid-cols-2 gap-2.5 sm:gap-x-4 sm:gap-y-5 lg:grid-cols-3 xl:grid-cols-4 2xl:grid-cols-5 3xl:grid-cols-7'

function NothingYet() {
  return (
    <EmptyState
      headline={words.nothingYet}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <ButtonLink href="/sessions/new" look="lit" icon={<Plus size={18} aria-hidden="true" />}>
            {sessionWords.newSession}
          </ButtonLink>
          <ImportLink look="plain" />
        </div>
      }
    >
      {words.howToBegin}
    </EmptyState>
  )
}

function ImportLink({ look }: { look: ButtonLook }) {
  return (
    <ButtonLink href="/import" look={look} icon={<Import size={18} aria-hidden="true" />}>
      {words.import}
    </ButtonLink>
  )
}

function LibrarySkeleton() {
  return (
    <Waiting label={words.loading}>
      <div className={gridClass}>
        {Array.from({ length: 8 }, (_, index) => (
          <div key={index} className="late rounded-mount bg-mount p-2 shadow-mount">
            <Skeleton className="aspect-3/2" />
            <Skeleton className="mt-3 ms-1 h-4 w-2/3" />
            <Skeleton className="mt-2 mb-1.5 ms-1 h-3 w-1/2" />
          </div>
        ))}
      </div>
    </Waiting>
  )
}
