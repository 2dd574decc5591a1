/**
 * Asks for the password when a change needs a recent sign-in. The first request has no password. If the
 * server requires one, the field appears and the user submits the form again.
 */
import { type ReactNode, useState } from 'react'
import { valuesOf } from '../../form-values.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { CurrentPasswordField } from './current-password-field.tsx'
import { explainChange, needsRecentSignIn } from './explain-change.ts'
import { words } from './words.ts'

/** The proof that the request comes from the owner of the account. */
export type Proof = { readonly currentPassword?: string }

type Reauthentication = {
  /** Render it in the form: null until the password is required. */
  readonly field: ReactNode
  readonly proofIn: (form: HTMLFormElement) => Proof
  /** Pass the error of the request to it. */
  readonly onError: (error: unknown) => void
  readonly explain: (error: unknown) => string | null
}

export function useReauthentication(): Reauthentication {
  const { data: user } = useCurrentUser()
  const [isAsked, setIsAsked] = useState(false)
  const asksForPassword = (error: unknown) => needsRecentSignIn(error) && user?.hasPassword === true
  return {
    field: isAsked && <CurrentPasswordField />,
    proofIn: (form) => (isAsked ? { currentPassword: valuesOf(form)('currentPassword') } : {}),
    onError: (error) => asksForPassword(error) && setIsAsked(true),
    explain: (error) => (asksForPassword(error) ? words.confirmPassword : explainChange(error)),
  }
}
