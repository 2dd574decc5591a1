/** The SQL of blocked pictures. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'
import type { Form } from '../../media/perceptual-hash.ts'
import { alikeWithinBits, bitsOf } from '../../media/perceptual-hash.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import type { Subject } from './takedown-queries.ts'

export async function isAnythingBlocked(ctx: Context): Promise<boolean> {
  return (await runStatement(ctx, 'select from blocked_hashes limit 1')).length > 0
}

// Compare crops with whole pictures only: crops of different pictures are alike too often.
const matchStatement = `
  select seen.form as seen, b.form as blocked
  from unnest($1::text[], $2::text[], $3::boolean[]) seen (form, bits, is_whole)
  join blocked_hashes b on (b.is_whole or seen.is_whole)
    and bit_count(b.bits # ('x' || seen.bits)::bit(256)) <= ${alikeWithinBits}`

/** Returns the pairs whose bits are alike. The caller still compares their sketches. */
export function findAlikeForms(
  ctx: Context,
  forms: readonly Form[],
): Promise<{ seen: string; blocked: string }[]> {
  return runStatement(ctx, matchStatement, columnsOf(forms))
}

export async function insertBlockedForms(
  ctx: Context,
  reportId: number,
  forms: readonly Form[],
): Promise<void> {
  await runStatement(
    ctx,
    `insert into blocked_hashes (report_id, form, bits, is_whole, created_at)
    select $4::int, form, ('x' || bits)::bit(256), is_whole, $5::timestamptz
    from unnest($1::text[], $2::text[], $3::boolean[]) as blocked (form, bits, is_whole)`,
    [...columnsOf(forms), reportId, ctx.now()],
  )
}

function columnsOf(forms: readonly Form[]) {
  return [
    forms.map(({ form }) => form),
    forms.map(({ form }) => bitsOf(form)),
    forms.map(({ isWhole }) => isWhole),
  ]
}

export type ShownPicture = {
  readonly hashes: readonly string[]
  readonly file: FileAddress | null
  readonly address: string | null
}

/** Returns the picture of a vault file, or the pictures of a session's slides and of its publication. */
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

/** Returns the hashes of the slides that show stored files. */
export async function findKnownHashes(ctx: Context, sessionId: number): Promise<string[][]> {
  const rows = await runStatement<{ hashes: string[] }>(
    ctx,
    `select coalesce(v.perceptual_hashes, m.perceptual_hashes) as hashes
    from session_media m left join vault_media v on v.id = m.vault_media_id
    where m.session_id = $1`,
    [sessionId],
  )
  return rows.map(({ hashes }) => hashes)
}
