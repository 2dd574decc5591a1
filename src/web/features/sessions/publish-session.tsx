/** Publishes a session to the community, or withdraws it. */
import { useState } from 'react'
import { codeOf, explain } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Switch } from '../../ui/switch.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAgeGate } from '../accounts/use-age-gate.tsx'
import { type Session, useEditSession } from './session-data.ts'
import { makingWords } from './making-words.ts'

export function PublishSession({ session, onClose }: { session: Session; onClose: () => void }) {
  const [isAdult, setIsAdult] = useState(session.nsfw)
  const edit = useEditSession(session.id)
  const age = useAgeGate()
  const { shareToCommunity: isPublished } = session

  async function publish() {
    if (isAdult && !age.isVerified && !(await age.confirm())) return
    edit.mutate(
      { shareToCommunity: true, nsfw: isAdult },
      {
        onSuccess: () => {
          showToast({ text: makingWords.publishing })
          onClose()
        },
        // The server may find adult slides although the switch is off.
        onError: (error) => {
          if (codeOf(error) === 'AGE_VERIFICATION_REQUIRED') void age.confirm()
        },
      },
    )
  }

  function withdraw() {
    edit.mutate(
      { shareToCommunity: false },
      {
        onSuccess: () => {
          showToast({ text: makingWords.withdrawn })
          onClose()
        },
      },
    )
  }

  return (
    <Dialog
      title={isPublished ? makingWords.askWithdraw : makingWords.askPublish}
      onClose={onClose}
    >
      <p className="text-ink-2">
        {isPublished ? makingWords.withdrawConsequence : makingWords.publishConsequence}
      </p>
      {!isPublished && (
        <Switch
          label={makingWords.forAdultsOnly}
          help={makingWords.forAdultsOnlyHelp}
          isOn={isAdult}
          onSwitch={setIsAdult}
        />
      )}
      <Failure text={edit.error && explain(edit.error)} />
      <DialogActions>
        <Button look="bare" onClick={onClose}>
          {isPublished ? makingWords.leaveThere : makingWords.notNow}
        </Button>
        {isPublished ? (
          <Button look="danger" isBusy={edit.isPending} onClick={withdraw}>
            {makingWords.withdraw}
          </Button>
        ) : (
          <Button look="lit" isBusy={edit.isPending} onClick={() => void publish()}>
            {makingWords.publish}
          </Button>
        )}
      </DialogActions>
      {age.dialog}
    </Dialog>
  )
}
