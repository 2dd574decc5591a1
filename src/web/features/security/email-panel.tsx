/** Changes the email address. A mail to the new address confirms it. */
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { client, type SignedInUser } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { useSite } from '../../site.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { sentence } from '../../words/sentence.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { CurrentPasswordField } from './current-password-field.tsx'
import { explainChange } from './explain-change.ts'
import { words } from './words.ts'

export function EmailPanel() {
  const { data: user } = useCurrentUser()
  const site = useSite()
  if (!user || !site) return null
  const isOpen = site.mail && !user.isFromEnvironment
  return (
    <Panel title={words.address}>
      <p className="mb-4 text-ink-2">
        {sentence(words.addressNow, { email: <bdi className="text-ink">{user.email}</bdi> })}
      </p>
      {isOpen && <EmailForm user={user} />}
      {!isOpen && (
        <p className="text-sm text-ink-2">
          {user.isFromEnvironment ? words.fromEnvironment : words.noMail}
        </p>
      )}
    </Panel>
  )
}

function EmailForm({ user }: { user: SignedInUser }) {
  const change = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const valueOf = valuesOf(form)
      const email = valueOf('email')
      const currentPassword = user.hasPassword ? valueOf('currentPassword') : undefined
      await client.security.changeEmail({ body: { email, currentPassword } })
      return email
    },
    onSuccess: (_, form) => form.reset(),
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!change.isPending && isValid(event.currentTarget)) change.mutate(event.currentTarget)
  }
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <Field
        label={words.newAddress}
        name="email"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        complaint={words.enterAnAddress}
      />
      {user.hasPassword && <CurrentPasswordField />}
      <Failure text={explainChange(change.error)} />
      <output className="text-sm text-ink-2 empty:hidden">
        {change.isSuccess && words.addressAsked({ email: change.data })}
      </output>
      <div>
        <Button type="submit" isBusy={change.isPending}>
          {words.changeAddress}
        </Button>
      </div>
    </form>
  )
}
