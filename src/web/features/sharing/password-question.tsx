/** Asks for the password of a link. Nothing of what it leads to is shown before. */
import { type FormEvent, useEffect, useRef } from 'react'
import { isValid, valuesOf } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'

export function PasswordQuestion({
  wasWrong,
  isBusy,
  onAnswer,
}: {
  wasWrong: boolean
  isBusy: boolean
  onAnswer: (password: string) => void
}) {
  const form = useRef<HTMLFormElement>(null)
  const isRefused = wasWrong && !isBusy
  useEffect(() => {
    if (!isRefused) return
    const field = form.current?.querySelector('input')
    field?.focus()
    field?.select()
  }, [isRefused])

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (isValid(form)) onAnswer(valuesOf(form)('password'))
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={send}
      className="m-auto grid w-full max-w-[25rem] gap-4 py-8"
    >
      <h1 className="text-2xl leading-tight font-semibold tracking-[-0.015em]">
        This link has a password
      </h1>
      <p className="text-ink-2">Whoever sent it to you knows it.</p>
      <Failure text={isRefused ? 'That was not it.' : null} />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="off"
        required
        complaint="Enter the password of the link."
      />
      <Button type="submit" look="lit" size="big" isBusy={isBusy}>
        Open
      </Button>
    </form>
  )
}
