/** The second factor: turned on with an authenticator app, and off with the password. */
import { useState } from 'react'
import { lazyPart } from '../../parts.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { DialogPart } from '../../ui/dialog-part.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'
import { words } from './sign-in-method-words.ts'

const dialogs = () => import('./second-factor-dialogs.tsx')
const SetUpDialog = lazyPart(async () => (await dialogs()).SetUpDialog)
const TurnOffDialog = lazyPart(async () => (await dialogs()).TurnOffDialog)

export function SecondFactorPanel() {
  const { data: user } = useCurrentUser()
  const [asked, setAsked] = useState<'on' | 'off' | null>(null)
  if (!user || (!user.hasPassword && !user.hasSecondFactor)) return null
  const close = () => setAsked(null)
  return (
    <Panel title={words.secondFactor}>
      <p className="text-sm text-ink-2">
        {user.hasSecondFactor ? words.secondFactorOn : words.secondFactorOff}
      </p>
      <Button
        look="line"
        className="mt-4"
        onClick={() => setAsked(user.hasSecondFactor ? 'off' : 'on')}
      >
        {user.hasSecondFactor ? words.turnOff : words.turnOn}
      </Button>
      <DialogPart>
        {asked === 'on' && <SetUpDialog onClose={close} />}
        {asked === 'off' && <TurnOffDialog hasPassword={user.hasPassword} onClose={close} />}
      </DialogPart>
    </Panel>
  )
}
