/**
 * Authenticates `Authorization: Bearer lan_…`. A key is 256 random bits and the table stores its hash, so
 * one statement finds the key with its user; a slow hash is not needed.
 */
import type { Context } from '../../../context.ts'
import type { SignedInUser, Visitor } from '../../../http/caller.ts'
import { sha256 } from '../../../platform/signature.ts'
import { isStaleDevAccount } from '../sign-ins.ts'
import { findKeys, touchKey } from './key-queries.ts'

const form = /^lan_[A-Za-z0-9_-]{43}$/
// Batches lookups, as for sign-ins: keys that arrive while this many lookups run are looked up together.
const lookupsAtOnce = 3
const touchIntervalMs = 5 * 60 * 1000

export async function findKeyHolder(
  ctx: Context,
  key: string,
  { ip, userAgent }: Pick<Visitor, 'ip' | 'userAgent'>,
): Promise<SignedInUser | null> {
  if (!form.test(key)) return null
  const find = (hashes: readonly Uint8Array[]) => findKeys(ctx, hashes)
  const found = await ctx.turns.gather('keys', sha256(key), find, { atOnce: lookupsAtOnce })
  if (!found || isStaleDevAccount(ctx, found.id)) return null
  const { keyId, lastUsedAt, ...user } = found
  const before = new Date(ctx.now().getTime() - touchIntervalMs)
  if (!lastUsedAt || lastUsedAt <= before) await touchKey(ctx, keyId, { ip, userAgent, before })
  return { ...user, renewal: null }
}
