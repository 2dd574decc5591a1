/** Explains why a change of the sign-in methods failed. */
import { codeOf, explain } from '../../api.ts'
import { words } from './words.ts'

export function explainChange(error: unknown): string | null {
  if (error === null) return null
  return codeOf(error) === 'REAUTHENTICATION_REQUIRED' ? words.signInAgain : explain(error)
}
