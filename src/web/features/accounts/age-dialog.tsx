/** The question for the date of birth, and the kind and final answer to whoever is too young. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client, codeOf, explain } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { useRefreshUser } from './current-user.ts'

export function AgeDialog({ onEnd }: { onEnd: (isVerified: boolean) => void }) {
  const refreshUser = useRefreshUser()
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const verify = useMutation({
    mutationFn: (birthDate: string) =>
      client.accounts.verifyAge({ body: { birthDate, ageVerified: true } }),
    onSuccess: async () => {
      await refreshUser()
      onEnd(true)
    },
  })

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // The page around may be a form as well, and hears what happens in its dialogs.
    event.stopPropagation()
    const form = event.currentTarget
    if (isValid(form)) verify.mutate(valuesOf(form)('birthDate'))
  }

  if (codeOf(verify.error) === 'UNDER_AGE')
    return (
      <Dialog title="This part is for adults" onClose={() => onEnd(false)}>
        <p className="text-ink-2">
          Thank you for the honest answer. Adult content stays closed for this account. Everything
          else is yours to use. If the date was a slip, an administrator of this site can put it
          right.
        </p>
        <DialogActions>
          <Button onClick={() => onEnd(false)}>Go on without it</Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog title="When were you born?" onClose={() => onEnd(false)}>
      <form noValidate onSubmit={send} className="grid gap-4">
        <p className="text-ink-2">
          What follows is for people of 18 years and more. The answer is asked for once, and counts.
        </p>
        <Field
          label="Date of birth"
          name="birthDate"
          type="date"
          min="1900-01-01"
          max={today}
          autoComplete="bday"
          required
          complaint="Enter your date of birth."
        />
        <Failure text={verify.error && explain(verify.error)} />
        <DialogActions>
          <Button look="bare" onClick={() => onEnd(false)}>
            Not now
          </Button>
          <Button type="submit" look="lit" isBusy={verify.isPending}>
            Confirm my age
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
