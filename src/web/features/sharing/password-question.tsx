/** Asks for the password of a link. Nothing of the session is visible before. */
import { type FormEvent, useEffect, useRef } from 'react'
import { isValid, valuesOf } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { words } from './words.ts'

export function PasswordQuestion({
  refusal,
  isBusy,
  onAnswer,
}: {
  /** The state of the last password: wrong just now, or changed since it worked. */
  refusal: 'wrong' | 'changed' | null
  isBusy: boolean
  onAnswer: (password: string) => void
}) {
  const form = useRef<HTMLFormElement>(null)
  const isRefused = refusal !== null && !isBusy
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
        {words.hasPassword}
      </h1>
      <p className="text-ink-2">{words.senderKnows}</p>
      <Failure
        text={
          isRefused ? (refusal === 'wrong' ? words.wrongPassword : words.changedPassword) : null
        }
      />
      <Field
        label={words.password}
        name="password"
        type="password"
        autoComplete="off"
        required
        complaint={words.enterPassword}
      />
      <Button type="submit" look="lit" size="big" isBusy={isBusy}>
        {words.open}
      </Button>
    </form>
  )
}
