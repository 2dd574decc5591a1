/** The dialog in which administrators change a user: role, plan, state, credits. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { tiers } from '../../../contract/tiers.ts'
import { client, explain } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { keys } from '../../query-keys.ts'
import { useHasCredits, useTierName } from '../../site.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useCurrentUser, useRefreshUser } from '../accounts/current-user.ts'
import { words } from './user-words.ts'
import { words as adminWords } from './words.ts'

export type AdminUser = Awaited<ReturnType<typeof client.admin.users>>['items'][number]

const roles = (['user', 'admin', 'super_admin'] as const).map((value) => ({
  value,
  label: words.roles[value],
}))

export function userName({ firstName, lastName, email }: AdminUser): string {
  const name = [firstName, lastName].filter((part) => part !== null).join(' ')
  return name === '' ? email : name
}

export function UserDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const hasCredits = useHasCredits()
  return (
    <Dialog title={words.changeUser({ name: userName(user) })} width="wide" onClose={onClose}>
      <ChangeForm user={user} onClose={onClose} />
      {hasCredits && <GrantForm user={user} />}
      <ButtonLink look="bare" href={`/admin/activity?user=${encodeURIComponent(user.id)}`}>
        {words.showActivity}
      </ButtonLink>
      {hasCredits && (
        <ButtonLink look="bare" href={`/admin/charges?user=${encodeURIComponent(user.id)}`}>
          {words.showCharges}
        </ButtonLink>
      )}
    </Dialog>
  )
}

function ChangeForm({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const { data: me } = useCurrentUser()
  const refresh = useRefreshAll()
  const tierName = useTierName()
  const [role, setRole] = useState(user.role)
  const [tier, setTier] = useState(user.tier)
  const [isActive, setIsActive] = useState(user.isActive)
  const [ageVerified, setAgeVerified] = useState(user.ageVerified)
  const mayChangeRole = me?.role === 'super_admin' && me.id !== user.id
  const change = {
    ...(role === user.role ? {} : { role }),
    ...(tier === user.tier ? {} : { tier }),
    ...(isActive === user.isActive ? {} : { isActive }),
    ...(ageVerified === user.ageVerified ? {} : { ageVerified }),
  }
  const save = useMutation({
    mutationFn: async () => {
      // The server refuses an empty change, but pressing Save without a change is no mistake.
      if (Object.keys(change).length > 0)
        await client.admin.changeUser({ params: { id: user.id }, body: change })
    },
    onSuccess: async () => {
      await refresh()
      showToast({ text: words.changed({ name: userName(user) }) })
      onClose()
    },
  })
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {mayChangeRole ? (
          <Select label={words.role} options={roles} value={role} onChoose={setRole} />
        ) : (
          <div className="grid content-start gap-1.5">
            <p className="text-sm font-[560]">{words.role}</p>
            <p>{words.roles[user.role]}</p>
            <p className="text-xs text-ink-3">{words.roleOnlySuper}</p>
          </div>
        )}
        <Select
          label={words.tier}
          options={tiers.map((value) => ({ value, label: tierName(value) }))}
          value={tier}
          onChoose={setTier}
        />
      </div>
      <div className="divide-y divide-hairline">
        <Switch
          label={words.isActive}
          help={words.isActiveHelp}
          isOn={isActive}
          onSwitch={setIsActive}
        />
        <Switch label={words.isAgeVerified} isOn={ageVerified} onSwitch={setAgeVerified} />
      </div>
      <Failure text={save.error && explain(save.error)} />
      <Button type="submit" look="lit" isBusy={save.isPending}>
        {adminWords.save}
      </Button>
    </form>
  )
}

function GrantForm({ user }: { user: AdminUser }) {
  const refresh = useRefreshAll()
  const grant = useMutation({
    mutationFn: (body: { amount: number; reason: string }) =>
      client.credits.grant({ params: { id: user.id }, body }),
    onSuccess: async ({ balance }) => {
      showToast({ text: words.given({ name: userName(user), count: balance }) })
      await refresh()
    },
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!isValid(form) || grant.isPending) return
    const valueOf = valuesOf(form)
    grant.mutate(
      { amount: Number(valueOf('amount')), reason: valueOf('reason').trim() },
      { onSuccess: () => form.reset() },
    )
  }
  return (
    <form
      noValidate
      onSubmit={send}
      aria-label={words.grant}
      className="grid gap-3 border-t border-hairline pt-4"
    >
      <h3 className="font-semibold">{words.grant}</h3>
      <div className="grid gap-3 sm:grid-cols-[8rem_minmax(0,1fr)]">
        <Field
          label={words.amount}
          name="amount"
          type="number"
          min={1}
          max={1_000_000}
          step={1}
          required
          complaint={words.amountWrong}
        />
        <Field
          label={words.grantReason}
          name="reason"
          required
          maxLength={500}
          complaint={words.grantReasonWrong}
        />
      </div>
      <Failure text={grant.error && explain(grant.error)} />
      <div>
        <Button type="submit" isBusy={grant.isPending}>
          {words.give}
        </Button>
      </div>
    </form>
  )
}

/** Reloads the signed-in user too: an administrator may change their own account. */
function useRefreshAll(): () => Promise<void> {
  const queryClient = useQueryClient()
  const refreshUser = useRefreshUser()
  return async () => {
    await Promise.all([queryClient.invalidateQueries({ queryKey: keys.admin.all }), refreshUser()])
  }
}
