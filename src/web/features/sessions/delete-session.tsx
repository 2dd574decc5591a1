/** Asks before a session is deleted, and says what goes with it. */
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { countSlides, type Session, useDeleteSession } from './session-data.ts'

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
      question={`Delete “${session.title}”?`}
      consequence={`Its ${countSlides(session.mediaCount)} and its share link go with it. Pictures from your vault stay there.`}
      keep="Keep it"
      action="Delete session"
      run={async () => {
        await deleteSession(session)
        onDeleted?.()
      }}
      onClose={onClose}
    />
  )
}
