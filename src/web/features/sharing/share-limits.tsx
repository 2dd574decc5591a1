/** How long a link lives, and whether it asks for a password. */
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'

/** Days of zero, and an empty password, mean none. */
export type Limits = { readonly days: number; readonly password: string }

export const noLimits: Limits = { days: 0, password: '' }

const lifetimes = [
  { value: '0', label: 'Until it is stopped' },
  { value: '1', label: 'One day' },
  { value: '7', label: 'One week' },
  { value: '30', label: '30 days' },
] as const

export function ShareLimits({
  limits,
  onChange,
}: {
  limits: Limits
  onChange: (limits: Limits) => void
}) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="The link works"
        options={lifetimes}
        value={lifetimes.find(({ value }) => Number(value) === limits.days)?.value ?? '0'}
        onChoose={(days) => onChange({ ...limits, days: Number(days) })}
      />
      <Field
        label="Password (optional)"
        name="sharePassword"
        type="password"
        autoComplete="off"
        maxLength={200}
        value={limits.password}
        onChange={(event) => onChange({ ...limits, password: event.currentTarget.value })}
        complaint="A password has at most 200 characters."
      />
    </div>
  )
}
