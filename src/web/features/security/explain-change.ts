/** Failures of a change to the sign-in methods, and their explanation. */
import { codeOf, explain } from '../../api.ts'
import { words } from './words.ts'

export function needsRecentSignIn(error: unknown): boolean {
  return codeOf(error) === 'REAUTHENTICATION_REQUIRED'
}

export function explainChange(error: unknown): string | null {
  if (error === null) return null
  return needsRecentSignIn(error) ? words.signInAgain : explain(error)
}
