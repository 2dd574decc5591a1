/** The page of a single picture or video that a user shared from their vault. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { client } from '../../api.ts'
import { usePageTitle } from '../../page-title.ts'
import { keys } from '../../query-keys.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Skeleton, PageWaiting } from '../../ui/skeleton.tsx'
import { formatDay } from '../../words/figures.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { ReportButton } from '../moderation/report-button.tsx'
import { EndedShare } from './ended-share.tsx'
import { linkEndOf } from './link-end.ts'
import { words } from './words.ts'

type SharedMedia = Awaited<ReturnType<typeof client.vault.openShared>>

export function SharedMediaPage() {
  const { code } = useParams<{ code: string }>()
  const media = useQuery({
    queryKey: keys.sharedMedia.opened(code),
    queryFn: () => client.vault.openShared({ params: { code } }),
  })
  usePageTitle(media.data?.name ?? words.sharedPicture)
  if (media.data) return <Shown code={code} media={media.data} />
  const end = linkEndOf(media.error)
  if (end !== null) return <EndedShare end={end} ofPicture />
  if (media.isError) return <CannotShow error={media.error} onRetry={() => void media.refetch()} />
  return (
    <PageWaiting label={words.opening}>
      <Skeleton className="mx-auto aspect-3/2 w-full max-w-[60rem]" />
    </PageWaiting>
  )
}

function Shown({ code, media }: { code: string; media: SharedMedia }) {
  const { data: user } = useCurrentUser()
  const className = 'mx-auto max-h-[72dvh] w-auto max-w-full rounded-aperture bg-well'
  return (
    <figure className="m-auto grid w-full gap-4 py-4">
      {media.type === 'video' ? (
        <video src={media.url} controls muted aria-label={media.name} className={className} />
      ) : (
        <img
          src={media.url}
          alt={media.name}
          {...(media.width > 0 ? { width: media.width, height: media.height } : {})}
          className={`${className} h-auto object-contain`}
        />
      )}
      <figcaption className="flex flex-wrap items-center justify-center gap-x-6 gap-y-3 text-center">
        <div>
          <h1 className="show-voice text-xl font-[500] break-words">
            <bdi>{media.name}</bdi>
          </h1>
          <p className="text-sm text-ink-2">
            {words.ownerAndDay({
              owner: media.ownerName,
              day: formatDay(new Date(media.createdAt)),
            })}
          </p>
        </div>
        {user === null && (
          <ButtonLink href="/register" look="line">
            {words.makeYourOwn}
          </ButtonLink>
        )}
        <ReportButton target={{ targetType: 'shared_media', shareCode: code }} />
      </figcaption>
    </figure>
  )
}
