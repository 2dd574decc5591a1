/** Asks before a session is deleted, and names the consequences. */
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { type Session, useDeleteSession } from './session-data.ts'
import { words } from './words.ts'

export function DeleteSession({
  session,
  onClose,
  onDeleted,
}: {
  session: Session
  onClose: () => void
  onDeleted?: () => void
}) {
  const deleteSession = useDeleteSession()
  return (
    <ConfirmDialog
      question={words.deleteTitle({ title: session.title })}
      consequence={words.deleteConsequence({ count: session.mediaCount })}
      keep={words.keepIt}
      action={words.deleteSession}
      run={async () => {
        await deleteSession(session)
        onDeleted?.()
      }}
      onClose={onClose}
    />
  )
}
