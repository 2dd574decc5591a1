/**
 * Mails to users, in their language and the site's design. Only jobs send mail: a feature enqueues one
 * in its transaction and never waits for a mail server.
 */
import type { Context } from '../../context.ts'
import type { Visitor } from '../../http/caller.ts'
import { languageFor } from '../../http/page-language.ts'
import { problem } from '../../http/problem.ts'
import { MailRefused } from '../../platform/mail/mail-refused.ts'
import { readSettings } from '../settings/settings.ts'
import type { Letter } from './mail-layout.ts'
import { renderLetter } from './mail-layout.ts'
import { mailLanguages, mailWordsIn } from './mail-words.ts'
import type { MailWords } from './mail-words.ts'

export type { MailWords, Notice } from './mail-words.ts'
export { notices } from './mail-words.ts'
export type { ResetReport } from './reset-report.ts'
export { describeReset, resetWords } from './reset-report.ts'
export type { Letter } from './mail-layout.ts'

/** Retry options of jobs that send mail: about one hour if the mail server is down. */
export const mailJob = { retries: 9, timeLimitSeconds: 90, atOnce: 2 } as const

export function requireMail(ctx: Context): void {
  if (!ctx.mail)
    throw problem.mailUnavailable({ message: 'Ask the people who run this site for help' })
}

/** Returns the language of mails to this visitor. */
export function mailLanguageOf(visitor: Pick<Visitor, 'cookies' | 'header'>): string {
  const acceptLanguage = visitor.header('accept-language') ?? undefined
  return languageFor(mailLanguages, { cookies: visitor.cookies, acceptLanguage })
}

/** Sends a mail. Call it in a job, outside transactions. A mail that the server refuses is not retried. */
export async function sendLetter(
  ctx: Context,
  recipient: { readonly to: string; readonly language: string | null },
  write: (words: MailWords, site: { readonly name: string; readonly url: string }) => Letter,
): Promise<void> {
  if (!ctx.mail) return
  const { language, words } = mailWordsIn(recipient.language)
  const site = { name: (await readSettings(ctx)).siteName, url: ctx.config.baseUrl }
  const message = renderLetter(write(words, site), { ...site, language })
  try {
    await ctx.mail.send({ to: recipient.to, ...message })
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    ctx.log.warn({ event: 'mail_refused', reason: error.message }, 'the mail server refused a mail')
  }
}
