/** Asks before something is destroyed: the question, the consequence, and a button that keeps everything. */
import { useMutation } from '@tanstack/react-query'
import { explain } from '../api.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Failure } from './failure.tsx'

export function ConfirmDialog({
  question,
  consequence,
  keep,
  action,
  run,
  onClose,
}: {
  question: string
  consequence: string
  /** The safe answer, such as 'Keep it'. */
  keep: string
  action: string
  run: () => Promise<unknown>
  /** Called when the user declines, and after the action succeeded. */
  onClose: () => void
}) {
  const mutation = useMutation({ mutationFn: run, onSuccess: onClose })
  return (
    <Dialog title={question} onClose={onClose}>
      <p className="text-ink-2">{consequence}</p>
      <Failure text={mutation.error && explain(mutation.error)} />
      <DialogActions>
        <Button look="bare" onClick={onClose}>
          {keep}
        </Button>
        <Button look="danger" isBusy={mutation.isPending} onClick={() => mutation.mutate()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
