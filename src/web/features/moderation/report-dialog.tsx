/** Tells the people who run this site what should not be shown, and why. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client, explain } from '../../api.ts'
import { valuesOf } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'

type Report = Parameters<typeof client.moderation.report>[0]['body']
type Reason = Report['reason']

export type ReportTarget =
  | {
      readonly targetType: 'community_media' | 'community_session'
      readonly targetId: number
    }
  | { readonly targetType: 'shared_media' | 'shared_session'; readonly shareCode: string }

const reasons: readonly { value: Reason; label: string }[] = [
  { value: 'non_consensual', label: 'Someone in it has not agreed' },
  { value: 'minor', label: 'It shows a minor' },
  { value: 'copyright', label: 'It is someone else’s work' },
  { value: 'illegal', label: 'It is against the law' },
  { value: 'other', label: 'Something else' },
]

export function ReportDialog({ target, onClose }: { target: ReportTarget; onClose: () => void }) {
  const [reason, setReason] = useState<Reason>('non_consensual')
  const send = useMutation({ mutationFn: (body: Report) => client.moderation.report({ body }) })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    event.stopPropagation()
    const valueOf = valuesOf(event.currentTarget)
    const details = valueOf('details')
    const contact = valueOf('contact').trim()
    send.mutate({ ...target, reason, details, ...(contact === '' ? {} : { contact }) })
  }

  if (send.isSuccess)
    return (
      <Dialog title="Thank you" onClose={onClose}>
        <p className="text-ink-2">
          The report is with the people who run this site. What concerns consent or minors is hidden
          from now on, until they have decided.
        </p>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog title="What is wrong with it?" onClose={onClose}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <Select label="Reason" options={reasons} value={reason} onChoose={setReason} />
        <TextArea label="What should we know? (optional)" name="details" maxLength={2000} />
        <Field
          label="How to reach you (optional)"
          name="contact"
          maxLength={320}
          autoComplete="email"
          help="Only for questions about this report."
          complaint="At most 320 characters."
        />
        <Failure text={send.error && explain(send.error)} />
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="danger" isBusy={send.isPending}>
            Send report
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
