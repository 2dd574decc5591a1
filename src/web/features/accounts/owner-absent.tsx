/** Says why unsaved work cannot be saved now, and leads to the way in without leaving it. */
import { words } from '../../requests/words.ts'
import { Failure } from '../../ui/failure.tsx'
import { nameOf, useCurrentUser } from './current-user.ts'
import { useOwnerAbsence } from './unsaved-work.ts'

export function OwnerAbsent() {
  const absence = useOwnerAbsence()
  const { data: owner } = useCurrentUser()
  const sentences = {
    'signed out': `${words.signedOut} Sign in to save.`,
    'someone else': `Someone else is signed in now. Sign in as ${owner ? nameOf(owner) : 'yourself'} again to save.`,
  }
  return <Failure text={absence && sentences[absence]} />
}
