/** The dialog with the settings of an existing session. */
import { type FormEvent, useEffect, useState } from 'react'
import { explain } from '../../api.ts'
import { guardBack } from '../../back-guard.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAgeGate } from '../accounts/use-age-gate.tsx'
import { type Session, type SessionChange, useEditSession } from './session-data.ts'
import type { PreviewPicture } from './pace-preview.tsx'
import type { SessionSettings } from './session-settings.ts'
import { SettingsFields } from './settings-fields.tsx'
import { SubfeedField, subfeedsName } from './subfeed-field.tsx'
import { TitleField } from './title-field.tsx'
import { makingWords } from './making-words.ts'
import { words } from './words.ts'

export function EditSettings({
  session,
  pictures,
  onSaved,
  onClose,
}: {
  session: Session
  /** The session's own pictures, for the preview of the transition. */
  pictures?: readonly PreviewPicture[]
  onSaved?: (session: Session) => void
  onClose: () => void
}) {
  const [title, setTitle] = useState(session.title)
  const [subfeeds, setSubfeeds] = useState([...session.subfeeds])
  const [settings, setSettings] = useState<SessionSettings>(session)
  const edit = useEditSession(session.id)
  const age = useAgeGate()
  const isFed = !session.isImported && session.subfeeds.length > 0
  const written = JSON.stringify({ title, subfeeds, settings })
  const [writtenAtFirst] = useState(written)
  const [isAsking, setIsAsking] = useState(false)
  const leave = () => (written === writtenAtFirst ? onClose() : setIsAsking(true))
  // On a phone the sheet looks like a page, so the back button closes the sheet.
  useEffect(() => {
    const here = window.location.pathname + window.location.search
    return guardBack(() => {
      // The browser has already gone back. Push the page's address again.
      window.history.pushState(null, '', here)
      leave()
      return true
    })
  })

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!isValid(form)) return
    const names = valuesOf(form)(subfeedsName)
    edit.mutate(
      { title: title.trim(), ...changeOf(settings, session), ...refillOf(names, session) },
      {
        onSuccess: (changed) => {
          onSaved?.(changed)
          showToast({ text: makingWords.settingsKept })
          onClose()
        },
      },
    )
  }

  return (
    <Dialog title={words.settings} onClose={leave} width="wide">
      <form noValidate onSubmit={send} className="grid gap-5">
        <TitleField value={title} onChange={setTitle} />
        {isFed && (
          <SubfeedField
            chosen={subfeeds}
            onChange={setSubfeeds}
            title={title}
            help={makingWords.otherSubfeedsHelp}
          />
        )}
        <SettingsFields
          settings={settings}
          onChange={(part) => setSettings((settings) => ({ ...settings, ...part }))}
          age={age}
          hasOwnWords={session.isImported}
          isByHand={session.subfeeds.length === 0}
          {...(pictures ? { pictures } : {})}
        />
        <Failure text={edit.error && explain(edit.error)} />
        <DialogActions>
          <Button look="bare" onClick={leave}>
            {makingWords.cancel}
          </Button>
          <Button type="submit" look="lit" isBusy={edit.isPending}>
            {makingWords.keepSettings}
          </Button>
        </DialogActions>
      </form>
      {age.dialog}
      {isAsking && (
        <ConfirmDialog
          question={makingWords.askDiscard}
          consequence={makingWords.discardConsequence}
          keep={makingWords.keepEditing}
          action={makingWords.discard}
          run={async () => onClose()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Dialog>
  )
}

/** The server rejects a change of the captions' voice for an imported session. */
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

/** Sends the feeds only when they differ: any value starts a new fill. */
function refillOf(subfeeds: string, session: Session): SessionChange {
  return subfeeds === '' || subfeeds === session.subfeeds.join() ? {} : { subfeeds }
}
