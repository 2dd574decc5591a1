/** The question for the date of birth, and the kind and final answer to whoever is too young. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { adultAge, ageOn } from '../../../contract/age.ts'
import { client, codeOf, explain } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { useRefreshUser } from './current-user.ts'

type AgeDialogProps = {
  /** Whether the answer was given before, and was final. */
  isRefused: boolean
  onEnd: (isVerified: boolean) => void
}

/** One dialog, whatever it shows, so that it knows where the focus goes back to. */
export function AgeDialog({ isRefused, onEnd }: AgeDialogProps) {
  const [birthDate, setBirthDate] = useState('')
  const [isDoubted, setIsDoubted] = useState(false)
  const verify = useVerifyAge(() => onEnd(true))
  const giveUp = () => onEnd(false)

  if (isRefused || codeOf(verify.error) === 'UNDER_AGE')
    return (
      <Dialog title="This part is for adults" onClose={giveUp}>
        <p className="text-ink-2">
          {verify.isError && 'Thank you for the honest answer. '}
          Adult content stays closed for this account. Everything else is yours to use. If the date
          was a slip, an administrator of this site can put it right.
        </p>
        <DialogActions>
          <Button onClick={giveUp}>Go on without it</Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog title={isDoubted ? 'Is this right?' : 'When were you born?'} onClose={giveUp}>
      {isDoubted ? (
        <p className="text-ink-2">
          You were born on {inWords(birthDate)}. Then adult content stays closed for this account.
        </p>
      ) : (
        <BirthDateForm
          birthDate={birthDate}
          isBusy={verify.isPending}
          onGiveUp={giveUp}
          onAnswer={(birthDate, isMinor) => {
            setBirthDate(birthDate)
            // This answer cannot be taken back, and a wrong year is quickly chosen.
            if (isMinor) setIsDoubted(true)
            else verify.mutate(birthDate)
          }}
        />
      )}
      <Failure text={verify.error && explain(verify.error)} />
      {isDoubted && (
        <DialogActions>
          <Button look="bare" onClick={() => setIsDoubted(false)}>
            Change the date
          </Button>
          <Button isBusy={verify.isPending} onClick={() => verify.mutate(birthDate)}>
            Yes, it is right
          </Button>
        </DialogActions>
      )}
    </Dialog>
  )
}

function BirthDateForm({
  birthDate,
  isBusy,
  onGiveUp,
  onAnswer,
}: {
  birthDate: string
  isBusy: boolean
  onGiveUp: () => void
  onAnswer: (birthDate: string, isMinor: boolean) => void
}) {
  const [today] = useState(() => new Date().toISOString().slice(0, 10))

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // The page around may be a form as well, and hears what happens in its dialogs.
    event.stopPropagation()
    const form = event.currentTarget
    if (!isValid(form)) return
    const birthDate = valuesOf(form)('birthDate')
    onAnswer(birthDate, ageOn(today, birthDate) < adultAge)
  }

  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <p className="text-ink-2">
        What follows is for people of 18 years and more. The answer is asked for once, and counts.
      </p>
      <Field
        label="Date of birth"
        name="birthDate"
        type="date"
        defaultValue={birthDate}
        min="1900-01-01"
        max={today}
        autoComplete="bday"
        required
        complaint="Enter your date of birth."
      />
      <DialogActions>
        <Button look="bare" onClick={onGiveUp}>
          Not now
        </Button>
        <Button type="submit" look="lit" isBusy={isBusy}>
          Confirm my age
        </Button>
      </DialogActions>
    </form>
  )
}

function useVerifyAge(onVerified: () => void) {
  const refreshUser = useRefreshUser()
  return useMutation({
    mutationFn: (birthDate: string) =>
      client.accounts.verifyAge({ body: { birthDate, ageVerified: true } }),
    onSuccess: async () => {
      await refreshUser()
      onVerified()
    },
    // What was refused is kept with the account, and the page no longer offers it.
    onError: () => refreshUser(),
  })
}

function inWords(day: string): string {
  return new Date(day).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
