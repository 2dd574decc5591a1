/** The SQL of link checks. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { LinkState } from './link-verdicts.ts'

export type DueLink = LinkState & {
  readonly slideId: number
  readonly sessionId: number
  readonly mediaUrl: string
  readonly host: string
}

/**
 * Claims the slides that have waited longest, alternating between sites, until `heldUntil`. Other nodes
 * do not take them before that. If this node dies, they become due again. The limit for one owner stops
 * a user with many sites from blocking the others.
 */
export async function claimDueLinks(
  ctx: Context,
  limits: { max: number; maxPerHost: number; maxPerOwner: number; heldUntil: Date },
): Promise<DueLink[]> {
  const now = ctx.now()
  // A loose index scan finds the sites: there are few sites and many slides. Slides that were never
  // checked are a separate query: with both conditions in one query, all slides of a site are read even
  // if none is due.
  const dueSlides = sql`
    select m.id, m.session_id, m.link_check_at from session_media m
    where m.link_host = hosts.host and exists (select from live_sessions s
      where s.id = m.session_id and s.fill_status in ('ready', 'failed'))`
  const { rows } = await sql<DueLink>`
    with recursive hosts(host) as (
      select min(link_host) from session_media
      union all
      select (select min(link_host) from session_media where link_host > hosts.host)
      from hosts where hosts.host is not null
    ), due as (
      select link.* from hosts cross join lateral (
        select m.id, m.session_id, m.link_check_at,
          row_number() over (order by m.link_check_at nulls first) as turn
        from (
          (${dueSlides} and m.link_check_at is null limit ${limits.maxPerHost})
          union all
          (${dueSlides} and m.link_check_at <= ${now}
            order by m.link_check_at limit ${limits.maxPerHost})
        ) m
        order by m.link_check_at nulls first limit ${limits.maxPerHost}
      ) link
      where not exists (select from resting_hosts where host = hosts.host and until > ${now})
    ), owned as (
      select due.*, row_number() over (
        partition by s.user_id order by due.turn, due.link_check_at nulls first) as owner_turn
      from due join live_sessions s on s.id = due.session_id
    ), held as (
      select m.id from session_media m
      where m.id in (select id from owned where owner_turn <= ${limits.maxPerOwner}
          order by turn, link_check_at nulls first limit ${limits.max})
        and (m.link_check_at is null or m.link_check_at <= ${now})
      for update skip locked
    )
    update session_media m set link_check_at = ${limits.heldUntil} from held where m.id = held.id
    returning m.id as "slideId", m.session_id as "sessionId", m.media_url as "mediaUrl",
      m.link_host as host, m.link_faulty_since as "faultySince", m.is_broken as "isBroken"`.execute(
    ctx.db,
  )
  return rows
}

export type CheckedLink = LinkState & { readonly slideId: number; readonly checkAt: Date }

/**
 * Stores the results for slides that still exist and still show another site. An import copies pictures
 * into the storage.
 */
export async function recordChecks(
  ctx: Context,
  sessionId: number,
  checked: readonly CheckedLink[],
): Promise<void> {
  await sql`
    update session_media m set link_check_at = c."checkAt", link_faulty_since = c."faultySince",
      is_broken = c."isBroken"
    from jsonb_to_recordset(${JSON.stringify(checked)}::jsonb)
      as c("slideId" int, "checkAt" timestamptz, "faultySince" timestamptz, "isBroken" boolean)
    where m.id = c."slideId" and m.session_id = ${sessionId} and m.link_host is not null`.execute(
    ctx.db,
  )
}

/**
 * Updates the session's counts and returns the number of broken slides. This is no edit of the session,
 * so `updated_at` stays.
 */
export async function recordLinkHealth(
  ctx: Context,
  sessionId: number,
  replaced: number,
): Promise<number> {
  const { rows } = await sql<{ broken: number }>`
    update sessions set links_checked_at = ${ctx.now()},
      replaced_count = replaced_count + ${replaced},
      broken_count = (select count(*) from session_media
        where session_id = ${sessionId} and is_broken)
    where id = ${sessionId} returning broken_count as broken`.execute(ctx.db)
  return rows[0]?.broken ?? 0
}

export async function ownerIsAgeVerified(ctx: Context, sessionId: number): Promise<boolean> {
  const owner = await ctx.db
    .selectFrom('live_sessions as s')
    .innerJoin('users', 'users.id', 's.user_id')
    .select('users.age_verified')
    .where('s.id', '=', sessionId)
    .executeTakeFirst()
  return owner?.age_verified ?? false
}
