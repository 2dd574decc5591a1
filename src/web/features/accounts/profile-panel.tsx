/** The name that others see on publications. */
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { client, explain, type SignedInUser } from '../../api.ts'
import { valuesOf } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useCurrentUser, useRefreshUser } from './current-user.ts'
import { ProfilePicture } from './profile-picture.tsx'
import { words } from './words.ts'

export function ProfilePanel() {
  const { data: user } = useCurrentUser()
  if (!user) return null
  return (
    <Panel
      title={words.profile}
      aside={
        <span className="text-sm text-ink-3">
          <bdi>{user.email}</bdi>
        </span>
      }
    >
      <ProfilePicture user={user} />
      <ProfileForm user={user} />
    </Panel>
  )
}

function ProfileForm({ user }: { user: SignedInUser }) {
  const refreshUser = useRefreshUser()
  const save = useMutation({
    mutationFn: (body: { firstName: string | null; lastName: string | null }) =>
      client.accounts.updateProfile({ body }),
    onSuccess: async () => {
      await refreshUser()
      showToast({ text: words.profileSaved })
    },
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const valueOf = valuesOf(event.currentTarget)
    const nameIn = (field: string) => valueOf(field).trim() || null
    save.mutate({ firstName: nameIn('firstName'), lastName: nameIn('lastName') })
  }
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={words.firstName}
          name="firstName"
          defaultValue={user.firstName ?? ''}
          autoComplete="given-name"
          maxLength={100}
          complaint={words.nameTooLong}
        />
        <Field
          label={words.lastName}
          name="lastName"
          defaultValue={user.lastName ?? ''}
          autoComplete="family-name"
          maxLength={100}
          complaint={words.nameTooLong}
        />
      </div>
      <Failure text={save.error && explain(save.error)} />
      <div>
        <Button type="submit" isBusy={save.isPending}>
          {words.save}
        </Button>
      </div>
    </form>
  )
}
