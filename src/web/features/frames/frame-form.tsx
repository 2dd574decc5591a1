/** The form of a frame: its name, its sessions and its settings. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { transitions } from '../../../contract/transitions.ts'
import { client, explain } from '../../api.ts'
import { isValid } from '../../form-values.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field, FieldLabel } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'
import type { Session } from '../sessions/session-data.ts'
import { words as sessionWords } from '../sessions/words.ts'
import type { Frame, FrameSettings, NewFrame } from './frames-client.ts'
import { words } from './words.ts'

const nameLength = 60
const maxSessions = 20
const listedSessions = 50

type Draft = Omit<NewFrame, 'settings'> & { readonly settings: FrameSettings }

export function FrameForm({
  session,
  frame,
  isBusy,
  error,
  onSave,
  onCancel,
}: {
  session: Session
  /** Null for a new frame. */
  frame: Frame | null
  isBusy: boolean
  error: unknown
  onSave: (body: NewFrame) => void
  onCancel: () => void
}) {
  const [draft, setDraft] = useState<Draft>(() => frame ?? draftFor(session))
  const { data: user } = useCurrentUser()
  const { settings } = draft
  const set = (change: Partial<FrameSettings>) =>
    setDraft({ ...draft, settings: { ...settings, ...change } })
  const hasQuietHours = settings.quietFrom !== null && settings.quietTo !== null

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isValid(event.currentTarget)) return
    const { name, sessionIds, nsfw } = draft
    onSave({ name, sessionIds, nsfw, settings })
  }

  return (
    <form className="grid gap-4" noValidate onSubmit={send}>
      <Field
        label={words.name}
        name="name"
        complaint={words.nameMissing}
        help={words.nameHelp}
        placeholder={words.nameExample}
        required
        maxLength={nameLength}
        value={draft.name}
        onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={words.interval}
          name="interval"
          type="number"
          inputMode="numeric"
          complaint={words.intervalWrong}
          required
          min={3}
          max={3600}
          step={1}
          value={settings.intervalSeconds || ''}
          onChange={(event) => set({ intervalSeconds: Number(event.currentTarget.value) })}
        />
        <Select
          label={words.transition}
          options={transitions.map((value) => ({ value, label: sessionWords.transitions[value] }))}
          value={settings.transition}
          onChoose={(transition) => set({ transition })}
        />
      </div>
      <div className="grid divide-y divide-hairline">
        <Switch label={words.clock} isOn={settings.clock} onSwitch={(clock) => set({ clock })} />
        <Switch
          label={words.captions}
          isOn={settings.captions}
          onSwitch={(captions) => set({ captions })}
        />
        <Switch
          label={words.shuffle}
          isOn={settings.shuffle}
          onSwitch={(shuffle) => set({ shuffle })}
        />
        {user?.ageVerified && (
          <Switch
            label={words.adult}
            help={words.adultHelp}
            isOn={draft.nsfw ?? false}
            onSwitch={(nsfw) => setDraft({ ...draft, nsfw })}
          />
        )}
        <Switch
          label={words.quiet}
          help={words.quietHelp({ timeZone: settings.timeZone })}
          isOn={hasQuietHours}
          onSwitch={(isOn) =>
            set(
              isOn ? { quietFrom: '22:00', quietTo: '07:00' } : { quietFrom: null, quietTo: null },
            )
          }
        />
      </div>
      {hasQuietHours && (
        <div className="grid grid-cols-2 gap-4">
          <Hour
            label={words.quietFrom}
            value={settings.quietFrom}
            onChange={(quietFrom) => set({ quietFrom })}
          />
          <Hour
            label={words.quietTo}
            value={settings.quietTo}
            onChange={(quietTo) => set({ quietTo })}
          />
        </div>
      )}
      <Sessions
        session={session}
        chosen={draft.sessionIds}
        onChoose={(sessionIds) => setDraft({ ...draft, sessionIds })}
      />
      <Failure text={error ? explain(error) : null} />
      <DialogActions>
        <Button look="bare" onClick={onCancel}>
          {words.cancel}
        </Button>
        <Button look="lit" type="submit" isBusy={isBusy}>
          {frame ? words.save : words.make}
        </Button>
      </DialogActions>
    </form>
  )
}

function Hour({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | null
  onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <input
        id={id}
        type="time"
        required
        className="field w-full text-base"
        value={value ?? ''}
        // A partly typed time has an empty value.
        onChange={({ currentTarget }) => currentTarget.value && onChange(currentTarget.value)}
      />
    </div>
  )
}

/** The sessions in the order of choice. The session whose page opened the form is always included. */
function Sessions({
  session,
  chosen,
  onChoose,
}: {
  session: Session
  chosen: readonly number[]
  onChoose: (ids: number[]) => void
}) {
  const { data: sessions = [session] } = useQuery({
    queryKey: keys.sessions.toChoose,
    queryFn: () => client.sessions.list({ query: { limit: String(listedSessions) } }),
  })
  const others = sessions.filter(({ id, mediaCount }) => id !== session.id && mediaCount > 0)
  if (others.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-[560]">{words.others}</legend>
      <ul className="max-h-48 overflow-y-auto rounded-control border border-hairline px-3 py-1">
        {[session, ...others].map(({ id, title }) => {
          const isChosen = chosen.includes(id)
          const isFixed = id === session.id || (!isChosen && chosen.length >= maxSessions)
          return (
            <li key={id}>
              <label className="flex min-h-10 items-center gap-3">
                <input
                  type="checkbox"
                  checked={isChosen}
                  disabled={isFixed}
                  onChange={() =>
                    onChoose(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])
                  }
                />
                <bdi className="min-w-0 truncate">{title}</bdi>
              </label>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

function draftFor(session: Session): Draft {
  return {
    name: '',
    sessionIds: [session.id],
    nsfw: false,
    settings: {
      intervalSeconds: 20,
      transition: session.transition,
      captions: true,
      clock: true,
      quietFrom: null,
      quietTo: null,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      shuffle: false,
    },
  }
}
