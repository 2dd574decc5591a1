/** Asks for the name of a way in, new or known. */
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { isValid, valuesOf } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { words } from './ways-in-words.ts'

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
  /** Said while it goes on. */
  whileBusy?: ReactNode
  run: (name: string) => Promise<unknown>
  explain: (error: unknown) => string | null
  /** Called after the deed, too. */
  onClose: () => void
}) {
  const deed = useMutation({ mutationFn: run, onSuccess: onClose })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!deed.isPending && isValid(form)) deed.mutate(valuesOf(form)('name').trim())
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
        <output className="text-sm text-ink-2 empty:hidden">{deed.isPending && whileBusy}</output>
        <Failure text={explain(deed.error)} />
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" look="lit" isBusy={deed.isPending}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
