/** Describes the sign-in methods that a password reset removed and those that remain. */
import type { z } from 'zod'
import type { resetReport } from '../../../contract/security.ts'
import type { MailWords } from './mail-words.ts'
import { mailWordsIn } from './mail-words.ts'

export type ResetReport = z.infer<typeof resetReport>

export function resetWords({ reset }: MailWords, { removed, remaining }: ResetReport): string {
  const list = ({ passkeys, secondFactor }: ResetReport['removed']) => [
    ...(passkeys > 0 ? [reset.passkeys(passkeys)] : []),
    ...(secondFactor ? [reset.secondFactor] : []),
  ]
  const [gone, left] = [list(removed), list(remaining)].map((items) => items.join(reset.and))
  return [
    gone ? reset.removed(gone) : reset.nothingRemoved,
    left ? reset.remaining(left) : reset.nothingRemaining,
  ].join(' ')
}

/** Describes the reset in English, for the API and the command line. */
export function describeReset(report: ResetReport): string {
  return resetWords(mailWordsIn(null).words, report)
}
