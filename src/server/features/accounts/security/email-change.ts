/**
 * Changes the address of an account: requested by its owner, confirmed by a link in a mail to the new
 * address.
 */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { mailLanguageOf, requireMail } from '../../mail/mail.ts'
import { presentUser, readUser } from '../users.ts'
import { isDevUserId } from '../sign-in-methods.ts'
import { recordAccountChange } from './account-changes.ts'
import { mailConfirmLink } from './account-mails.ts'
import { endTokens, readToken, redeemToken } from './account-tokens.ts'
import { takeMailToken } from './mail-limit.ts'
import { confirmIdentity } from './reauthentication.ts'
import { isAddressTaken, updateAddress } from './token-queries.ts'

/** Does not check whether the address is taken. Only a mail to that address may reveal it. */
export async function changeEmail(ctx: Context, call: Call<typeof api.security.changeEmail>) {
  const { user, visitor, body } = call
  if (isDevUserId(user.id)) throw problem.notChangeable()
  requireMail(ctx)
  await confirmIdentity(ctx, call, body.currentPassword)
  await takeMailToken(ctx, body.email)
  await enqueue(ctx, mailConfirmLink, {
    userId: user.id,
    email: body.email,
    language: mailLanguageOf(visitor),
    askedAt: ctx.now().toISOString(),
  })
  return { message: 'A mail is on its way to the new address, with a link that confirms it' }
}

export async function confirmEmail(
  ctx: Context,
  { visitor, body }: Call<typeof api.security.confirmEmail>,
) {
  const { userId, newEmail } = await readToken(ctx, 'confirm_email', body.token)
  if (newEmail === null) throw problem.invalidToken()
  try {
    return await atomically(ctx, async (ctx) => {
      await redeemToken(ctx, body.token, { userId, purpose: 'confirm_email' })
      const { email: oldEmail } = await readUser(ctx, userId)
      const changed = await updateAddress(ctx, userId, newEmail)
      if (!changed) throw problem.invalidToken()
      await endTokens(ctx, userId)
      await recordAccountChange(ctx, visitor, { userId, action: 'email_changed', to: oldEmail })
      return presentUser(await readUser(ctx, userId))
    })
  } catch (error) {
    throw isAddressTaken(error) ? problem.invalidToken() : error
  }
}
