/** The page of a published session: its content, and a button that saves a copy to the user's library. */
import { useQuery } from '@tanstack/react-query'
import { Bookmark, Play } from 'lucide-react'
import { useParams } from 'wouter'
import { type client, explain, statusOf } from '../../api.ts'
import { useTags } from '../../classification/classification.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { words as frameWords } from '../../frame/words.ts'
import { NotFoundPage } from '../../not-found-page.tsx'
import { usePageTitle } from '../../page-title.ts'
import { useSignInAddress } from '../../sign-in-address.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CannotShow, Failure } from '../../ui/failure.tsx'
import { Aperture, Cover } from '../../ui/mount.tsx'
import { Skeleton, PageWaiting } from '../../ui/skeleton.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'
import { usePrice } from '../accounts/prices.ts'
import { ReportButton } from '../moderation/report-button.tsx'
import { SlideSheet } from '../sessions/contact-sheet.tsx'
import { describeSession, largeCover } from '../sessions/session-data.ts'
import { words as sessionWords } from '../sessions/words.ts'
import { communitySessionQuery } from './community-list.ts'
import { ForGuests, ForMembersOnly } from './for-guests.tsx'
import { useSave } from './save-session.ts'
import { words } from './words.ts'

type Published = Awaited<ReturnType<typeof client.community.open>>

export function CommunitySessionPage() {
  const { id } = useParams<{ id: string }>()
  return (
    <ForGuests>
      <Opened id={id} />
    </ForGuests>
  )
}

function Opened({ id }: { id: string }) {
  const { data: user } = useCurrentUser()
  const opened = useQuery(communitySessionQuery(id))
  usePageTitle(opened.data?.session.title ?? frameWords.community)
  const status = statusOf(opened.error)
  // The setting has changed since this page was loaded.
  if (!user && status === 401) return <ForMembersOnly />
  if (status === 404 || status === 400) return <NotFoundPage />
  if (opened.isError)
    return <CannotShow error={opened.error} onRetry={() => void opened.refetch()} />
  if (!opened.data)
    return (
      <PageWaiting label={words.opening}>
        <Skeleton className="h-72 w-full max-w-[26rem]" />
      </PageWaiting>
    )
  return <Shown published={opened.data} />
}

function Shown({ published: { session, media } }: { published: Published }) {
  const tagNames = useTags()
  return (
    <>
      <PageHead
        title={session.title}
        back={{ href: '/community', label: words.backToCommunity }}
        isShow
      />
      <div className="grid items-center gap-x-8 gap-y-5 sm:grid-cols-[minmax(0,26rem)_1fr]">
        <div className="deck">
          <div className="relative z-[1] rounded-mount bg-mount p-2 inset-ring inset-ring-hairline shadow-mount">
            <Aperture>
              <Cover url={largeCover(session.thumbnail, media)} />
            </Aperture>
          </div>
        </div>
        <div className="grid gap-3">
          <p className="text-ink-2">
            {session.savedCount > 0
              ? words.bySaved({ name: session.ownerName, count: session.savedCount })
              : words.by({ name: session.ownerName })}
          </p>
          <p className="text-sm text-ink-3">
            {describeSession(session)}
            {session.category !== 'uncategorized' && ` · ${session.category}`}
          </p>
          {session.tags.length > 0 && (
            <ul className="flex flex-wrap gap-2">
              {session.tags.map((tag) => (
                <li key={tag} className="chip">
                  {tagNames.find(({ slug }) => slug === tag)?.label ?? tag}
                </li>
              ))}
            </ul>
          )}
          <div className="mt-2 flex flex-wrap items-start gap-2">
            <ButtonLink
              href={`/community/${session.id}/play`}
              look="lit"
              icon={<Play size={18} aria-hidden="true" fill="currentColor" />}
            >
              {sessionWords.play}
            </ButtonLink>
            <SaveButton id={session.id} />
          </div>
        </div>
      </div>
      <h2 className="mt-8 mb-3 text-lg font-semibold">{sessionWords.slidesHeading}</h2>
      <SlideSheet slides={media} playAddress={`/community/${session.id}/play`} />
      <div className="mt-6">
        <ReportButton target={{ targetType: 'community_session', targetId: session.id }} />
      </div>
    </>
  )
}

/** Saves a copy. Guests sign in first. */
function SaveButton({ id }: { id: number }) {
  const { data: user } = useCurrentUser()
  const signInAddress = useSignInAddress()
  const price = usePrice('session_create')
  const save = useSave(id)
  const balance = user?.credits.balance ?? 0
  const look = {
    icon: <Bookmark size={18} aria-hidden="true" />,
    price: price === undefined ? undefined : sessionWords.price({ count: price }),
  }
  if (!user)
    return (
      <ButtonLink {...look} href={signInAddress}>
        {words.saveCopy}
      </ButtonLink>
    )
  return (
    <div className="grid justify-items-start gap-2">
      <Button {...look} isBusy={save.isPending} onClick={() => save.mutate()}>
        {words.saveCopy}
      </Button>
      {price !== undefined && balance >= price && (
        <p className="text-xs text-ink-3">{words.copyLeaves({ count: balance - price })}</p>
      )}
      <Failure text={save.error && explain(save.error)} />
    </div>
  )
}
