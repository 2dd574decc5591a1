/** SQL queries of library exports and imports, and of an import's progress. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { isoTime, pagedRows, runStatement } from '../../../database/statement.ts'
import type { PagedRow } from '../../../database/statement.ts'
import { hasNoPendingJob } from '../../../jobs/unfinished-jobs.ts'
import type { Lease, LeaseKind } from '../../../leases/lease.ts'
import { leaseHasEnded, heldCondition } from '../../../leases/lease.ts'
import type { VaultEntry } from '../manifest.ts'
import type { Skipped } from './restore-media.ts'

export const libraryQueue = 'restore-library'

/**
 * Longer than one session takes. The lease has no holder: two workers detect each other by the items that
 * they insert.
 */
const importLease: LeaseKind = {
  table: 'library_imports',
  holder: null,
  time: { renewedAt: 'updated_at' },
  durationMs: 2 * 3600 * 1000,
  unfinished: sql`library_imports.status = 'running'`,
}

function leaseOf(id: string): Lease {
  return { kind: importLease, key: { id }, holder: null }
}

const rowsAtOnce = 500
// Skipped entries beyond this number are not recorded.
const maxSkipped = 1000

export async function findSessionIds(ctx: Context, userId: string): Promise<number[]> {
  const rows = await runStatement<{ id: number }>(
    ctx,
    'select id from live_sessions where user_id = $1 order by id',
    [userId],
  )
  return rows.map(({ id }) => id)
}

export type VaultRow = Omit<VaultEntry, 'file' | 'missing'> &
  PagedRow & {
    readonly key: string
  }

export function vaultRows(ctx: Context, userId: string): AsyncGenerator<VaultRow> {
  const statement = `
    select id as cursor, file_path as key, name, original_name as "originalName", source, caption,
      subfeed
    from live_media where user_id = $1 and id > $2 order by id limit ${rowsAtOnce}`
  return pagedRows<VaultRow>(ctx, statement, userId)
}

export async function isImportRunning(ctx: Context, userId: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('library_imports')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns false when another import is running. */
export async function insertImport(
  ctx: Context,
  made: { id: string; userId: string; archiveKey: string; total: number },
): Promise<boolean> {
  const row = await ctx.db
    .insertInto('library_imports')
    .values({
      id: made.id,
      user_id: made.userId,
      archive_key: made.archiveKey,
      total: made.total,
      created_at: ctx.now(),
      updated_at: ctx.now(),
    })
    // A literal, because a prepared statement with a parameter no longer matches the partial index once
    // PostgreSQL uses a generic plan, at its sixth run on a connection.
    .onConflict((row) =>
      row
        .column('user_id')
        .where(sql<boolean>`status = 'running'`)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the caller's own import as JSON text, or null. */
export async function readImportJson(
  ctx: Context,
  userId: string,
  id: string,
): Promise<string | null> {
  const [row] = await runStatement<{ json: string }>(
    ctx,
    `select json_build_object('status', status, 'done', done, 'total', total,
       'sessions', sessions, 'vaultFiles', vault_files, 'skipped', skipped, 'error', error,
       'createdAt', ${isoTime('created_at')}, 'updatedAt', ${isoTime('updated_at')})::text as json
     from library_imports where id = $1 and user_id = $2`,
    [id, userId],
  )
  return row?.json ?? null
}

export type RunningImport = { readonly userId: string; readonly archiveKey: string }

/** Starts an import and renews its lease. */
export async function startImport(ctx: Context, id: string): Promise<RunningImport | undefined> {
  return ctx.db
    .updateTable('library_imports')
    .set({ updated_at: ctx.now() })
    .where(heldCondition(leaseOf(id)))
    .returning(['user_id as userId', 'archive_key as archiveKey'])
    .executeTakeFirst()
}

export async function findItems(ctx: Context, id: string): Promise<Set<string>> {
  const rows = await ctx.db
    .selectFrom('library_import_items')
    .select('item')
    .where('import_id', '=', id)
    .execute()
  return new Set(rows.map(({ item }) => item))
}

/** Returns false if the item was already restored, or the import is no longer running. */
export async function insertItem(ctx: Context, id: string, item: string): Promise<boolean> {
  const { rows } = await sql`
    insert into library_import_items (import_id, item)
    select id, ${item} from library_imports where id = ${id} and status = 'running'
    on conflict do nothing returning item`.execute(ctx.db)
  return rows.length > 0
}

export async function countItem(
  ctx: Context,
  id: string,
  made: { sessions: number; vaultFiles: number; skipped: readonly Skipped[] },
): Promise<void> {
  await sql`
    update library_imports set done = done + 1, sessions = sessions + ${made.sessions},
      vault_files = vault_files + ${made.vaultFiles}, updated_at = ${ctx.now()},
      skipped = case when jsonb_array_length(skipped) < ${maxSkipped}
        then skipped || ${JSON.stringify(made.skipped)}::jsonb else skipped end
    where id = ${id}`.execute(ctx.db)
}

/** Ends an import. `error` is null when it succeeded. */
export async function endImport(ctx: Context, id: string, error: string | null): Promise<void> {
  await ctx.db
    .updateTable('library_imports')
    .set({ status: error === null ? 'done' : 'failed', error, updated_at: ctx.now() })
    .where(heldCondition(leaseOf(id)))
    .execute()
}

/** Fails imports that no job continues, and those whose archives expired. Returns the archives' keys. */
export async function failAbandoned(
  ctx: Context,
  madeBefore: Date,
  error: string,
): Promise<string[]> {
  const rows = await ctx.db
    .updateTable('library_imports')
    .set({ status: 'failed', error, updated_at: ctx.now() })
    .where('status', '=', 'running')
    .where((row) =>
      row.or([
        row('created_at', '<', madeBefore),
        row.and([
          leaseHasEnded(ctx, importLease),
          hasNoPendingJob(libraryQueue, { importId: 'library_imports.id' }),
        ]),
      ]),
    )
    .returning('archive_key')
    .execute()
  return rows.map(({ archive_key }) => archive_key)
}

export async function deleteEnded(ctx: Context, before: Date): Promise<void> {
  await ctx.db
    .deleteFrom('library_imports')
    .where('status', '<>', 'running')
    .where('updated_at', '<', before)
    .execute()
}
