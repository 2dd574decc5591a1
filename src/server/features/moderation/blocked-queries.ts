/** The SQL of blocked pictures. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { FileAddress } from '../../platform/storage.ts'
import { runStatement } from '../../statement.ts'
import { alikeWithinBits } from '../images/perceptual-hash.ts'
import type { Subject } from './takedown-queries.ts'

export type Hash = { readonly hash: string; readonly isWhole: boolean }

export async function isAnythingBlocked(ctx: Context): Promise<boolean> {
  return (await runStatement(ctx, 'select from blocked_hashes limit 1')).length > 0
}

// Crops are held against whole pictures only: two crops of different pictures meet too easily.
const matchStatement = `
  select from unnest($1::text[], $2::boolean[]) seen (hash, is_whole)
  join blocked_hashes b on (b.is_whole or seen.is_whole)
    and bit_count(b.hash # ('x' || seen.hash)::bit(256)) <= ${alikeWithinBits}
  limit 1`

export async function matchesBlocked(ctx: Context, hashes: readonly Hash[]): Promise<boolean> {
  const parameters = [hashes.map(({ hash }) => hash), hashes.map(({ isWhole }) => isWhole)]
  return (await runStatement(ctx, matchStatement, parameters)).length > 0
}

export async function insertBlockedHashes(
  ctx: Context,
  takedownId: number,
  hashes: readonly Hash[],
): Promise<void> {
  await sql`
    insert into blocked_hashes (takedown_id, hash, is_whole, created_at)
    select ${takedownId}::int, ('x' || hash)::bit(256), is_whole, ${ctx.now()}::timestamptz
    from unnest(${hashes.map(({ hash }) => hash)}::text[],
      ${hashes.map(({ isWhole }) => isWhole)}::boolean[]) as blocked (hash, is_whole)`.execute(
    ctx.db,
  )
}

export type ShownPicture = {
  readonly hashes: readonly string[]
  readonly file: FileAddress | null
  readonly address: string | null
}

/** What a file of the vault is, or what the slides of a session and of its publication show. */
export async function findShownPictures(
  ctx: Context,
  { mediaId, sessionId }: Subject,
): Promise<ShownPicture[]> {
  const { rows } = await sql<ShownPicture>`
    select perceptual_hashes as hashes,
      json_build_object('bucket', 'user-media', 'key', file_path) as file, null as address
    from vault_media
    where id = ${mediaId}
      or id in (select vault_media_id from session_media where session_id = ${sessionId})
    union all
    select m.perceptual_hashes, json_build_object('bucket', 'general', 'key', m.file_key), null
    from community_sessions c join community_session_media m on m.community_session_id = c.id
    where c.session_id = ${sessionId}
    union all
    select '{}',
      case when own_file_key is not null
        then json_build_object('bucket', 'user-media', 'key', own_file_key) end,
      case when own_file_key is null then media_url end
    from session_media where session_id = ${sessionId} and vault_media_id is null`.execute(ctx.db)
  return rows
}

/** Of the vault's pictures among the slides. */
export async function findKnownHashes(ctx: Context, sessionId: number): Promise<string[][]> {
  const rows = await runStatement<{ hashes: string[] }>(
    ctx,
    `select v.perceptual_hashes as hashes
    from session_media m join vault_media v on v.id = m.vault_media_id
    where m.session_id = $1`,
    [sessionId],
  )
  return rows.map(({ hashes }) => hashes)
}
