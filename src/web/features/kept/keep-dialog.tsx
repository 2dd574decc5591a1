/** Keeps a session on this device, so that it plays without a network; and gives its space back. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { formatSize } from '../../words/figures.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { playlistOf } from '../player/playlist.ts'
import type { Session } from '../sessions/session-data.ts'
import { forgetSession, keepSession, keptKey, listKept, type Progress } from './kept-sessions.ts'
import { words } from './words.ts'

export function KeepDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { data: user } = useCurrentUser()
  const { data: kept } = useQuery({ queryKey: keptKey, queryFn: listKept, staleTime: 0 })
  const [progress, setProgress] = useState<Progress | null>(null)
  const refresh = () => queryClient.invalidateQueries({ queryKey: keptKey })
  const note = kept?.find(({ id }) => id === session.id)
  const keep = useMutation({
    mutationFn: async () => {
      const id = String(session.id)
      const opened = await client.sessions.read({ params: { id } })
      const access = { seed: '', headers: {}, exit: '', isVisitor: false }
      const playlist = playlistOf(opened, access)
      if (!user || !(await keepSession({ session, playlist, user }, setProgress)))
        throw new Error('nothing is kept')
    },
    onSettled: async () => {
      setProgress(null)
      await refresh()
    },
  })
  const forget = useMutation({ mutationFn: () => forgetSession(session.id), onSettled: refresh })
  return (
    <Dialog title={words.keepTitle({ title: session.title })} onClose={onClose}>
      <p className="text-ink-2">
        {note ? words.isKept({ size: formatSize(note.bytes) }) : words.introduction}
      </p>
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
      <Failure text={keep.isError ? words.notKept : null} />
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
