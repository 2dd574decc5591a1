/** What stopped a change of the way into the account, in words. */
import { codeOf, explain } from '../../api.ts'
import { words } from './words.ts'

export function explainChange(error: unknown): string | null {
  if (error === null) return null
  return codeOf(error) === 'REAUTHENTICATION_REQUIRED' ? words.signInAgain : explain(error)
}
