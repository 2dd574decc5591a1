/** Puts a session into the community, or takes it back. */
import { useState } from 'react'
import { codeOf, explain } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Switch } from '../../ui/switch.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAgeGate } from '../accounts/use-age-gate.tsx'
import { type Session, useEditSession } from './session-data.ts'

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
          showToast({ text: 'It is on its way to the community.' })
          onClose()
        },
        // The server may know of adult slides that the switch does not speak of.
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
          showToast({ text: 'It has left the community.' })
          onClose()
        },
      },
    )
  }

  return (
    <Dialog
      title={isPublished ? 'Take it out of the community?' : 'Publish to the community?'}
      onClose={onClose}
    >
      <p className="text-ink-2">
        {isPublished
          ? 'Nobody can find or save it there any more. Copies that others have saved stay theirs.'
          : 'Everyone here can watch it and save a copy. The pictures are copied as they are now, so they stay even if their sources vanish.'}
      </p>
      {!isPublished && (
        <Switch
          label="For adults only"
          help="Shown to people whose age is confirmed."
          isOn={isAdult}
          onSwitch={setIsAdult}
        />
      )}
      <Failure text={edit.error && explain(edit.error)} />
      <DialogActions>
        <Button look="bare" onClick={onClose}>
          {isPublished ? 'Leave it there' : 'Not now'}
        </Button>
        {isPublished ? (
          <Button look="danger" isBusy={edit.isPending} onClick={withdraw}>
            Take it out
          </Button>
        ) : (
          <Button look="lit" isBusy={edit.isPending} onClick={() => void publish()}>
            Publish
          </Button>
        )}
      </DialogActions>
      {age.dialog}
    </Dialog>
  )
}
