/**
 * Asks for the password where a change needs a recent sign-in. A form is sent without it first; when
 * the service asks for it, the field appears and the form is sent again.
 */
import { type ReactNode, useState } from 'react'
import { codeOf } from '../../api.ts'
import { valuesOf } from '../../form-values.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { CurrentPasswordField } from './current-password-field.tsx'
import { explainChange } from './explain-change.ts'
import { words } from './words.ts'

/** Proof in a request that it comes from the owner of the account. */
export type Proof = { readonly currentPassword?: string }

type Reauthentication = {
  /** For the form: nothing until the password is asked for. */
  readonly field: ReactNode
  readonly proofIn: (form: HTMLFormElement) => Proof
  /** For the error of the request. */
  readonly onError: (error: unknown) => void
  readonly explain: (error: unknown) => string | null
}

export function useReauthentication(): Reauthentication {
  const { data: user } = useCurrentUser()
  const [isAsked, setIsAsked] = useState(false)
  const asksForPassword = (error: unknown) =>
    codeOf(error) === 'REAUTHENTICATION_REQUIRED' && user?.hasPassword === true
  return {
    field: isAsked && <CurrentPasswordField />,
    proofIn: (form) => (isAsked ? { currentPassword: valuesOf(form)('currentPassword') } : {}),
    onError: (error) => asksForPassword(error) && setIsAsked(true),
    explain: (error) => (asksForPassword(error) ? words.confirmPassword : explainChange(error)),
  }
}
