/**
 * Tokens that are sent by mail and work once. Only their hashes are stored. A change of password or
 * address invalidates pending tokens.
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
 * Issues a token and invalidates earlier ones of its kind. Returns null when no mail should be sent: the
 * account is inactive, or a later request or a change of credentials exists. A retried mail gets a new
 * token; the first remains valid, because it may have arrived.
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

/** Returns the account of a token without using it up. */
export async function readToken(ctx: Context, purpose: TokenPurpose, token: string) {
  const found = await findToken(ctx, purpose, sha256(token))
  if (!found) throw problem.invalidToken()
  return found
}

/**
 * Uses up a token. Call it in the transaction of the change: of several concurrent requests, only one
 * succeeds.
 */
export async function redeemToken(
  ctx: Context,
  token: string,
  { userId, purpose }: { userId: string; purpose: TokenPurpose },
): Promise<void> {
  const account = await holdCredentials(ctx, userId)
  const isRedeemed = await deleteToken(ctx, purpose, sha256(token))
  if (!isRedeemed || !account?.isActive) throw problem.invalidToken()
}

/** Invalidates pending tokens. Call it in every transaction that changes a password or an address. */
export async function endTokens(ctx: Context, userId: string): Promise<void> {
  await markCredentialsChanged(ctx, userId)
  await deleteTokensOf(ctx, userId)
}
