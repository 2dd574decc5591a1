/** The actions of a session: play, share, change, publish, delete. */
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Play, Share2, Star } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { client, sessionExportAddress } from '../../api.ts'
import { download } from '../../download.ts'
import { lazyPart } from '../../parts.ts'
import { keys } from '../../query-keys.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { DialogPart } from '../../ui/dialog-part.tsx'
import { trashSession } from '../trash/trash-session.ts'
import { DeleteSession } from './delete-session.tsx'
import { useRefill } from './fill-again.tsx'
import { isFilling, type Session, useFavourite } from './session-data.ts'
import { words as keptWords } from '../kept/words.ts'
import { words } from './words.ts'

const EditSettings = lazyPart(async () => (await import('./edit-settings.tsx')).EditSettings)
const FramesDialog = lazyPart(
  async () => (await import('../frames/frames-dialog.tsx')).FramesDialog,
)
const KeepSession = lazyPart(
  async () => (await import('../kept/keep-dialog.tsx')).KeepSessionDialog,
)
const PublishSession = lazyPart(async () => (await import('./publish-session.tsx')).PublishSession)
const ReplaceSlides = lazyPart(async () => (await import('./replace-slides.tsx')).ReplaceSlides)
const ShareSession = lazyPart(
  async () => (await import('../sharing/share-session.tsx')).ShareSession,
)

type OpenDialog = 'share' | 'settings' | 'frames' | 'keep' | 'publish' | 'refill' | 'delete' | null

export function SessionActions({ session, isOwn }: { session: Session; isOwn: boolean }) {
  const [params, setParams] = useSearchParams()
  const [dialog, setDialog] = useState<OpenDialog>(params.has('share') ? 'share' : null)
  const close = () => {
    setDialog(null)
    if (params.has('share')) setParams({}, { replace: true })
  }
  return (
    <div className="mt-5 flex flex-wrap items-center gap-2">
      {session.mediaCount > 0 && (
        <ButtonLink
          href={`/play/${session.id}`}
          look="lit"
          icon={<Play size={18} aria-hidden="true" fill="currentColor" />}
        >
          {words.play}
        </ButtonLink>
      )}
      {isOwn && (
        <>
          <Button icon={<Share2 size={18} aria-hidden="true" />} onClick={() => setDialog('share')}>
            {words.share}
          </Button>
          <OwnerControls session={session} onOpen={setDialog} />
        </>
      )}
      <Dialogs session={session} dialog={dialog} onClose={close} />
    </div>
  )
}

function OwnerControls({
  session,
  onOpen,
}: {
  session: Session
  onOpen: (dialog: OpenDialog) => void
}) {
  const switchFavourite = useFavourite(session)
  const refill = useRefill(session)
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const duplicate = async () => {
    const params = { id: String(session.id) }
    const { session: copy } = await client.sessions.duplicate({ params })
    await queryClient.invalidateQueries({ queryKey: keys.sessions.all })
    navigate(`/sessions/${copy.id}`)
    showToast({ text: words.duplicated })
  }
  const moveToTrash = async () => {
    const outcome = await trashSession(queryClient, session, () =>
      navigate('/library', { replace: true }),
    )
    if (outcome === 'blocked') onOpen('delete')
  }
  // An empty session has nothing to lose, so do not ask.
  const fillAgain = () =>
    session.mediaCount > 0 ? onOpen('refill') : refill.mutate(undefined, { onError: showFailure })
  const canRefill = !isFilling(session) && !session.isImported && session.subfeeds.length > 0
  return (
    <>
      <IconButton
        label={words.favourite}
        aria-pressed={session.isFavorite}
        onClick={switchFavourite}
        className={session.isFavorite ? '!text-lamp-ink' : ''}
        icon={
          <Star size={18} aria-hidden="true" className={session.isFavorite ? 'fill-lamp' : ''} />
        }
      />
      <Menu
        label={words.more}
        trigger={<Ellipsis size={18} aria-hidden="true" />}
        entries={[
          { kind: 'action', label: words.settings, onSelect: () => onOpen('settings') },
          { kind: 'action', label: words.frames, onSelect: () => onOpen('frames') },
          ...('serviceWorker' in navigator && session.mediaCount > 0
            ? [
                {
                  kind: 'action' as const,
                  label: keptWords.keepHere,
                  onSelect: () => onOpen('keep'),
                },
              ]
            : []),
          {
            kind: 'action',
            label: session.shareToCommunity ? words.inCommunity : words.publishToCommunity,
            onSelect: () => onOpen('publish'),
          },
          ...(canRefill
            ? [{ kind: 'action' as const, label: words.fillAgain, onSelect: fillAgain }]
            : []),
          ...(session.mediaCount > 0 && !isFilling(session)
            ? [
                {
                  kind: 'action' as const,
                  label: words.duplicate,
                  onSelect: () => void duplicate().catch(showFailure),
                },
                {
                  kind: 'action' as const,
                  label: words.downloadZip,
                  onSelect: () =>
                    void download(sessionExportAddress(session.id)).catch(showFailure),
                },
              ]
            : []),
          { kind: 'line' },
          {
            kind: 'action',
            label: words.moveToTrash,
            onSelect: () => void moveToTrash(),
          },
        ]}
      />
    </>
  )
}

function Dialogs({
  session,
  dialog,
  onClose,
}: {
  session: Session
  dialog: OpenDialog
  onClose: () => void
}) {
  const [, navigate] = useLocation()
  return (
    <DialogPart>
      {dialog === 'share' && <ShareSession session={session} onClose={onClose} />}
      {dialog === 'settings' && <EditSettings session={session} onClose={onClose} />}
      {dialog === 'frames' && <FramesDialog session={session} onClose={onClose} />}
      {dialog === 'keep' && <KeepSession session={session} onClose={onClose} />}
      {dialog === 'publish' && <PublishSession session={session} onClose={onClose} />}
      {dialog === 'refill' && <ReplaceSlides session={session} onClose={onClose} />}
      {dialog === 'delete' && (
        <DeleteSession
          session={session}
          onClose={onClose}
          onDeleted={() => navigate('/library', { replace: true })}
        />
      )}
    </DialogPart>
  )
}
