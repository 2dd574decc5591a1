/** SQL queries of an export: pages of rows as JSON built by PostgreSQL. */
import type { Context } from '../../context.ts'
import { isoTime, pagedRows } from '../../database/statement.ts'
import type { PagedRow } from '../../database/statement.ts'
import { sessionJson, slideJson } from '../sessions/sessions.ts'

const rowsAtOnce = 500
const sessionsAtOnce = 20

/**
 * A file of rows: its name, description and query. `cursor` must increase, because each page begins
 * after the last one.
 */
export type Sheet = { readonly name: string; readonly about: string; readonly from: string }

export const sheets: readonly Sheet[] = [
  {
    name: 'activity.json',
    about: 'Activity of the account, with the IP address and the browser',
    from: `select id as cursor, id, action, feature, details, ip_address as "ipAddress",
      user_agent as "userAgent", session_id as "sessionId", ${isoTime('created_at')} as "createdAt"
      from activity_log where user_id = $1 and id > $2 order by id`,
  },
  {
    name: 'caption-jobs.json',
    about: 'Sessions that were captioned in the background',
    from: `select * from (
      select row_number() over (order by created_at, id) as cursor, id, session_id as "sessionId",
        steering, status, ${isoTime('created_at')} as "createdAt"
      from caption_jobs where user_id = $1) job where cursor > $2 order by cursor`,
  },
  {
    name: 'community.json',
    about: 'What was published to the community',
    from: `select * from (
      select row_number() over (order by "publishedAt", kind, id) as cursor, published.* from (
        select 'session' as kind, id, session_id as "sessionId", null::int as "mediaId", title,
          status, nsfw, media_count as "mediaCount", tags, saved_count as "savedCount",
          ${isoTime('published_at')} as "publishedAt"
        from community_sessions where owner_id = $1
        union all
        select 'media', id, null, media_id, null, 'published', nsfw, 1, tags, null,
          ${isoTime('published_at')}
        from community_media where owner_id = $1
      ) published) numbered where cursor > $2 order by cursor`,
  },
  {
    name: 'connections.json',
    about: 'Connected accounts on other servers, without their keys',
    from: `select * from (
      select row_number() over (order by created_at, id) as cursor, kind, name,
        ${isoTime('created_at')} as "createdAt", ${isoTime('last_used_at')} as "lastUsedAt"
      from connections where user_id = $1) connection where cursor > $2 order by cursor`,
  },
  {
    name: 'consents.json',
    about: 'Policies that were agreed to',
    from: `select version as cursor, 'enhancement' as "to", version,
      ${isoTime('accepted_at')} as "acceptedAt"
      from enhancement_consents where user_id = $1 and version > $2 order by version`,
  },
  {
    name: 'daily-bonuses.json',
    about: 'Daily bonuses that were claimed',
    from: `select * from (
      select row_number() over (order by day) as cursor, day, streak
      from daily_bonuses where user_id = $1) bonus where cursor > $2 order by cursor`,
  },
  {
    name: 'enhancements.json',
    about: 'Pictures that were enhanced; their files are in enhancements/',
    from: `select id as cursor, id, status, quality, requested_provider as "requestedProvider",
      actual_provider as "actualProvider", processing_time_ms as "processingTimeMs",
      error_message as "errorMessage", credit_charged as "creditCharged",
      ${isoTime('refunded_at')} as "refundedAt", media_id as "mediaId",
      ${isoTime('created_at')} as "createdAt"
      from enhancement_generations where user_id = $1 and id > $2 order by id`,
  },
  {
    name: 'frames.json',
    about: 'Frames that play sessions on a wall, without their links',
    from: `select id as cursor, id, name, settings, nsfw, array(
        select session_id from frame_sessions where frame_id = frames.id order by position
      ) as "sessionIds", ${isoTime('created_at')} as "createdAt",
      ${isoTime('updated_at')} as "updatedAt"
      from frames where user_id = $1 and id > $2 order by id`,
  },
  {
    name: 'keys.json',
    about: 'API keys with their names, without their secrets',
    from: `select * from (
      select row_number() over (order by created_at, id) as cursor, name, scopes,
        ${isoTime('created_at')} as "createdAt", ${isoTime('last_used_at')} as "lastUsedAt",
        ${isoTime('expires_at')} as "expiresAt"
      from api_keys where user_id = $1) key where cursor > $2 order by cursor`,
  },
  {
    name: 'library-imports.json',
    about: 'Imports of libraries',
    from: `select * from (
      select row_number() over (order by created_at, id) as cursor, id, status, total, done, sessions,
        vault_files as "vaultFiles", skipped, error, ${isoTime('created_at')} as "createdAt",
        ${isoTime('updated_at')} as "updatedAt"
      from library_imports where user_id = $1) import where cursor > $2 order by cursor`,
  },
  {
    name: 'notices.json',
    about: 'Notices to the account',
    from: `select id as cursor, id, message, ${isoTime('created_at')} as "createdAt",
      ${isoTime('read_at')} as "readAt"
      from notices where user_id = $1 and id > $2 order by id`,
  },
  {
    name: 'passkeys.json',
    about: 'Passkeys with their names',
    from: `select * from (
      select row_number() over (order by created_at, id) as cursor, name,
        ${isoTime('created_at')} as "createdAt", ${isoTime('last_used_at')} as "lastUsedAt"
      from passkeys where user_id = $1) passkey where cursor > $2 order by cursor`,
  },
  {
    name: 'payments.json',
    about: 'Payments, with what was bought',
    from: `select id as cursor, id, method, package_id as "packageId", tier, credits,
      price_cents / 100.0 as "priceUsd", status, stars, checkout_url as "checkoutUrl",
      ${isoTime('created_at')} as "createdAt", ${isoTime('completed_at')} as "completedAt",
      ${isoTime('refunded_at')} as "refundedAt", chain_id as "chainId", token, recipient,
      amount::text as amount, tx_hash as "txHash"
      from payments left join payment_transfers on payment_id = id
      where user_id = $1 and id > $2 order by id`,
  },
  {
    name: 'plays.json',
    about: 'Sessions that were played',
    from: `select id as cursor, id, session_id as "sessionId", ${isoTime('created_at')} as "createdAt",
      (select count(*) from play_views where play_id = id) as "slidesSeen"
      from plays where user_id = $1 and id > $2 order by id`,
  },
  {
    name: 'referrals.json',
    about: 'People who joined through the account’s link, without their names',
    from: `select id as cursor, ${isoTime('created_at')} as "joinedAt", source, paid
      from referrals where referrer_id = $1 and id > $2 order by id`,
  },
  {
    name: 'rooms.json',
    about: 'Rooms that played a session on several screens, without their codes',
    from: `select id as cursor, session_id as "sessionId", status,
      ${isoTime('created_at')} as "createdAt", ${isoTime('commanded_at')} as "commandedAt"
      from rooms where host_id = $1 and id > $2 order by id`,
  },
  {
    name: 'shares.json',
    about: 'Links to sessions and media that were shared',
    from: `select * from (
      select row_number() over (order by "createdAt", code) as cursor, shared.* from (
        select 'session' as kind, code, session_id as "sessionId", null::int as "mediaId",
          ${isoTime('share.expires_at')} as "expiresAt", password_hash is not null as "hasPassword",
          ${isoTime('share.created_at')} as "createdAt"
        from session_shares share join sessions on sessions.id = session_id
        where user_id = $1
        union all
        select 'media', code, null, media_id, null, false, ${isoTime('share.created_at')}
        from media_shares share join vault_media on vault_media.id = media_id
        where user_id = $1
      ) shared) numbered where cursor > $2 order by cursor`,
  },
  {
    name: 'sign-ins.json',
    about: 'Where the account is signed in at the moment',
    from: `select * from (
      select row_number() over (order by created_at, secret_hash) as cursor,
        ${isoTime('created_at')} as "createdAt", ${isoTime('renewed_at')} as "renewedAt",
        ${isoTime('expires_at')} as "expiresAt"
      from sign_ins where user_id = $1) sign_in where cursor > $2 order by cursor`,
  },
  {
    name: 'transactions.json',
    about: 'All credit transactions',
    from: `select id as cursor, id, amount, type, description, feature_key as "featureKey",
      metadata - 'grantedBy' as metadata, balance_after as "balanceAfter",
      ${isoTime('created_at')} as "createdAt"
      from credit_transactions where user_id = $1 and id > $2 order by id`,
  },
  {
    name: 'trash.json',
    about: 'Sessions and files that are in the trash, and since when',
    from: `select * from (
      select row_number() over (order by trashed_at, kind, id) as cursor, kind, id,
        ${isoTime('trashed_at')} as "deletedAt"
      from (
        select 'session' as kind, id, trashed_at from sessions where user_id = $1
        union all
        select 'media', id, trashed_at from vault_media where user_id = $1
      ) kept where trashed_at is not null) trashed where cursor > $2 order by cursor`,
  },
  {
    name: 'vault.json',
    about: 'Details of each file in vault/, by its number',
    from: `select id as cursor, id, name, original_name as "originalName", category, source,
      file_path as path, file_size as size, mime_type as "mimeType", caption,
      character_name as "characterName", subfeed, width, height, duration_ms as "durationMs",
      share_to_community as "shareToCommunity", tags, is_favorite as "isFavorite", metadata,
      enrichment_status as "enrichmentStatus", ${isoTime('enriched_at')} as "enrichedAt",
      ${isoTime('created_at')} as "createdAt"
      from vault_media where user_id = $1 and id > $2 order by id`,
  },
]

/** Returns the rows of a sheet, each as a JSON object. */
export async function* rowsOf(ctx: Context, sheet: Sheet, userId: string): AsyncGenerator<string> {
  const statement = `
    select cursor, (to_jsonb(page) - 'cursor')::text as json
    from (${sheet.from} limit ${rowsAtOnce}) page order by cursor`
  type Row = PagedRow & { readonly json: string }
  for await (const { json } of pagedRows<Row>(ctx, statement, userId)) yield json
}

export type ExportedSession = PagedRow & {
  readonly title: string
  readonly updatedAt: Date
  readonly json: string
}

/** Returns sessions with slides and captions, as their owner sees them. */
export function sessionsOf(ctx: Context, userId: string): AsyncGenerator<ExportedSession> {
  const statement = `
    select s.id as cursor, s.title, s.updated_at as "updatedAt", json_build_object(
      'session', ${sessionJson},
      'media', coalesce((select json_agg(${slideJson} order by m.position)
        from session_media m where m.session_id = s.id), '[]'),
      'skipped', s.skipped_media)::text as json
    from sessions s where s.user_id = $1 and s.id > $2 order by s.id limit ${sessionsAtOnce}`
  return pagedRows<ExportedSession>(ctx, statement, userId)
}

export type ExportedFile = PagedRow & {
  readonly key: string
  readonly name: string
  readonly createdAt: Date
}

export function vaultFilesOf(ctx: Context, userId: string): AsyncGenerator<ExportedFile> {
  const statement = `
    select id as cursor, file_path as key, original_name as name, created_at as "createdAt"
    from vault_media where user_id = $1 and id > $2 order by id limit ${rowsAtOnce}`
  return pagedRows<ExportedFile>(ctx, statement, userId)
}

/** Returns the files owned by sessions; `cursor` is the session's id. */
export function sessionFilesOf(ctx: Context, userId: string): AsyncGenerator<ExportedSessionFiles> {
  const statement = `
    select s.id as cursor, s.updated_at as "updatedAt", array(
      select key from (
        select own_file_key as key from session_media where session_id = s.id
        union select s.own_thumbnail_key
      ) own where key is not null order by key
    ) as keys
    from sessions s where s.user_id = $1 and s.id > $2 order by s.id limit ${sessionsAtOnce}`
  return pagedRows<ExportedSessionFiles>(ctx, statement, userId)
}

export type ExportedSessionFiles = PagedRow & {
  readonly updatedAt: Date
  readonly keys: readonly string[]
}

export type ExportedGeneration = PagedRow & {
  readonly original: string | null
  readonly result: string | null
  readonly createdAt: Date
}

export function generationFilesOf(
  ctx: Context,
  userId: string,
): AsyncGenerator<ExportedGeneration> {
  const statement = `
    select id as cursor, original_path as original, result_path as result,
      created_at as "createdAt"
    from enhancement_generations where user_id = $1 and id > $2 order by id limit ${rowsAtOnce}`
  return pagedRows<ExportedGeneration>(ctx, statement, userId)
}
