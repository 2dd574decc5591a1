/** Creates an API key with scopes and shows it once. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { KeyScope } from '../../../contract/key-scopes.ts'
import { client } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useReauthentication } from './reauthentication.tsx'
import { words } from './sign-in-method-words.ts'

const scopes: readonly KeyScope[] = [
  'sessions:read',
  'sessions:write',
  'media:read',
  'media:write',
  'community:read',
  'rooms',
]

const dayMs = 24 * 3600 * 1000
const lifetimeDays = { never: null, month: 30, quarter: 90, year: 365 } as const
type Ending = keyof typeof lifetimeDays
const endings = (['never', 'month', 'quarter', 'year'] as const).map((value) => ({
  value,
  label: words.endings[value],
}))

export function MakeKeyDialog({
  onMade,
  onClose,
}: {
  onMade: () => Promise<void>
  onClose: () => void
}) {
  const [chosen, setChosen] = useState<readonly KeyScope[]>(['sessions:read'])
  const [ending, setEnding] = useState<Ending>('never')
  const [isScopeMissing, setIsScopeMissing] = useState(false)
  const reauthentication = useReauthentication()
  const make = useMutation({
    mutationFn: (form: HTMLFormElement) => {
      const name = valuesOf(form)('name').trim()
      const proof = reauthentication.proofIn(form)
      const body = { name, scopes: [...chosen], ...expiryOf(ending), ...proof }
      return client.keys.create({ body })
    },
    onSuccess: onMade,
    onError: reauthentication.onError,
    gcTime: 0,
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    setIsScopeMissing(chosen.length === 0)
    if (make.isPending || !isValid(form) || chosen.length === 0) return
    make.mutate(form)
  }
  if (make.isSuccess) return <MadeKey secret={make.data.key} onClose={onClose} />
  return (
    <Dialog title={words.makeKey} onClose={onClose}>
      <form noValidate onSubmit={send} className="grid gap-4">
        <Field
          label={words.name}
          name="name"
          autoComplete="off"
          required
          maxLength={100}
          pattern=".*\S.*"
          help={words.keyNameHelp}
          complaint={words.enterAName}
        />
        <fieldset>
          <legend className="text-sm font-[560]">{words.scopes}</legend>
          {scopes.map((scope) => (
            <Switch
              key={scope}
              label={words.scopeNames[scope]}
              isOn={chosen.includes(scope)}
              onSwitch={(isOn) =>
                setChosen(isOn ? [...chosen, scope] : chosen.filter((other) => other !== scope))
              }
            />
          ))}
        </fieldset>
        <Select label={words.ends} options={endings} value={ending} onChoose={setEnding} />
        {reauthentication.field}
        <Failure text={isScopeMissing ? words.chooseScope : reauthentication.explain(make.error)} />
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" look="lit" isBusy={make.isPending}>
            {words.makeKey}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function MadeKey({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title={words.keyMade} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-ink-2">{words.keyShownOnce}</p>
        <CopyField label={words.keyMade} copyLabel={words.copyKey} text={secret} />
        <DialogActions>
          <Button look="lit" onClick={onClose}>
            {words.done}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

function expiryOf(ending: Ending): { expiresAt?: string } {
  const days = lifetimeDays[ending]
  return days === null ? {} : { expiresAt: new Date(Date.now() + days * dayMs).toISOString() }
}
