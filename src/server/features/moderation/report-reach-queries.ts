/** The SQL of the spread of a reported subject, and of other reports about its owner. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'

type Reach = {
  readonly shareCodes: number
  readonly publications: number
  readonly sessions: number
  readonly files: number
  readonly ownerReports: {
    readonly open: number
    readonly dismissed: number
    readonly removed: number
  }
}

/** More than anyone reads, and a limit for the recursion. */
const maxCounted = 1000

/**
 * Returns undefined if the report does not exist. For a deleted subject, only the reports about its
 * owner are counted.
 */
export async function findReach(ctx: Context, reportId: number): Promise<Reach | undefined> {
  const { rows } = await sql<Reach>`
    with recursive thing as (
      select media_id, session_id, evidence ->> 'ownerId' as owner_id
      from reports where id = ${reportId}
    ),
    shown (bucket, key) as (
      select 'user-media', file_path from thing join vault_media v on v.id = thing.media_id
      union
      select 'user-media', coalesce(m.own_file_key, v.file_path)
      from thing join session_media m on m.session_id = thing.session_id
      left join vault_media v on v.id = m.vault_media_id
      where coalesce(m.own_file_key, v.file_path) is not null
    ),
    made (bucket, key) as (
      select o.bucket, o.key
      from shown join file_origins o on o.origin_bucket = shown.bucket and o.origin_key = shown.key
      union
      select o.bucket, o.key
      from made join file_origins o on o.origin_bucket = made.bucket and o.origin_key = made.key
    ),
    saved (session_id) as (
      select session_id from thing where session_id is not null
      union
      select s.session_id
      from saved
      join community_sessions published on published.session_id = saved.session_id
      join community_saves s on s.community_session_id = published.id
    )
    select
      ((select count(*) from media_shares s join thing using (media_id))
        + (select count(*) from session_shares s join thing using (session_id))) as "shareCodes",
      ((select count(*) from community_media c join thing using (media_id))
        + (select count(*) from community_sessions c join thing using (session_id)
          where c.status = 'published')) as publications,
      ((select count(distinct m.session_id)
          from session_media m join thing on thing.media_id = m.vault_media_id)
        + (select count(*) from (
            select from saved where session_id <> (select session_id from thing)
            limit ${maxCounted}) counted)) as sessions,
      (select count(*) from (select from made limit ${maxCounted}) counted) as files,
      (select json_build_object(
          'open', count(*) filter (where r.decision is null),
          'dismissed', count(*) filter (where r.decision = 'dismiss'),
          'removed', count(*) filter (where r.decision in ('remove', 'remove_and_block')))
        from reports r
        where r.evidence ->> 'ownerId' = thing.owner_id and r.id <> ${reportId}) as "ownerReports"
    from thing`.execute(ctx.db)
  return rows[0]
}
