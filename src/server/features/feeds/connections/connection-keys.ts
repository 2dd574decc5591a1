/** The keys of connections: sealed before they are kept, opened where one is used, told to nobody. */
import type { Context } from '../../../context.ts'
import { seal, unseal } from '../../../platform/sealed-secret.ts'
import type { SealedConnection } from './connection-queries.ts'
import { listSealedConnections, replaceSealedKey, touchConnection } from './connection-queries.ts'

export type Keeping = Pick<Context, 'db' | 'query' | 'now' | 'log' | 'config'>

export type OpenConnection = {
  readonly id: string
  readonly apiKey: string
  /** Since when it has this key. */
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

/** Null where the key is gone that it was sealed with: it has to be connected again. */
export async function openConnection(
  ctx: Keeping,
  { id, userId, sealedKey, createdAt, lastUsedAt }: SealedConnection,
): Promise<OpenConnection | null> {
  const key = unseal(ctx.config.secretKeys, { purpose: 'connection', owner: userId }, sealedKey)
  if (!key) {
    ctx.log.error(
      { event: 'secret_not_opened', userId },
      'no key of SECRET_KEYS opens the key of a connection',
    )
    return null
  }
  if (!lastUsedAt || lastUsedAt.getTime() <= ctx.now().getTime() - noticedMs)
    await touchConnection(ctx, id)
  return { id, apiKey: key.toString(), since: createdAt.toISOString() }
}

/** Seals with the first key what another has sealed; how many it was. */
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
