/** Creates, lists and revokes a person's API keys. The key is shown only once and not stored. */
import { randomBytes } from 'node:crypto'
import type { api } from '../../../../contract/api.ts'
import { maxKeys } from '../../../../contract/keys.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import type { Visitor } from '../../../http/caller.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { sha256 } from '../../../platform/signature.ts'
import { recordAccountChange } from '../security/account-changes.ts'
import { lockSignedIn, reauthenticate } from '../security/reauthentication.ts'
import type { KeyRow } from './key-queries.ts'
import { countKeysOf, deleteKey, insertKey, listKeysOf } from './key-queries.ts'

/** 'lan_' and eight more characters: enough to recognise a key, not enough to guess it. */
const prefixCharacters = 12

export async function listKeys(ctx: Context, { user }: Call<typeof api.keys.list>) {
  return (await listKeysOf(ctx, user.id)).map(present)
}

export async function createKey(ctx: Context, call: Call<typeof api.keys.create>) {
  const { user, visitor, body } = call
  const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt)
  if (expiresAt && expiresAt <= ctx.now())
    throw problem.validationFailed({
      message: 'Validation failed: expiresAt must be later than now',
    })
  await reauthenticate(ctx, call, body.currentPassword)
  const key = `lan_${randomBytes(32).toString('base64url')}`
  return atomically(ctx, async (ctx) => {
    // Locks the user, so that concurrent requests cannot exceed the maximum.
    await lockSignedIn(ctx, call)
    if ((await countKeysOf(ctx, user.id)) >= maxKeys)
      throw problem.validationFailed({
        message: `Validation failed: an account has at most ${maxKeys} keys`,
      })
    const made = await insertKey(ctx, {
      id: ctx.newId(),
      userId: user.id,
      name: body.name,
      scopes: body.scopes,
      prefix: key.slice(0, prefixCharacters),
      secretHash: sha256(key),
      expiresAt,
    })
    await recordAccountChange(ctx, visitor, {
      userId: user.id,
      action: 'key_created',
      details: { keyId: made.id, scopes: made.scopes },
    })
    return { ...present(made), key }
  })
}

export async function removeKey(
  ctx: Context,
  { user, visitor, params }: Call<typeof api.keys.remove>,
) {
  if (!(await revokeKey(ctx, visitor, user.id, params.id))) throw problem.keyNotFound()
  return { message: 'Key revoked' }
}

/**
 * Revokes a key on all nodes when the transaction commits. Returns false when the account has no such
 * key.
 */
export function revokeKey(
  ctx: Context,
  visitor: Visitor,
  userId: string,
  id: string,
): Promise<boolean> {
  return atomically(ctx, async (ctx) => {
    if (!(await deleteKey(ctx, userId, id))) return false
    await recordAccountChange(ctx, visitor, {
      userId,
      action: 'key_removed',
      details: { keyId: id },
    })
    return true
  })
}

function present({ createdAt, lastUsedAt, expiresAt, ...key }: KeyRow) {
  return {
    ...key,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  }
}
