/** A form for visitors who are not signed in. After it was sent, it shows the next step. */
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { codeOf, explain } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { usePageTitle } from '../../page-title.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { SignInLayout } from '../accounts/account-form.tsx'
import { words } from './words.ts'

export function TokenForm<Answer>({
  title,
  help,
  action,
  submit,
  children,
  done,
}: {
  title: string
  help: string
  action: string
  submit: (valueOf: (fieldName: string) => string) => Promise<Answer>
  children?: ReactNode
  /** Returns the content for after the request. */
  done: (answer: Answer) => { title: string; reason: string; on: { href: string; label: string } }
}) {
  const sending = useMutation({ mutationFn: submit })
  const after = sending.isSuccess ? done(sending.data) : null
  usePageTitle(after?.title ?? title)
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!sending.isPending && isValid(form)) sending.mutate(valuesOf(form))
  }
  if (after)
    return (
      <SignInLayout title={after.title}>
        <output className="mt-3 block text-ink-2">{after.reason}</output>
        <ButtonLink href={after.on.href} className="mt-6">
          {after.on.label}
        </ButtonLink>
      </SignInLayout>
    )
  return (
    <SignInLayout title={title}>
      <p className="mt-3 text-ink-2">{help}</p>
      <form noValidate onSubmit={send} className="mt-6 grid gap-4">
        <Failure text={sending.error && explain(sending.error)} />
        {children}
        <Button type="submit" look="lit" size="big" isBusy={sending.isPending} className="mt-1">
          {action}
        </Button>
      </form>
      {codeOf(sending.error) === 'INVALID_TOKEN' && (
        <ButtonLink href="/forgot-password" look="line" className="mt-4">
          {words.newLink}
        </ButtonLink>
      )}
    </SignInLayout>
  )
}
