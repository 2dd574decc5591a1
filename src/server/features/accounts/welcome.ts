/** The last step of every sign-in: logs it, credits a referral, sets a new cookie. */
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { Visitor } from '../../http/caller.ts'
import { problem } from '../../http/problem.ts'
import type { Cookie } from '../../http/reply.ts'
import { logActivity } from '../activity/activity.ts'
import { creditReferral } from '../credits/credits.ts'
import { mailLanguageOf } from '../mail/mail.ts'
import type { UserRow } from './queries.ts'
import { markFirstSignIn, rememberLanguage } from './queries.ts'
import { forgetReferral, pendingReferral } from './referral-cookies.ts'
import { knownBrowserCookie } from './security/known-browser.ts'
import { startSignIn } from './sign-ins.ts'

declare module '../../context.ts' {
  interface Context {
    /**
     * Gives a new account its initial content. It uses features that depend on accounts, so accounts call
     * it through the context.
     */
    readonly giveOpening: (ctx: Context, userId: string) => Promise<void>
  }
}

export function welcome(
  ctx: Context,
  visitor: Visitor,
  user: UserRow,
  method: 'dev' | 'local' | 'oidc' | 'passkey',
): Promise<Cookie[]> {
  if (!user.isActive) throw problem.accountDisabled()
  return atomically(ctx, async (ctx) => {
    const isFirst = await markFirstSignIn(ctx, user.id)
    const pending = pendingReferral(visitor.cookies)
    if (isFirst && pending) await creditReferral(ctx, user.id, pending)
    if (isFirst) await ctx.giveOpening(ctx, user.id)
    await logActivity(ctx, visitor, {
      userId: user.id,
      action: 'login',
      feature: 'authentication',
      details: { method },
    })
    await rememberLanguage(ctx, user.id, mailLanguageOf(visitor))
    const cookie = await startSignIn(ctx, user.id, visitor.cookies, visitor)
    const known = knownBrowserCookie(ctx, user.id, visitor.cookies)
    return [cookie, known, ...forgetReferral(visitor.cookies)]
  })
}
