/** The page that edits the slides of an existing session: order, captions and durations. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { client, statusOf } from '../../api.ts'
import { NotFoundPage } from '../../not-found-page.tsx'
import { usePageTitle } from '../../page-title.ts'
import { keys } from '../../query-keys.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Skeleton, PageWaiting } from '../../ui/skeleton.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'
import { isFilling } from '../sessions/session-data.ts'
import { SessionEditor } from './session-editor.tsx'
import { words } from './words.ts'

export function EditorPage() {
  const { id } = useParams<{ id: string }>()
  const { data: user } = useCurrentUser()
  // Never from the cache: an outdated copy would only lead to a conflict.
  const opened = useQuery({
    queryKey: keys.editedSession(id),
    queryFn: () => client.sessions.read({ params: { id } }),
    staleTime: Infinity,
    gcTime: 0,
  })
  const session = opened.data?.session
  usePageTitle(session ? words.editTitle({ title: session.title }) : words.edit)
  const isNotTheirs = session !== undefined && user?.id !== session.userId
  if ([400, 403, 404].includes(statusOf(opened.error) ?? 0) || isNotTheirs) return <NotFoundPage />
  if (opened.isError)
    return <CannotShow error={opened.error} onRetry={() => void opened.refetch()} />
  if (!opened.data || !session) return <EditorSkeleton />
  if (isFilling(session))
    return (
      <EmptyState
        headline={words.stillArriving}
        action={<ButtonLink href={`/sessions/${session.id}`}>{words.watchThemCome}</ButtonLink>}
      >
        {words.stillArrivingReason}
      </EmptyState>
    )
  return <SessionEditor key={session.id} opened={opened.data} />
}

function EditorSkeleton() {
  return (
    <PageWaiting label={words.loadingSlides}>
      <Skeleton className="h-8 w-56" />
      <div className="mt-6 grid gap-4 lg:grid-cols-[8rem_minmax(0,1fr)_22rem]">
        <div className="flex gap-2.5 overflow-hidden max-lg:order-2 lg:flex-col">
          {Array.from({ length: 6 }, (_, index) => (
            <Skeleton key={index} className="aspect-3/2 w-24 shrink-0 lg:w-full" />
          ))}
        </div>
        <Skeleton className="h-60 lg:h-[34rem]" />
        <Skeleton className="h-32 max-lg:order-3" />
      </div>
    </PageWaiting>
  )
}
