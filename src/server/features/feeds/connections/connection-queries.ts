/** SQL queries of connections. */
import type { Context } from '../../../context.ts'
import { runStatement } from '../../../database/statement.ts'
import type { ConnectionKind } from '../tables.ts'

type Asking = Pick<Context, 'db' | 'query'>

export type ConnectionRow = Awaited<ReturnType<typeof listConnectionsOf>>[number]

const shownColumns = [
  'id',
  'kind',
  'name',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const

/** Oldest first. */
export function listConnectionsOf({ db }: Pick<Context, 'db'>, userId: string) {
  return db
    .selectFrom('connections')
    .select(shownColumns)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Replaces the connection of the same kind and keeps its id, so that existing slides still work. */
export function putConnection(
  ctx: Pick<Context, 'db' | 'now' | 'newId'>,
  made: { userId: string; kind: ConnectionKind; name: string; sealedKey: Uint8Array },
) {
  const now = ctx.now()
  return ctx.db
    .insertInto('connections')
    .values({
      id: ctx.newId(),
      user_id: made.userId,
      kind: made.kind,
      name: made.name,
      sealed_key: made.sealedKey,
      created_at: now,
      last_used_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind']).doUpdateSet({
        name: made.name,
        sealed_key: made.sealedKey,
        created_at: now,
        last_used_at: null,
      }),
    )
    .returning(shownColumns)
    .executeTakeFirstOrThrow()
}

/** Returns false when the account has no such connection. */
export async function deleteConnection(
  { db }: Pick<Context, 'db'>,
  userId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('connections')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const sealed = [
  'id',
  'user_id as userId',
  'sealed_key as sealedKey',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const

export type SealedConnection = NonNullable<Awaited<ReturnType<typeof findConnectionOf>>>

export function findConnectionOf(
  { db }: Pick<Context, 'db'>,
  userId: string,
  kind: ConnectionKind,
) {
  return db
    .selectFrom('connections')
    .select(sealed)
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

/** Returns a connection; `isShown` is true when a slide of its account shows the asset. */
export async function findShownConnection(
  ctx: Asking,
  id: string,
  assetId: string,
): Promise<(SealedConnection & { readonly isShown: boolean }) | null> {
  const [row] = await runStatement<SealedConnection & { isShown: boolean }>(
    ctx,
    `select c.id, c.user_id as "userId", c.sealed_key as "sealedKey", c.created_at as "createdAt",
       c.last_used_at as "lastUsedAt", exists (
         select from session_media m join live_sessions s on s.id = m.session_id
         where m.media_url like '/media/connected/%' and split_part(m.media_url, '/', 5) = $2
           and split_part(m.media_url, '/', 4) = $1 and s.user_id = c.user_id
       ) as "isShown"
     from connections c where c.id = $1::uuid`,
    [id, assetId],
  )
  return row ?? null
}

export function listSealedConnections({ db }: Pick<Context, 'db'>) {
  return db.selectFrom('connections').select(sealed).orderBy('id').execute()
}

/** Returns false when the key was changed in the meantime. */
export async function replaceSealedKey(
  { db }: Pick<Context, 'db'>,
  id: string,
  { before, after }: { readonly before: Uint8Array; readonly after: Uint8Array },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({ sealed_key: after })
    .where('id', '=', id)
    .where('sealed_key', '=', before)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function touchConnection(ctx: Pick<Context, 'db' | 'now'>, id: string): Promise<void> {
  await ctx.db
    .updateTable('connections')
    .set({ last_used_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}
