/** Who can play a link, how long it lives, whether it asks for a password: as it is, and as it is to be. */
import { Lock, LockOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import type { Session } from '../sessions/session-data.ts'
import type { LimitChange, Share } from './share-change.ts'
import { accessOf, hasEnded, lifetimeOf } from './share-change.ts'

type LimitsProps = {
  session: Session
  share: Share | null
  change: LimitChange
  onChange: (change: LimitChange) => void
}

const audiences = [
  { value: 'anyone', label: 'Anyone with the link' },
  { value: 'members', label: 'People with an account' },
] as const

const spans = [
  { value: '1', label: 'One day from now' },
  { value: '7', label: 'One week from now' },
  { value: '30', label: '30 days from now' },
] as const

export function ShareLimits(props: LimitsProps) {
  const { session, share, change, onChange } = props
  const access = accessOf(share, change, session)
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <div className="grid gap-1.5 sm:col-span-2">
        <Select
          label="Who can play it"
          options={audiences}
          value={access}
          onChoose={(chosen) => onChange({ ...change, access: chosen })}
        />
        {session.nsfw && access === 'anyone' && (
          <p className="text-xs text-ink-3">
            Adult slides stay hidden from everyone without an account.
          </p>
        )}
      </div>
      <Select
        label="The link works"
        options={lifetimesOf(share)}
        value={lifetimeOf(share, change)}
        onChoose={(lifetime) => onChange({ ...change, lifetime })}
      />
      <PasswordLimit {...props} />
    </div>
  )
}

function PasswordLimit({ share, change, onChange }: LimitsProps) {
  const { password, ...others } = change
  const hasPassword = share?.hasPassword === true
  if (hasPassword && password === undefined)
    return (
      <PasswordState icon={<Lock size={16} aria-hidden="true" />} words="A password is needed">
        <Choice word="Change" onClick={() => onChange({ ...others, password: '' })} />
        <Choice word="Remove" onClick={() => onChange({ ...others, password: null })} />
      </PasswordState>
    )
  if (hasPassword && password === null)
    return (
      <PasswordState icon={<LockOpen size={16} aria-hidden="true" />} words="It will be removed">
        <Choice word="Keep" onClick={() => onChange(others)} />
      </PasswordState>
    )
  return (
    <Field
      label={hasPassword ? 'New password' : 'Password (optional)'}
      name="sharePassword"
      type="password"
      autoComplete="off"
      maxLength={200}
      value={password ?? ''}
      onChange={(event) => onChange({ ...others, password: event.currentTarget.value })}
      complaint="A password has at most 200 characters."
      {...(hasPassword ? { help: 'Left empty, the old one stays.' } : {})}
    />
  )
}

function PasswordState({
  icon,
  words,
  children,
}: {
  icon: ReactNode
  words: string
  children: ReactNode
}) {
  return (
    <div className="grid content-start gap-1.5">
      <p className="text-sm font-[560]">Password</p>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-2">
        <p className="flex items-center gap-2 text-ink-2">
          {icon}
          {words}
        </p>
        <div className="-mx-2.5 flex">{children}</div>
      </div>
    </div>
  )
}

function Choice({ word, onClick }: { word: string; onClick: () => void }) {
  return (
    <Button look="bare" size="small" aria-label={`${word} the password`} onClick={onClick}>
      {word}
    </Button>
  )
}

/** What a link has is offered first; an ended one has nothing that could stay. */
function lifetimesOf(share: Share | null) {
  const forever = 'Until it is stopped'
  const end = share?.expiresAt ?? null
  if (share && hasEnded(share)) return [{ value: 'forever', label: forever }, ...spans] as const
  if (end === null) return [{ value: 'keep', label: forever }, ...spans] as const
  return [
    { value: 'keep', label: `Until ${dayAndTime(end)}` },
    ...spans,
    { value: 'forever', label: forever },
  ] as const
}

function dayAndTime(at: string): string {
  return new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  })
}
