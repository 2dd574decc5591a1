/** Says why unsaved work cannot be saved now, with a link to sign in that keeps the page open. */
import { words as requestWords } from '../../requests/words.ts'
import { Failure } from '../../ui/failure.tsx'
import { nameOf, useCurrentUser } from './current-user.ts'
import { useOwnerAbsence } from './unsaved-work.ts'
import { words } from './owner-words.ts'

export function OwnerAbsent() {
  const absence = useOwnerAbsence()
  const { data: owner } = useCurrentUser()
  const sentences = {
    'signed out': words.signInToSave({ signedOut: requestWords.signedOut }),
    'someone else': owner ? words.someoneElse({ name: nameOf(owner) }) : words.someoneElseUnnamed,
  }
  return <Failure text={absence && sentences[absence]} />
}
