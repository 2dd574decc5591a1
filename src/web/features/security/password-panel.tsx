/** Changes the password or sets the first one. Hidden on sites without password sign-in. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { client, type SignedInUser } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { keys } from '../../query-keys.ts'
import { useSite } from '../../site.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useCurrentUser, useRefreshUser } from '../accounts/current-user.ts'
import { CurrentPasswordField, NewPasswordField } from './current-password-field.tsx'
import { explainChange } from './explain-change.ts'
import { words } from './words.ts'

export function PasswordPanel() {
  const { data: user } = useCurrentUser()
  const site = useSite()
  if (!user || user.isFromEnvironment || !site?.signIn.includes('password')) return null
  // A user of the identity provider needs no password.
  if (!user.hasPassword && site.signIn.includes('oidc')) return null
  return (
    <Panel title={words.password}>
      <PasswordForm user={user} />
    </Panel>
  )
}

function PasswordForm({ user }: { user: SignedInUser }) {
  const refreshUser = useRefreshUser()
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (form: HTMLFormElement) => {
      const valueOf = valuesOf(form)
      const currentPassword = user.hasPassword ? valueOf('currentPassword') : undefined
      const newPassword = valueOf('newPassword')
      return client.security.changePassword({ body: { currentPassword, newPassword } })
    },
    onSuccess: async (_, form) => {
      form.reset()
      showToast({ text: words.passwordChanged })
      await Promise.all([
        refreshUser(),
        queryClient.invalidateQueries({ queryKey: keys.account.signIns }),
      ])
    },
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!change.isPending && isValid(event.currentTarget)) change.mutate(event.currentTarget)
  }
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      {/* Tells password managers which account the password belongs to. */}
      <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
      {user.hasPassword ? (
        <CurrentPasswordField />
      ) : (
        <p className="text-sm text-ink-2">{words.noPassword}</p>
      )}
      <NewPasswordField />
      <Failure text={explainChange(change.error)} />
      <div>
        <Button type="submit" isBusy={change.isPending}>
          {user.hasPassword ? words.changePassword : words.setPassword}
        </Button>
      </div>
    </form>
  )
}
