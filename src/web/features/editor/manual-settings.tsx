/** The playback settings of a session that is not created yet. They are sent with it. */
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useAgeGate } from '../accounts/use-age-gate.tsx'
import type { PreviewPicture } from '../sessions/pace-preview.tsx'
import type { SessionSettings } from '../sessions/session-settings.ts'
import { SettingsFields } from '../sessions/settings-fields.tsx'
import { words } from './words.ts'

export function ManualSettings({
  settings,
  pictures,
  onChange,
  onClose,
}: {
  settings: SessionSettings
  pictures: readonly PreviewPicture[]
  onChange: (part: Partial<SessionSettings>) => void
  onClose: () => void
}) {
  const age = useAgeGate()
  return (
    <Dialog title={words.settings} onClose={onClose} width="wide">
      <div className="grid gap-5">
        <SettingsFields
          settings={settings}
          onChange={onChange}
          age={age}
          isByHand
          pictures={pictures}
        />
      </div>
      <DialogActions>
        <Button look="lit" onClick={onClose}>
          {words.done}
        </Button>
      </DialogActions>
      {age.dialog}
    </Dialog>
  )
}
