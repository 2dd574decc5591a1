/** Asks for the date of birth, and explains the refusal to people who are too young. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { adultAge, ageOn } from '../../../contract/age.ts'
import { client, codeOf, explain } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { formatDay } from '../../words/figures.ts'
import { useRefreshUser } from './current-user.ts'
import { words } from './words.ts'

/** The earliest accepted year of birth. */
const firstYear = 1900

type AgeDialogProps = {
  /** True when an earlier answer was refused and the user is still too young. */
  isRefused: boolean
  onEnd: (isVerified: boolean) => void
}

/** A single dialog for all steps, so that it can return the focus to the element that opened it. */
export function AgeDialog({ isRefused, onEnd }: AgeDialogProps) {
  const [birthDate, setBirthDate] = useState('')
  const [isDoubted, setIsDoubted] = useState(false)
  const verify = useVerifyAge(() => onEnd(true))
  const giveUp = () => onEnd(false)

  if (isRefused || codeOf(verify.error) === 'UNDER_AGE')
    return (
      <Dialog title={words.forAdults} onClose={giveUp}>
        <p className="text-ink-2">
          {verify.isError && `${words.thanksForHonesty} `}
          {words.adultContentClosed}
        </p>
        <DialogActions>
          <Button onClick={giveUp}>{words.goOnWithout}</Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog title={isDoubted ? words.isBirthDateRight : words.whenBorn} onClose={giveUp}>
      {isDoubted ? (
        <p className="text-ink-2">
          {words.bornTooLate({ day: formatDay(new Date(`${birthDate}T00:00`)) })}
        </p>
      ) : (
        <BirthDateForm
          birthDate={birthDate}
          isBusy={verify.isPending}
          onGiveUp={giveUp}
          onAnswer={(birthDate, isMinor) => {
            setBirthDate(birthDate)
            // This answer is final, and a wrong year is easily chosen: ask again.
            if (isMinor) setIsDoubted(true)
            else verify.mutate(birthDate)
          }}
        />
      )}
      <Failure text={verify.error && explain(verify.error)} />
      {isDoubted && (
        <DialogActions>
          <Button look="bare" onClick={() => setIsDoubted(false)}>
            {words.changeBirthDate}
          </Button>
          <Button isBusy={verify.isPending} onClick={() => verify.mutate(birthDate)}>
            {words.birthDateIsRight}
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
  const [complaint, setComplaint] = useState(words.enterBirthDate)

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // React events bubble from a dialog to the form around it.
    event.stopPropagation()
    const form = event.currentTarget
    setComplaint(complaintOf(form.querySelector('input')?.validity))
    if (!isValid(form)) return
    const birthDate = valuesOf(form)('birthDate')
    onAnswer(birthDate, ageOn(today, birthDate) < adultAge)
  }

  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <p className="text-ink-2">{words.whyBirthDate}</p>
      <Field
        label={words.birthDate}
        name="birthDate"
        type="date"
        defaultValue={birthDate}
        min={`${firstYear}-01-01`}
        max={today}
        autoComplete="bday"
        required
        complaint={complaint}
      />
      <DialogActions>
        <Button look="bare" onClick={onGiveUp}>
          {words.notNow}
        </Button>
        <Button type="submit" look="lit" isBusy={isBusy}>
          {words.confirmAge}
        </Button>
      </DialogActions>
    </form>
  )
}

function complaintOf(validity: ValidityState | undefined): string {
  if (validity?.rangeOverflow) return words.birthDateInFuture
  if (validity?.rangeUnderflow) return words.birthDateTooEarly({ year: String(firstYear) })
  return words.enterBirthDate
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
    // The server stores the refusal with the account. A refresh makes the page stop offering the question.
    onError: () => refreshUser(),
  })
}
