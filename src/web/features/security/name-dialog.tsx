/** Asks for the name of a passkey or key, new or existing. */
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { isValid, valuesOf } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { type Proof, useReauthentication } from './reauthentication.tsx'
import { words } from './sign-in-method-words.ts'

export function NameDialog({
  title,
  action,
  help,
  initial = '',
  whileBusy,
  run,
  explain,
  onClose,
}: {
  title: string
  action: string
  help?: string
  initial?: string
  /** A text while the request runs. */
  whileBusy?: ReactNode
  run: (name: string, proof: Proof) => Promise<unknown>
  /** Returns null for an error without a special text. */
  explain?: (error: unknown) => string | null
  /** Also called after the action. */
  onClose: () => void
}) {
  const reauthentication = useReauthentication()
  const save = useMutation({
    mutationFn: (form: HTMLFormElement) =>
      run(valuesOf(form)('name').trim(), reauthentication.proofIn(form)),
    onSuccess: onClose,
    onError: reauthentication.onError,
    gcTime: 0,
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!save.isPending && isValid(form)) save.mutate(form)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate onSubmit={send} className="grid gap-4">
        <Field
          label={words.name}
          name="name"
          defaultValue={initial}
          autoComplete="off"
          required
          maxLength={100}
          pattern=".*\S.*"
          {...(help === undefined ? {} : { help })}
          complaint={words.enterAName}
        />
        <output className="text-sm text-ink-2 empty:hidden">{save.isPending && whileBusy}</output>
        {reauthentication.field}
        <Failure text={explain?.(save.error) ?? reauthentication.explain(save.error)} />
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" look="lit" isBusy={save.isPending}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
