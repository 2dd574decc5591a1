/** Reports content to the operators of this site, with a reason. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { client, explain } from '../../../api.ts'
import { valuesOf } from '../../../form-values.ts'
import { keys } from '../../../query-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Field, TextArea } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { words as uiWords } from '../../../ui/words.ts'
import { words } from './words.ts'

type Report = Parameters<typeof client.moderation.report>[0]['body']
type Reason = Report['reason']

export type ReportTarget =
  | {
      readonly targetType: 'community_media' | 'community_session'
      readonly targetId: number
    }
  | { readonly targetType: 'shared_media' | 'shared_session' | 'room'; readonly shareCode: string }

/** No reason is preselected: two of them hide the content immediately. */
const reasons: readonly { value: Reason | ''; label: string }[] = [
  { value: '', label: words.chooseReason },
  { value: 'non_consensual', label: words.reasons.nonConsensual },
  { value: 'minor', label: words.reasons.minor },
  { value: 'copyright', label: words.reasons.copyright },
  { value: 'illegal', label: words.reasons.illegal },
  { value: 'other', label: words.reasons.somethingElse },
]

const urgentReasons: ReadonlySet<string> = new Set<Reason>(['non_consensual', 'minor'])

const maxContactCharacters = 320

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
    <Dialog title={words.whatIsWrong} onClose={onClose}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <div className="grid gap-1.5">
          <Select label={words.reason} options={reasons} value={reason} onChoose={setReason} />
          <output className="text-sm text-ink-2 empty:hidden">
            {isUrgent && words.hidesAtOnce}
          </output>
        </div>
        <TextArea label={words.details} name="details" maxLength={2000} />
        <Field
          label={words.contact}
          name="contact"
          maxLength={maxContactCharacters}
          autoComplete="email"
          help={words.contactHelp}
          complaint={words.contactTooLong({ max: maxContactCharacters })}
        />
        <Failure
          text={isAsked && reason === '' ? words.reasonMissing : send.error && explain(send.error)}
        />
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" look="danger" isBusy={send.isPending}>
            {words.send}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Thanks({ isHidden, onClose }: { isHidden: boolean; onClose: () => void }) {
  return (
    <Dialog title={words.thanks} onClose={onClose}>
      <p className="text-ink-2">{isHidden ? words.sentAndHidden : words.sent}</p>
      <DialogActions>
        <Button onClick={onClose}>{uiWords.close}</Button>
      </DialogActions>
    </Dialog>
  )
}

/** Returns a function that leaves the hidden content: it reloads the lists, which no longer contain it. */
function useLeaving(target: ReportTarget): () => void {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  return () => {
    if (target.targetType === 'community_session') {
      navigate('/community', { replace: true })
      queryClient.removeQueries({ queryKey: keys.communitySession(target.targetId) })
    }
    void queryClient.resetQueries({ queryKey: shownAs[target.targetType] })
  }
}

/** The query keys of pages and lists that show each kind of target. */
const shownAs: Record<ReportTarget['targetType'], readonly string[]> = {
  community_media: keys.community.all,
  community_session: keys.community.all,
  shared_media: keys.sharedMedia.all,
  shared_session: keys.sharedSession.all,
  room: keys.rooms.all,
}
