/**
 * Sends mails about an account, as jobs. A request enqueues the same job for every address; only the job
 * checks whether an account exists. The job also creates the token, so that no queue contains one.
 */
import { z } from 'zod'
import { resetReport } from '../../../../contract/security.ts'
import type { Context } from '../../../context.ts'
import { defineJob } from '../../../jobs/job.ts'
import type { Letter, MailWords } from '../../mail/mail.ts'
import { mailJob, notices, resetWords, sendLetter } from '../../mail/mail.ts'
import { hasLocalAccounts, isGuardedByProvider } from '../sign-in-methods.ts'
import { issueToken } from './account-tokens.ts'
import { findOwnerOfAddress } from './token-queries.ts'

const language = z.string().nullable()
const askedAt = z.iso.datetime().transform((text) => new Date(text))

export const mailNotice = defineJob({
  name: 'mail-notice',
  ...mailJob,
  payload: z.object({
    to: z.string(),
    language,
    notice: z.enum(notices),
    reset: resetReport.optional(),
    at: z.iso.datetime(),
  }),
  run: (ctx, { to, language, notice, reset, at }) =>
    sendLetter(ctx, { to, language }, (words, site) => ({
      subject: words.notices[notice].subject,
      paragraphs: [
        words.notices[notice].happened,
        ...(reset ? [resetWords(words, reset)] : []),
        words.when(site.name, timeIn(language, at)),
        notice === 'email_changed' ? words.oldAddress : words.notYou,
      ],
      reason: words.reason(site.name),
    })),
})

export const mailResetLink = defineJob({
  name: 'mail-reset-link',
  ...mailJob,
  payload: z.object({ email: z.string(), language, askedAt }),
  async run(ctx, { email, language, askedAt }) {
    const account = hasLocalAccounts(ctx) ? await findOwnerOfAddress(ctx, email) : undefined
    if (!account || (await isGuardedByProvider(ctx, account.id))) return
    const token = await issueToken(ctx, {
      userId: account.id,
      purpose: 'reset_password',
      email: null,
      askedAt,
    })
    if (token === null) return
    await sendLetter(ctx, { to: account.email, language }, (words, site) =>
      linkLetter(words, site, {
        subject: words.resetSubject(site.name),
        asked: words.resetAsked(site.name),
        action: { label: words.resetAction, url: linkTo(ctx, 'reset-password', token) },
      }),
    )
  },
})

export const mailConfirmLink = defineJob({
  name: 'mail-confirm-link',
  ...mailJob,
  payload: z.object({ userId: z.string(), email: z.string(), language, askedAt }),
  async run(ctx, { userId, email, language, askedAt }) {
    const owner = await findOwnerOfAddress(ctx, email)
    if (owner && owner.id !== userId) {
      await sendLetter(ctx, { to: owner.email, language: owner.language }, (words, site) => ({
        subject: words.takenSubject(site.name),
        paragraphs: [words.takenAsked(site.name)],
        reason: words.reason(site.name),
      }))
      return
    }
    const token = await issueToken(ctx, { userId, purpose: 'confirm_email', email, askedAt })
    if (token === null) return
    await sendLetter(ctx, { to: email, language }, (words, site) =>
      linkLetter(words, site, {
        subject: words.confirmSubject(site.name),
        asked: words.confirmAsked(site.name),
        action: { label: words.confirmAction, url: linkTo(ctx, 'confirm-email', token) },
      }),
    )
  },
})

function linkLetter(
  words: MailWords,
  site: { readonly name: string },
  { subject, asked, action }: { subject: string; asked: string; action: Letter['action'] & object },
): Letter {
  const paragraphs = [asked, words.worksOnce, words.ignore]
  return { subject, paragraphs, action, reason: words.reason(site.name) }
}

function linkTo(ctx: Context, page: 'reset-password' | 'confirm-email', token: string): string {
  return `${ctx.config.baseUrl}/${page}?token=${token}`
}

function timeIn(language: string | null, at: string): string {
  const form = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(language ?? 'en', form).format(new Date(at))} UTC`
}
