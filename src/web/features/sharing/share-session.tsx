/** Shares a session by a link: create it, show and change its limits, send it, end it. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { client, explain, statusOf } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { CannotShow, Failure } from '../../ui/failure.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import type { Session } from '../sessions/session-data.ts'
import {
  accessOf,
  bodyOf,
  hasEnded,
  noChange,
  type Share,
  type ShareAccess,
} from './share-change.ts'
import { ShareLimits } from './share-limits.tsx'
import { ShareLink } from './share-link.tsx'
import { MoreSharing } from './more-sharing.tsx'
import { words } from './share-words.ts'

type DialogProps = { session: Session; onClose: () => void }

export function ShareSession({ session, onClose }: DialogProps) {
  const share = useQuery({
    queryKey: keys.share(session.id),
    queryFn: () => readShare(session),
    // The share may have changed on another device, so the cache does not keep it.
    gcTime: 0,
  })
  return (
    <Dialog
      title={words.share({ title: session.title })}
      step={share.data && !hasEnded(share.data) ? 'shared' : share.status}
      onClose={onClose}
      width="wide"
    >
      {share.data !== undefined ? (
        <Opened session={session} share={share.data} onClose={onClose} />
      ) : share.isError ? (
        <CannotShow error={share.error} onRetry={() => void share.refetch()} />
      ) : (
        <Waiting label={words.looking}>
          <Skeleton className="h-36 w-full" />
        </Waiting>
      )}
    </Dialog>
  )
}

function Opened({ session, share, onClose }: DialogProps & { share: Share | null }) {
  const queryClient = useQueryClient()
  const [change, setChange] = useState(noChange)
  const isShared = share !== null && !hasEnded(share)
  const body = bodyOf(share, change, session)
  const isAsWished = Object.keys(body).length === 0
  const save = useMutation({
    mutationFn: () => client.sharing.shareSession({ params: { id: String(session.id) }, body }),
    onSuccess: async () => {
      await refresh(queryClient, session)
      setChange(noChange)
    },
  })
  return (
    <>
      {isShared ? (
        <>
          <ShareLink url={share.shareUrl} title={session.title} />
          <MoreSharing session={session} share={share} />
        </>
      ) : (
        <p className="text-ink-2">
          {share ? words.hasEnded : describeAudience(accessOf(share, change, session))}
        </p>
      )}
      <ShareLimits session={session} share={share} change={change} onChange={setChange} />
      <output className="text-sm text-ink-2 empty:hidden">
        {save.isSuccess && isAsWished && words.worksLikeThis}
      </output>
      <Failure text={save.error && explain(save.error)} />
      <DialogActions>
        {isShared && <StopSharing session={session} share={share} onStopped={onClose} />}
        {isShared ? (
          <Button isBusy={save.isPending} disabled={isAsWished} onClick={() => save.mutate()}>
            {words.saveChanges}
          </Button>
        ) : (
          <Button
            look="lit"
            icon={<Link2 size={18} aria-hidden="true" />}
            isBusy={save.isPending}
            onClick={() => save.mutate()}
          >
            {words.make}
          </Button>
        )}
      </DialogActions>
    </>
  )
}

function describeAudience(access: ShareAccess): string {
  return access === 'anyone' ? words.forAnyone : words.forMembers
}

/**
 * Ends the link. A link cannot be deleted, but creating it again restores the same one, so this can be
 * undone. The server makes the session private or public along with its link.
 */
function StopSharing({
  session,
  share,
  onStopped,
}: {
  session: Session
  share: Share
  onStopped: () => void
}) {
  const queryClient = useQueryClient()
  const setEnd = async (expiresAt: string | null) => {
    await client.sharing.shareSession({ params: { id: String(session.id) }, body: { expiresAt } })
    await refresh(queryClient, session)
  }
  const undo = () => {
    setEnd(share.expiresAt).then(() => showToast({ text: words.worksAgain }), showFailure)
  }
  const stop = useMutation({
    // In the past on any clock, even if this device's clock is wrong.
    mutationFn: () => setEnd(new Date(0).toISOString()),
    onSuccess: () => {
      showToast({ text: words.stopped, action: { label: words.undo, run: undo } })
      onStopped()
    },
    onError: showFailure,
  })
  return (
    <Button look="bare" isBusy={stop.isPending} onClick={() => stop.mutate()}>
      {words.stop}
    </Button>
  )
}

/** Returns null when there is no link yet. */
async function readShare(session: Session): Promise<Share | null> {
  try {
    return await client.sharing.readShare({ params: { id: String(session.id) } })
  } catch (error) {
    if (statusOf(error) === 404) return null
    throw error
  }
}

async function refresh(queryClient: QueryClient, session: Session): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.share(session.id) }),
    queryClient.invalidateQueries({ queryKey: keys.session.opened(session.id) }),
  ])
}
