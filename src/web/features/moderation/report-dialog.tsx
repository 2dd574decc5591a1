/** Tells the people who run this site what should not be shown, and why. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
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

/** Nothing is chosen for anyone: two of these hide at once what somebody made. */
const reasons: readonly { value: Reason | ''; label: string }[] = [
  { value: '', label: 'Choose a reason' },
  { value: 'non_consensual', label: 'Someone in it has not agreed' },
  { value: 'minor', label: 'It shows a minor' },
  { value: 'copyright', label: 'It is someone else’s work' },
  { value: 'illegal', label: 'It is against the law' },
  { value: 'other', label: 'Something else' },
]

const urgentReasons: ReadonlySet<string> = new Set<Reason>(['non_consensual', 'minor'])

export function ReportDialog({ target, onClose }: { target: ReportTarget; onClose: () => void }) {
  const [reason, setReason] = useState<Reason | ''>('')
  const [isAsked, setIsAsked] = useState(false)
  const send = useMutation({ mutationFn: (body: Report) => client.moderation.report({ body }) })
  const leave = useLeaving(target)
  const isUrgent = urgentReasons.has(reason)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    event.stopPropagation()
    setIsAsked(reason === '')
    if (reason === '' || send.isPending) return
    const valueOf = valuesOf(event.currentTarget)
    const details = valueOf('details')
    const contact = valueOf('contact').trim()
    send.mutate({ ...target, reason, details, ...(contact === '' ? {} : { contact }) })
  }

  if (send.isSuccess)
    return <Thanks isHidden={isUrgent} onClose={() => (isUrgent ? leave() : onClose())} />
  return (
    <Dialog title="What is wrong with it?" onClose={onClose}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <div className="grid gap-1.5">
          <Select label="Reason" options={reasons} value={reason} onChoose={setReason} />
          <output className="text-sm text-ink-2 empty:hidden">
            {isUrgent &&
              'Sending this hides it from everyone at once, until somebody has looked at it.'}
          </output>
        </div>
        <TextArea label="What should we know? (optional)" name="details" maxLength={2000} />
        <Field
          label="How to reach you (optional)"
          name="contact"
          maxLength={320}
          autoComplete="email"
          help="Only for questions about this report."
          complaint="At most 320 characters."
        />
        <Failure
          text={
            isAsked && reason === '' ? 'Choose a reason first.' : send.error && explain(send.error)
          }
        />
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

function Thanks({ isHidden, onClose }: { isHidden: boolean; onClose: () => void }) {
  return (
    <Dialog title="Thank you" onClose={onClose}>
      <p className="text-ink-2">
        The report is with the people who run this site.
        {isHidden && ' What you reported is hidden from now on, until they have decided.'}
      </p>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

/** Away from what is hidden now: its page and its lists are asked for anew, and no longer have it. */
function useLeaving(target: ReportTarget): () => void {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  return () => {
    if (target.targetType === 'community_session') {
      navigate('/community', { replace: true })
      queryClient.removeQueries({ queryKey: ['community-session', String(target.targetId)] })
    }
    void queryClient.resetQueries({ queryKey: [shownAs[target.targetType]] })
  }
}

/** What pages and lists keep it under. */
const shownAs: Record<ReportTarget['targetType'], string> = {
  community_media: 'community',
  community_session: 'community',
  shared_media: 'shared-media',
  shared_session: 'shared',
}
