/** Sharing a session by a link: make it, limit it, send it, end it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { client, explain } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { showToast } from '../../ui/toasts.tsx'
import type { Session } from '../sessions/session-data.ts'
import { ShareLimits, type Limits, noLimits } from './share-limits.tsx'
import { ShareLink } from './share-link.tsx'

type ShareBody = NonNullable<Parameters<typeof client.sharing.shareSession>[0]['body']>

export function ShareSession({ session, onClose }: { session: Session; onClose: () => void }) {
  const [limits, setLimits] = useState(noLimits)
  const share = useShare(session)
  return (
    <Dialog title={`Share “${session.title}”`} onClose={onClose} width="wide">
      {share.data === undefined ? (
        <p className="text-ink-2">
          Whoever has the link sees the cover and a few slides, and can play all of it once they are
          signed in.
        </p>
      ) : (
        <ShareLink url={share.data.shareUrl} title={session.title} />
      )}
      <ShareLimits limits={limits} onChange={setLimits} />
      <Failure text={share.error && explain(share.error)} />
      <DialogActions>
        <StopSharing session={session} onStopped={onClose} />
        <Button
          look={share.data === undefined ? 'lit' : 'plain'}
          icon={<Link2 size={18} aria-hidden="true" />}
          isBusy={share.isPending}
          onClick={() => share.mutate(bodyOf(limits))}
        >
          {share.data === undefined ? 'Make the link' : 'Apply limits'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** A link cannot be unmade, but it can end now. Making it again opens the same one. */
function StopSharing({ session, onStopped }: { session: Session; onStopped: () => void }) {
  const queryClient = useQueryClient()
  const stop = useMutation({
    mutationFn: async () => {
      const params = { id: String(session.id) }
      await client.sharing.shareSession({ params, body: { expiresAt: new Date().toISOString() } })
      await client.sessions.update({ params, body: { isPublic: false } })
    },
    onSuccess: async () => {
      await refreshSession(queryClient, session)
      showToast({ text: 'The link has ended.' })
      onStopped()
    },
    onError: (error) => showToast({ text: explain(error), isFailure: true }),
  })
  return (
    <Button look="bare" isBusy={stop.isPending} onClick={() => stop.mutate()}>
      Stop sharing
    </Button>
  )
}

function useShare(session: Session) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: ShareBody) =>
      client.sharing.shareSession({ params: { id: String(session.id) }, body }),
    onSuccess: () => refreshSession(queryClient, session),
  })
}

function refreshSession(queryClient: ReturnType<typeof useQueryClient>, session: Session) {
  return queryClient.invalidateQueries({ queryKey: ['session', String(session.id)] })
}

function bodyOf({ days, password }: Limits): ShareBody {
  return {
    expiresAt: days === 0 ? null : new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString(),
    password: password === '' ? null : password,
  }
}
