/** Encrypts the keys of connections for storage and decrypts them for use. They are never shown. */
import type { Context } from '../../../context.ts'
import { seal, unseal } from '../../../platform/sealed-secret.ts'
import type { SealedConnection } from './connection-queries.ts'
import { listSealedConnections, replaceSealedKey, touchConnection } from './connection-queries.ts'

export type Keeping = Pick<Context, 'db' | 'query' | 'now' | 'log' | 'config'>

export type OpenConnection = {
  readonly id: string
  readonly apiKey: string
  /** The time when the connection got this key. */
  readonly since: string
}

const noticedMs = 5 * 60_000

export function sealKey(
  { config }: Pick<Context, 'config'>,
  owner: string,
  apiKey: string,
): Buffer {
  return seal(config.secretKeys, { purpose: 'connection', owner }, Buffer.from(apiKey))
}

/** Returns null when the encryption key is no longer in SECRET_KEYS. The owner must then connect again. */
export async function openConnection(
  ctx: Keeping,
  { id, userId, sealedKey, createdAt, lastUsedAt }: SealedConnection,
): Promise<OpenConnection | null> {
  const key = unseal(ctx.config.secretKeys, { purpose: 'connection', owner: userId }, sealedKey)
  if (!key) {
    ctx.log.error(
      { event: 'secret_not_opened', userId },
      'no key in SECRET_KEYS decrypts the key of a connection',
    )
    return null
  }
  if (!lastUsedAt || lastUsedAt.getTime() <= ctx.now().getTime() - noticedMs)
    await touchConnection(ctx, id)
  return { id, apiKey: key.toString(), since: createdAt.toISOString() }
}

/**
 * Encrypts stored keys again with the first of SECRET_KEYS, unless they already use it. Returns their
 * number.
 */
export async function resealConnections(ctx: Context): Promise<number> {
  const { secretKeys } = ctx.config
  let resealed = 0
  for (const { id, userId: owner, sealedKey: before } of await listSealedConnections(ctx)) {
    const sealedFor = { purpose: 'connection', owner } as const
    if (unseal(secretKeys.slice(0, 1), sealedFor, before)) continue
    const key = unseal(secretKeys, sealedFor, before)
    const after = key && seal(secretKeys, sealedFor, key)
    if (after && (await replaceSealedKey(ctx, id, { before, after }))) resealed += 1
  }
  return resealed
}
