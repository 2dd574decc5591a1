/** The page of a share link, for anyone: the cover, the play button, and the slides that the viewer may see. */
import { useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { useParams } from 'wouter'
import { shareHeaders } from '../../../client/client.ts'
import { client } from '../../api.ts'
import { dropFirstFrame, FirstFrame, hasFirstFrame } from '../../first-frame.tsx'
import { usePageTitle } from '../../page-title.ts'
import { lazyPart } from '../../parts.ts'
import { keys } from '../../query-keys.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Aperture, Cover } from '../../ui/mount.tsx'
import { Skeleton, PageWaiting } from '../../ui/skeleton.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'
import { words as keptWords } from '../kept/words.ts'
import { ReportButton } from '../moderation/report-button.tsx'
import { SlideSheet } from '../sessions/contact-sheet.tsx'
import { coverSizes, describeSession, largeCover } from '../sessions/session-data.ts'
import { words as sessionWords } from '../sessions/words.ts'
import { AccountTerms } from './account-terms.tsx'
import { EndedShare } from './ended-share.tsx'
import { linkEndOf } from './link-end.ts'
import { PasswordQuestion } from './password-question.tsx'
import { keepSharePassword, readSharePassword } from './share-password.ts'
import { words } from './words.ts'

const DownloadShared = lazyPart(async () => (await import('./download-shared.tsx')).DownloadShared)
const KeepLink = lazyPart(async () => (await import('../kept/keep-dialog.tsx')).KeepLinkDialog)

/** The most slides of a preview. They fit below the cover. */
const previewSlides = 3

type Preview = Awaited<ReturnType<typeof client.sharing.preview>>

export function SharedPage() {
  const { code } = useParams<{ code: string }>()
  const [password, setPassword] = useState(() => readSharePassword(code))
  const [hasAnswered, setHasAnswered] = useState(false)
  const preview = usePreview(code, password)
  usePageTitle(preview.data?.session.title ?? words.sharedSession)
  const end = linkEndOf(preview.error)
  if (preview.data) return <Shared code={code} password={password} preview={preview.data} />
  // The form stays while its answer is checked, and keeps the typed text.
  if (end === 'password' || (hasAnswered && preview.isPending))
    return (
      <PasswordQuestion
        refusal={password === null ? null : hasAnswered ? 'wrong' : 'changed'}
        isBusy={preview.isFetching}
        onAnswer={(answer) => {
          setHasAnswered(true)
          setPassword(answer)
        }}
      />
    )
  if (end !== null) return <EndedShare end={end} />
  if (preview.isError)
    return <CannotShow error={preview.error} onRetry={() => void preview.refetch()} />
  return <PreviewSkeleton />
}

function usePreview(code: string, password: string | null) {
  return useQuery({
    queryKey: keys.sharedSession.opened(code, password),
    queryFn: async () => {
      const headers = shareHeaders({ password })
      const preview = await client.sharing.preview({ params: { code }, headers })
      if (password !== null) keepSharePassword(code, password)
      return preview
    },
  })
}

function Shared({
  code,
  password,
  preview: { session, media, ownerName, requiresAuth, download },
}: {
  code: string
  password: string | null
  preview: Preview
}) {
  const { data: user } = useCurrentUser()
  const all = useAllSlides(code, password, user !== undefined && (user !== null || !requiresAuth))
  const slides = all.data ?? media
  const coming = all.isLoading ? session.mediaCount - media.length : 0
  const isLong = slides.length + coming > previewSlides
  const [isKeeping, setIsKeeping] = useState(false)
  const isPartial = requiresAuth && user === null && session.mediaCount > media.length
  const isCharged = session.captionTheme !== null && (requiresAuth || !!user)
  useEffect(dropFirstFrame, [])
  return (
    <>
      <div className="mx-auto grid w-full max-w-[60rem] items-center gap-x-10 gap-y-6 py-4 sm:grid-cols-[minmax(0,1.2fr)_1fr] sm:py-8">
        <div className="rounded-mount bg-mount p-2 shadow-mount">
          <Aperture>
            <Cover
              url={largeCover(session.thumbnail, media)}
              sizes={coverSizes(session.thumbnail, media)}
              isFirst
            />
          </Aperture>
        </div>
        <div className="min-w-0">
          <p className="text-sm text-ink-2">{words.showsYou({ owner: ownerName })}</p>
          <h1 className="show-voice mt-1 text-[1.75rem] leading-tight font-[500] text-balance break-words sm:text-3xl">
            <bdi>{session.title}</bdi>
          </h1>
          <p className="mt-2 text-ink-2">{describeSession(session)}</p>
          <div className="mt-6 flex flex-wrap gap-2">
            <ButtonLink
              href={`/shared/${code}/play`}
              look="lit"
              size="big"
              icon={<Play size={18} aria-hidden="true" fill="currentColor" />}
            >
              {sessionWords.play}
            </ButtonLink>
            <ButtonLink href={user ? '/sessions/new' : '/register'} look="line" size="big">
              {words.makeYourOwn}
            </ButtonLink>
            {download && (user || !requiresAuth) && (
              <Suspense>
                <DownloadShared code={code} password={password} title={session.title} />
              </Suspense>
            )}
            {user && 'serviceWorker' in navigator && (
              <Button look="bare" size="big" onClick={() => setIsKeeping(true)}>
                {keptWords.keepHere}
              </Button>
            )}
          </div>
          {(isPartial || isCharged) && (
            <AccountTerms firstSlides={isPartial ? media.length : null} isCharged={isCharged} />
          )}
        </div>
      </div>
      {slides.length > 0 && (
        <section
          aria-labelledby="slides"
          className={`mt-4 ${isLong ? '' : 'mx-auto w-full max-w-[60rem]'}`}
        >
          <h2 id="slides" className="mb-3 text-lg font-semibold">
            {isPartial ? words.firstSlides : sessionWords.slidesHeading}
          </h2>
          <SlideSheet slides={slides} playAddress={`/shared/${code}/play`} coming={coming} />
        </section>
      )}
      <div className="mt-6">
        <ReportButton target={{ targetType: 'shared_session', shareCode: code }} />
      </div>
      {isKeeping && (
        <Suspense>
          <KeepLink code={code} title={session.title} onClose={() => setIsKeeping(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The preview has only the first slides. The others are loaded if the viewer may see them. */
function useAllSlides(code: string, password: string | null, isOpen: boolean) {
  return useQuery({
    queryKey: keys.sharedSession.slides(code, password),
    queryFn: async () => {
      const headers = shareHeaders({ password })
      return (await client.sharing.open({ params: { code }, headers })).media
    },
    enabled: isOpen,
  })
}

function PreviewSkeleton() {
  if (hasFirstFrame('link')) return <FirstFrame name="link" />
  return (
    <PageWaiting label={words.opening}>
      <div className="mx-auto grid max-w-[60rem] items-center gap-10 py-8 sm:grid-cols-[minmax(0,1.2fr)_1fr]">
        <div className="late rounded-mount bg-mount p-2 shadow-mount">
          <Skeleton className="aspect-3/2" />
        </div>
        <div className="grid gap-3">
          <Skeleton className="h-9 w-3/4" />
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="mt-4 h-12 w-40" />
        </div>
      </div>
    </PageWaiting>
  )
}
