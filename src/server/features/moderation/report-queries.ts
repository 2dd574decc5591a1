/** The SQL of reports. */
import { sql } from 'kysely'
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { isoTime } from '../../database/statement.ts'
import type { Call } from '../../http/route.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { ownerName } from '../accounts/accounts.ts'
import type { Subject } from './takedown-queries.ts'

type Said = Call<typeof api.moderation.report>['body']
type Action = 'dismiss' | 'remove' | 'remove_and_block'

type Evidence = {
  readonly title: string
  readonly ownerId: string
  readonly ownerName: string
  /** Stored files. Their addresses are signed when a moderator reads the report. */
  readonly files: readonly FileAddress[]
  /** Addresses of other sites. */
  readonly addresses: readonly string[]
  /** Perceptual hashes, to recognise the pictures even if the subject is deleted before the decision. */
  readonly hashes: readonly (readonly string[])[]
}

export type Target = {
  readonly title: string
  readonly subject: Subject
  readonly evidence: Evidence
}

export type ReportRow = {
  readonly id: number
  readonly targetType: Said['targetType']
  readonly targetId: number | null
  readonly shareCode: string | null
  readonly reason: Said['reason']
  readonly details: string
  readonly contact: string | null
  readonly evidence: Evidence
  readonly isHidden: boolean
  readonly action: Action | null
  readonly note: string | null
  readonly decidedBy: string | null
  readonly decidedAt: string | null
  readonly createdAt: string
}

export type DecidableReport = {
  readonly row: ReportRow
  readonly title: string
  readonly ownerId: string
  /** Null if the subject was deleted. */
  readonly subject: Subject | null
  readonly takedownId: number | null
}

const evidenceSlides = 12

/** Returns the current subject of a report, or undefined if it does not exist. */
export async function findTarget(ctx: Context, said: Said): Promise<Target | undefined> {
  const where = {
    community_media: sql`select media_id, null::int as session_id from community_media
      where id = ${'targetId' in said ? said.targetId : null}`,
    community_session: sql`select null::int, session_id from community_sessions
      where id = ${'targetId' in said ? said.targetId : null} and status = 'published'`,
    shared_media: sql`select media_id, null::int from media_shares
      where code = ${'shareCode' in said ? said.shareCode : null}`,
    shared_session: sql`select null::int, session_id from session_shares
      where code = ${'shareCode' in said ? said.shareCode : null}`,
    room: sql`select null::int, session_id from open_rooms
      where code = ${'shareCode' in said ? said.shareCode : null} and ends_at > ${ctx.now()}`,
  }[said.targetType]
  type Found = Omit<Subject, 'ownerId'> & Evidence
  const { rows } = await sql<Found>`
    with named (media_id, session_id) as (${where})
    select v.id as "mediaId", s.id as "sessionId", coalesce(v.name, s.title) as title,
      u.id as "ownerId", ${sql.raw(ownerName)} as "ownerName",
      case when s.id is null
        then json_build_array(json_build_object('bucket', 'user-media', 'key', v.file_path))
        else (
          select coalesce(json_agg(json_build_object('bucket', bucket, 'key', key)), '[]') from (
            select 'general' as bucket, m.file_key as key
            from community_sessions c
            join community_session_media m on m.community_session_id = c.id
            where c.session_id = s.id
            union all
            select 'user-media', coalesce(m.own_file_key, shown.file_path)
            from session_media m left join vault_media shown on shown.id = m.vault_media_id
            where m.session_id = s.id and coalesce(m.own_file_key, shown.file_path) is not null
            limit ${evidenceSlides}
          ) seen
        ) end as files,
      array(
        select m.media_url from session_media m
        where m.session_id = s.id and m.own_file_key is null and m.vault_media_id is null
        order by m.position limit ${evidenceSlides}
      ) as addresses,
      (
        select coalesce(json_agg(known.hashes), '[]') from (
          select shown.perceptual_hashes as hashes from vault_media shown
          where shown.id = v.id
            or shown.id in (select vault_media_id from session_media where session_id = s.id)
          union all
          select m.perceptual_hashes from session_media m where m.session_id = s.id
          union all
          select m.perceptual_hashes
          from community_sessions c join community_session_media m on m.community_session_id = c.id
          where c.session_id = s.id
        ) known
        where known.hashes <> '{}'
      ) as hashes
    from named
    left join live_media v on v.id = named.media_id
    left join live_sessions s on s.id = named.session_id
    join users u on u.id = coalesce(v.user_id, s.user_id)`.execute(ctx.db)
  const [found] = rows
  if (!found) return undefined
  const { mediaId, sessionId, ...evidence } = found
  const { title, ownerId } = evidence
  return { title, subject: { mediaId, sessionId, ownerId }, evidence }
}

export async function insertReport(
  ctx: Context,
  said: Said,
  { subject, evidence }: Target,
  { takedownId, reporter }: { takedownId: number | null; reporter: string },
): Promise<number> {
  const { id } = await ctx.db
    .insertInto('reports')
    .values({
      target_type: said.targetType,
      target_id: 'targetId' in said ? said.targetId : null,
      share_code: 'shareCode' in said ? said.shareCode : null,
      media_id: subject.mediaId,
      session_id: subject.sessionId,
      reason: said.reason,
      details: said.details,
      contact: said.contact ?? null,
      evidence: JSON.stringify(evidence),
      takedown_id: takedownId,
      reporter,
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const reportColumns = sql.raw(`
  r.id, r.target_type as "targetType", r.target_id as "targetId", r.share_code as "shareCode",
  r.reason, r.details, r.contact, r.evidence,
  exists (
    select from takedowns t
    where t.state <> 'lifted' and (t.media_id = r.media_id or t.session_id = r.session_id)
  ) as "isHidden",
  r.decision as action, r.note, r.decided_by as "decidedBy", ${isoTime('r.decided_at')} as "decidedAt",
  ${isoTime('r.created_at')} as "createdAt"`)

/** Lists open reports oldest first, and decided reports newest first. */
export async function listReportRows(
  ctx: Context,
  page: { status: 'open' | 'decided'; after: number | null; limit: number },
): Promise<ReportRow[]> {
  const { status, after, limit } = page
  const isOpen = status === 'open'
  const { rows } = await sql<ReportRow>`
    select ${reportColumns} from reports r
    where r.decision is ${sql.raw(isOpen ? '' : 'not')} null
      and (${after}::int is null or r.id ${sql.raw(isOpen ? '>' : '<')} ${after})
    order by r.id ${sql.raw(isOpen ? 'asc' : 'desc')} limit ${limit}`.execute(ctx.db)
  return rows
}

export function findReport(ctx: Context, id: number): Promise<DecidableReport | undefined> {
  return readReport(ctx, id, '')
}

/** Locks the report until the transaction ends. */
export function lockReport(ctx: Context, id: number): Promise<DecidableReport | undefined> {
  return readReport(ctx, id, 'for update of r')
}

async function readReport(
  ctx: Context,
  id: number,
  lock: '' | 'for update of r',
): Promise<DecidableReport | undefined> {
  type Row = ReportRow & {
    mediaId: number | null
    sessionId: number | null
    takedownId: number | null
  }
  const { rows } = await sql<Row>`
    select ${reportColumns}, r.media_id as "mediaId", r.session_id as "sessionId",
      r.takedown_id as "takedownId"
    from reports r where r.id = ${id} ${sql.raw(lock)}`.execute(ctx.db)
  if (!rows[0]) return undefined
  const { mediaId, sessionId, takedownId, ...row } = rows[0]
  const { title, ownerId } = row.evidence
  return {
    row,
    title,
    ownerId,
    subject: mediaId === null && sessionId === null ? null : { mediaId, sessionId, ownerId },
    takedownId,
  }
}

export type DecidedReport = {
  readonly id: number
  readonly reason: Said['reason']
  readonly hashes: readonly (readonly string[])[]
}

/** Decides this report and all open ones about the same subject. */
export async function decideReports(
  ctx: Context,
  { row, subject, takedownId }: DecidableReport,
  decision: { readonly action: Action; readonly note: string; readonly decidedBy: string },
): Promise<DecidedReport[]> {
  const { rows } = await sql<DecidedReport>`
    update reports set decision = ${decision.action}, note = ${decision.note},
      decided_by = ${decision.decidedBy}, decided_at = ${ctx.now()}
    where decision is null and (id = ${row.id} or media_id = ${subject?.mediaId ?? null}
      or session_id = ${subject?.sessionId ?? null} or takedown_id = ${takedownId})
    returning id, reason, evidence -> 'hashes' as hashes`.execute(ctx.db)
  return rows.toSorted((one, other) => one.id - other.id)
}

/**
 * Removes the owner's identity from decided reports after the account was deleted. Reports about minors
 * that were not dismissed are kept whole as evidence, and so are undecided ones.
 */
export async function forgetReportedOwner(ctx: Context, ownerId: string): Promise<void> {
  const nobody = { title: '', ownerId: '', ownerName: '', files: [], addresses: [] }
  const isGone = sql<boolean>`not exists (select from users where users.id = ${ownerId})`
  await sql`
    update reports set evidence = evidence || ${JSON.stringify(nobody)}::jsonb
    where evidence ->> 'ownerId' = ${ownerId} and decision is not null
      and (reason <> 'minor' or decision = 'dismiss') and ${isGone}`.execute(ctx.db)
  await sql`
    delete from hidden_files using takedowns
    where takedowns.id = hidden_files.takedown_id and not takedowns.is_quarantine
      and hidden_files.bucket = 'user-media'
      and starts_with(hidden_files.key, 'users/' || ${ownerId} || '/')
      and ${isGone}`.execute(ctx.db)
}

export async function countReports(ctx: Context) {
  type Row = {
    open: number
    oldestOpenAt: string | null
    dismiss: number
    remove: number
    remove_and_block: number
    median: number | null
    slowest: number | null
  }
  const { rows } = await sql<Row>`
    select count(*) filter (where decision is null)::int as open,
      ${sql.raw(isoTime('min(created_at) filter (where decision is null)'))} as "oldestOpenAt",
      count(*) filter (where decision = 'dismiss')::int as dismiss,
      count(*) filter (where decision = 'remove')::int as remove,
      count(*) filter (where decision = 'remove_and_block')::int as remove_and_block,
      percentile_cont(0.5) within group (order by extract(epoch from decided_at - created_at))
        filter (where decision is not null) as median,
      max(extract(epoch from decided_at - created_at))::float8 as slowest
    from reports`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('an aggregate gives one row')
  const { dismiss, remove, remove_and_block } = row
  return {
    open: row.open,
    oldestOpenAt: row.oldestOpenAt,
    decided: { dismiss, remove, remove_and_block },
    medianSecondsToDecision: row.median,
    slowestSecondsToDecision: row.slowest,
  }
}
