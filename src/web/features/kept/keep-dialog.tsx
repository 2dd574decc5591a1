/** Stores a session on this device, so that it plays without a network, and removes it again. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { shareHeaders } from '../../../client/client.ts'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { formatSize } from '../../words/figures.ts'
import { keptPrefix, linkName } from '../../worker/kept-names.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { playlistOf } from '../player/playlist.ts'
import type { OpenedSession, Session } from '../sessions/session-data.ts'
import { readSharePassword } from '../sharing/share-password.ts'
import type { Progress } from './keep-files.ts'
import { type Keepable, keepSession, type Refusal, roomLeft } from './keep-session.ts'
import { forgetSession, listKept } from './kept-sessions.ts'
import { words } from './words.ts'

/** For the user's own session. */
export function KeepSessionDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { id, title } = session
  const keepable = { cacheName: `${keptPrefix}${id}`, playPath: `/play/${id}`, title }
  const open = () => client.sessions.read({ params: { id: String(id) } })
  return <KeepDialog keepable={keepable} open={open} onClose={onClose} />
}

/** For another user's session, opened by a share link. */
export function KeepLinkDialog(props: { code: string; title: string; onClose: () => void }) {
  const { code, title, onClose } = props
  const keepable = { cacheName: linkName(code), playPath: `/shared/${code}/play`, title }
  const headers = shareHeaders({ code, password: readSharePassword(code) })
  const open = () => client.sharing.open({ params: { code }, headers })
  return <KeepDialog keepable={keepable} open={open} onClose={onClose} />
}

type Order = { readonly keepable: Keepable; readonly open: () => Promise<OpenedSession> }

function KeepDialog({ onClose, ...order }: Order & { onClose: () => void }) {
  const { cacheName, title } = order.keepable
  const { data: kept } = useQuery({
    queryKey: keys.kept.all,
    queryFn: async () => ({ notes: await listKept(undefined), roomBytes: await roomLeft() }),
    staleTime: 0,
    networkMode: 'always',
  })
  const { keep, forget, progress } = useKeeping(order)
  const note = kept?.notes.find((one) => one.cacheName === cacheName)
  const roomBytes = kept?.roomBytes ?? null
  const refusal = keep.isError ? 'away' : keep.data
  return (
    <Dialog title={words.keepTitle({ title })} onClose={onClose}>
      <div className="grid gap-2 text-ink-2">
        <p>{note ? words.isKept({ size: formatSize(note.bytes) }) : words.introduction}</p>
        {note && note.missing > 0 && <p>{words.missing({ count: note.missing })}</p>}
        {roomBytes !== null && (
          <p className="text-sm text-ink-3">{words.roomLeft({ size: formatSize(roomBytes) })}</p>
        )}
      </div>
      {progress && (
        <div className="grid gap-1.5">
          <ProgressLine label={words.keeping} share={progress.done / progress.total} />
          <output className="text-xs text-ink-3">
            {words.progress({
              done: progress.done,
              count: progress.total,
              size: formatSize(progress.bytes),
            })}
          </output>
        </div>
      )}
      <Failure text={refusal ? words.refused[refusal] : null} />
      <DialogActions>
        {note && !keep.isPending && (
          <Button look="bare" isBusy={forget.isPending} onClick={() => forget.mutate()}>
            {words.remove}
          </Button>
        )}
        <Button look="lit" isBusy={keep.isPending} onClick={() => keep.mutate()}>
          {note ? words.keepAgain : words.keep}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Stores the session. Closing the dialog aborts the download and removes what it has added. */
function useKeeping({ keepable, open }: Order) {
  const queryClient = useQueryClient()
  const { data: user } = useCurrentUser()
  const [progress, setProgress] = useState<Progress | null>(null)
  const leaving = useRef<AbortController | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.kept.all })
  const keep = useMutation({
    mutationFn: async (): Promise<Refusal | null> => {
      const signal = leaving.current?.signal
      if (!user || !signal) return 'away'
      const opened = await open()
      const access = { seed: '', headers: {}, exit: '', isVisitor: false }
      const playlist = playlistOf(opened, access)
      const onProgress = setProgress
      return await keepSession({ keepable, opened, playlist, user, signal, onProgress })
    },
    onSettled: async () => {
      setProgress(null)
      await refresh()
    },
  })
  const forget = useMutation({
    mutationFn: () => forgetSession(keepable.cacheName),
    onSettled: async () => {
      keep.reset()
      await refresh()
    },
  })
  return { keep, forget, progress }
}
