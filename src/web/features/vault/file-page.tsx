/** The page of a file of the vault: large, with its properties, its uses and who can see it. */
import { useQueryClient } from '@tanstack/react-query'
import { Download, GalleryHorizontalEnd, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { statusOf } from '../../api.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { NotFoundPage } from '../../not-found-page.tsx'
import { usePageTitle } from '../../page-title.ts'
import { lazyPart } from '../../parts.ts'
import { Button } from '../../ui/button.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, PageWaiting } from '../../ui/skeleton.tsx'
import { DialogPart } from '../../ui/dialog-part.tsx'
import { LargePicture } from '../editor/slide-picture.tsx'
import { trashWithUndo } from './deletions.ts'
import { type OpenedFile, useFile } from './file-data.ts'
import { FileFacts } from './file-facts.tsx'
import { FileMarks } from './file-marks.tsx'
import { words } from './file-words.ts'

const MakeSession = lazyPart(async () => (await import('./make-session.tsx')).MakeSession)

const ShareFile = lazyPart(async () => (await import('./share-file.tsx')).ShareFile)

export function FilePage() {
  const { id } = useParams<{ id: string }>()
  const opened = useFile(id)
  const status = statusOf(opened.error)
  usePageTitle(opened.data?.file.originalName ?? words.file)
  if (status === 404 || status === 400) return <NotFoundPage />
  if (opened.data) return <Opened opened={opened.data} />
  if (opened.isError)
    return <CannotShow error={opened.error} onRetry={() => void opened.refetch()} />
  return (
    <PageWaiting label={words.loading}>
      <Skeleton className="late h-9 w-64" />
      <Skeleton className="late mt-6 aspect-3/2 w-full max-w-[60rem]" />
    </PageWaiting>
  )
}

function Opened({ opened }: { opened: OpenedFile }) {
  const { file } = opened
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const [asked, setAsked] = useState<'make' | 'share' | null>(null)
  const [poster] = file.thumbnails.toSorted((one, other) => other.width - one.width)
  return (
    <>
      <PageHead title={file.originalName} back={{ href: '/vault', label: words.backToVault }}>
        <a
          href={file.url}
          download={file.originalName}
          className="button button-bare button-normal"
        >
          <Download size={18} aria-hidden="true" />
          {words.download}
        </a>
        <Button
          look="bare"
          icon={<Trash2 size={18} aria-hidden="true" />}
          onClick={() => {
            void trashWithUndo(queryClient, [file.id])
            navigate('/vault')
          }}
        >
          {words.moveToTrash}
        </Button>
        <Button
          icon={<GalleryHorizontalEnd size={18} aria-hidden="true" />}
          onClick={() => setAsked('make')}
        >
          {words.makeSession}
        </Button>
        <Button
          look="lit"
          icon={<Share2 size={18} aria-hidden="true" />}
          onClick={() => setAsked('share')}
        >
          {words.share}
        </Button>
      </PageHead>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div
          className="relative max-h-[60dvh] w-full overflow-hidden rounded-mount bg-picture-dark lg:h-[76dvh] lg:max-h-none"
          style={{ aspectRatio: file.width > 0 ? file.width / file.height : 3 / 2 }}
        >
          <LargePicture
            slide={{ mediaUrl: file.url, thumbnail: poster?.url ?? null, type: file.type }}
            name={file.originalName}
          />
        </div>
        <div className="grid gap-4">
          <FileFacts opened={opened} />
          <FileMarks file={file} />
          <Uses opened={opened} />
        </div>
      </div>
      <DialogPart>
        {asked === 'make' && <MakeSession ids={[file.id]} onClose={() => setAsked(null)} />}
        {asked === 'share' && <ShareFile id={file.id} onClose={() => setAsked(null)} />}
      </DialogPart>
    </>
  )
}

function Uses({ opened }: { opened: OpenedFile }) {
  const { sessions, sessionCount } = opened
  const others = sessionCount - sessions.length
  return (
    <Panel title={words.usedIn}>
      <p className="text-sm text-ink-2">{whoSees(opened)}</p>
      {sessions.length === 0 ? (
        <p className="mt-2 text-sm text-ink-2">{words.notUsed}</p>
      ) : (
        <ul className="mt-2 grid gap-1">
          {sessions.map(({ id, title }) => (
            <li key={id} className="min-w-0">
              <Link href={`/sessions/${id}`} className="text-link break-words">
                <bdi>{title}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {others > 0 && (
        <p className="mt-1 text-xs text-ink-3">{words.moreSessions({ count: others })}</p>
      )}
    </Panel>
  )
}

/**
 * Says who can see the file. A file that was ever published for adults stays limited to adults, also by its
 * link.
 */
function whoSees({ file, nsfw, published }: OpenedFile): string {
  if (published) return published.nsfw ? words.inCommunityForAdults : words.inCommunity
  if (!file.isShared) return words.onlyYou
  return nsfw ? words.byLinkForAdults : words.byLink
}
