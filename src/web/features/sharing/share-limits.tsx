/** The limits of a link: who can play it, its lifetime, its password. */
import { Lock, LockOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { formatDayMonthTime } from '../../words/figures.ts'
import type { Session } from '../sessions/session-data.ts'
import type { LimitChange, Share } from './share-change.ts'
import { accessOf, hasEnded, lifetimeOf } from './share-change.ts'
import { words } from './share-words.ts'

type LimitsProps = {
  session: Session
  share: Share | null
  change: LimitChange
  onChange: (change: LimitChange) => void
}

const audiences = [
  { value: 'anyone', label: words.audiences.anyone },
  { value: 'members', label: words.audiences.members },
] as const

const spans = [
  { value: '1', label: words.oneDay },
  { value: '7', label: words.oneWeek },
  { value: '30', label: words.days({ count: 30 }) },
] as const

export function ShareLimits(props: LimitsProps) {
  const { session, share, change, onChange } = props
  const access = accessOf(share, change, session)
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <div className="grid gap-1.5 sm:col-span-2">
        <Select
          label={words.whoCanPlay}
          options={audiences}
          value={access}
          onChoose={(chosen) => onChange({ ...change, access: chosen })}
        />
        {session.nsfw && access === 'anyone' && (
          <p className="text-xs text-ink-3">{words.adultsHidden}</p>
        )}
      </div>
      <Select
        label={words.works}
        options={lifetimesOf(share)}
        value={lifetimeOf(share, change)}
        onChoose={(lifetime) => onChange({ ...change, lifetime })}
      />
      <PasswordLimit {...props} />
      <div className="sm:col-span-2">
        <Switch
          label={words.download}
          help={words.downloadHelp}
          isOn={change.download ?? share?.download ?? false}
          onSwitch={(download) => onChange({ ...change, download })}
        />
      </div>
    </div>
  )
}

function PasswordLimit({ share, change, onChange }: LimitsProps) {
  const { password, ...others } = change
  const hasPassword = share?.hasPassword === true
  if (hasPassword && password === undefined)
    return (
      <PasswordState icon={<Lock size={16} aria-hidden="true" />} text={words.passwordNeeded}>
        <Choice
          word={words.change}
          name={words.changePassword}
          onClick={() => onChange({ ...others, password: '' })}
        />
        <Choice
          word={words.remove}
          name={words.removePassword}
          onClick={() => onChange({ ...others, password: null })}
        />
      </PasswordState>
    )
  if (hasPassword && password === null)
    return (
      <PasswordState icon={<LockOpen size={16} aria-hidden="true" />} text={words.willBeRemoved}>
        <Choice word={words.keep} name={words.keepPassword} onClick={() => onChange(others)} />
      </PasswordState>
    )
  return (
    <Field
      label={hasPassword ? words.newPassword : words.passwordOptional}
      name="sharePassword"
      type="password"
      autoComplete="off"
      maxLength={200}
      value={password ?? ''}
      onChange={(event) => onChange({ ...others, password: event.currentTarget.value })}
      complaint={words.passwordTooLong}
      {...(hasPassword ? { help: words.emptyKeepsOld } : {})}
    />
  )
}

function PasswordState({
  icon,
  text,
  children,
}: {
  icon: ReactNode
  text: string
  children: ReactNode
}) {
  return (
    <div className="grid content-start gap-1.5">
      <p className="text-sm font-[560]">{words.password}</p>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-2">
        <p className="flex items-center gap-2 text-ink-2">
          {icon}
          {text}
        </p>
        <div className="-mx-2.5 flex">{children}</div>
      </div>
    </div>
  )
}

function Choice({ word, name, onClick }: { word: string; name: string; onClick: () => void }) {
  return (
    <Button look="bare" size="small" aria-label={name} onClick={onClick}>
      {word}
    </Button>
  )
}

/** Returns the options, the current one first. A link that has ended has no current one. */
function lifetimesOf(share: Share | null) {
  const forever = words.untilStopped
  const end = share?.expiresAt ?? null
  if (share && hasEnded(share)) return [{ value: 'forever', label: forever }, ...spans] as const
  if (end === null) return [{ value: 'keep', label: forever }, ...spans] as const
  return [
    { value: 'keep', label: words.until({ moment: formatDayMonthTime(new Date(end)) }) },
    ...spans,
    { value: 'forever', label: forever },
  ] as const
}
