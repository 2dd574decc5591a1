/** The settings of a session that is there, in a dialog. */
import { type FormEvent, useState } from 'react'
import { explain } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAgeGate } from '../accounts/use-age-gate.tsx'
import { type Session, type SessionChange, useEditSession } from './session-data.ts'
import { type SessionSettings, SettingsFields } from './settings-fields.tsx'
import { SubfeedField } from './subfeed-field.tsx'
import { TitleField } from './title-field.tsx'

export function EditSettings({ session, onClose }: { session: Session; onClose: () => void }) {
  const [title, setTitle] = useState(session.title)
  const [subfeeds, setSubfeeds] = useState([...session.subfeeds])
  const [settings, setSettings] = useState<SessionSettings>(session)
  const edit = useEditSession(session.id)
  const age = useAgeGate()
  const isFed = !session.isImported && session.subfeeds.length > 0
  const lacksSubfeeds = isFed && subfeeds.length === 0

  function send(event: FormEvent) {
    event.preventDefault()
    if (title.trim() === '' || lacksSubfeeds) return
    edit.mutate(
      { title: title.trim(), ...changeOf(settings, session), ...refillOf(subfeeds, session) },
      {
        onSuccess: () => {
          showToast({ text: 'The settings are kept.' })
          onClose()
        },
      },
    )
  }

  return (
    <Dialog title="Settings" onClose={onClose} width="wide">
      <form noValidate onSubmit={send} className="grid gap-5">
        <TitleField
          value={title}
          onChange={setTitle}
          complaint={title.trim() === '' ? 'Give it a title.' : null}
        />
        {isFed && (
          <SubfeedField
            chosen={subfeeds}
            onChange={setSubfeeds}
            title={title}
            complaint={lacksSubfeeds ? 'Name at least one subfeed.' : null}
            help="Other subfeeds fill the session again."
          />
        )}
        <SettingsFields
          settings={settings}
          onChange={(part) => setSettings((settings) => ({ ...settings, ...part }))}
          confirmAge={age.confirm}
          isAgeVerified={age.isVerified}
          hasOwnWords={session.isImported}
        />
        <Failure text={edit.error && explain(edit.error)} />
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="lit" isBusy={edit.isPending}>
            Keep settings
          </Button>
        </DialogActions>
      </form>
      {age.dialog}
    </Dialog>
  )
}

/** A session that came whole from elsewhere refuses to have its words changed. */
function changeOf(settings: SessionSettings, session: Session): SessionChange {
  const { intervalMin, intervalMax, transition, tags, isManualMode, categoryId } = settings
  const { captionTheme, aiPrompt } = settings
  return {
    intervalMin,
    intervalMax,
    transition,
    tags: [...tags],
    isManualMode,
    ...(categoryId === session.categoryId ? {} : { categoryId }),
    ...(session.isImported ? {} : { captionTheme, aiPrompt }),
  }
}

/** Sent only when they differ: whatever is sent fills the session again. */
function refillOf(subfeeds: readonly string[], session: Session): SessionChange {
  const isSame = subfeeds.join() === session.subfeeds.join()
  return isSame || subfeeds.length === 0 ? {} : { subfeeds: subfeeds.join(',') }
}
