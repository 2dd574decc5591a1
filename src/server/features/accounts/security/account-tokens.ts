/**
 * Tokens that go out by mail and work once. Only hashes are kept, and whatever changes the way into an
 * account ends those that are under way.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { problem } from '../../../http/problem.ts'
import { sha256 } from '../../../platform/signature.ts'
import type { TokenPurpose } from './token-queries.ts'
import {
  deleteToken,
  deleteTokensBefore,
  deleteTokensOf,
  findToken,
  hasLaterToken,
  holdCredentials,
  insertToken,
  markCredentialsChanged,
} from './token-queries.ts'

const lifetimeMs = 60 * 60 * 1000

/**
 * Ends the earlier ones of its kind. Null where nothing should be mailed: to an inactive account, after
 * a later request, and after a change that the request came before. A second try of the same mail gives
 * a second token, since the first may have arrived.
 */
export function issueToken(
  ctx: Context,
  request: { userId: string; purpose: TokenPurpose; email: string | null; askedAt: Date },
): Promise<string | null> {
  return atomically(ctx, async (ctx) => {
    const { userId, purpose, askedAt } = request
    const account = await holdCredentials(ctx, userId)
    if (!account?.isActive) return null
    if (account.changedAt !== null && account.changedAt >= askedAt) return null
    if (await hasLaterToken(ctx, userId, purpose, askedAt)) return null
    await deleteTokensBefore(ctx, userId, purpose, askedAt)
    const token = randomBytes(32).toString('base64url')
    const expiresAt = new Date(ctx.now().getTime() + lifetimeMs)
    await insertToken(ctx, { ...request, tokenHash: sha256(token), expiresAt })
    return token
  })
}

/** Whose it is, without using it up. */
export async function readToken(ctx: Context, purpose: TokenPurpose, token: string) {
  const found = await findToken(ctx, purpose, sha256(token))
  if (!found) throw problem.invalidToken()
  return found
}

/** In the transaction of what it is for: of many who come with it at once, one goes on. */
export async function redeemToken(
  ctx: Context,
  token: string,
  { userId, purpose }: { userId: string; purpose: TokenPurpose },
): Promise<void> {
  const account = await holdCredentials(ctx, userId)
  const isRedeemed = await deleteToken(ctx, purpose, sha256(token))
  if (!isRedeemed || !account?.isActive) throw problem.invalidToken()
}

/** In every transaction that changes a password or an address. */
export async function endTokens(ctx: Context, userId: string): Promise<void> {
  await markCredentialsChanged(ctx, userId)
  await deleteTokensOf(ctx, userId)
}
