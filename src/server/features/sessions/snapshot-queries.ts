/** The SQL of session snapshots, and of the flag that a session is shared. */
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'
import type { SessionView } from './queries.ts'
import { sessionJson } from './session-json.ts'
import type { SnapshotSlide } from './slides/slide-columns.ts'
import { selectList, snapshotColumns } from './slides/slide-columns.ts'

/** All data that a copy of the session needs, also data that its readers do not see. */
export type SessionSnapshot = {
  readonly session: SessionView
  /** True when the owner chose the thumbnail. */
  readonly thumbnailGiven: boolean
  readonly ownerIsAgeVerified: boolean
  readonly slides: readonly SnapshotSlide[]
}

const snapshotStatement = `
  select json_build_object(
    'session', ${sessionJson}, 'thumbnailGiven', s.thumbnail_given,
    'ownerIsAgeVerified', (select age_verified from users where id = s.user_id),
    'slides', coalesce((
      select json_agg(slide) from (
        select ${selectList(snapshotColumns)} from session_media m
        where m.session_id = s.id and not m.in_trash order by m.position
      ) slide
    ), '[]')
  ) as snapshot
  from live_sessions s where s.id = $1`

export async function findSnapshot(ctx: Context, id: number): Promise<SessionSnapshot | null> {
  type Row = { snapshot: SessionSnapshot }
  const [row] = await runStatement<Row>(ctx, snapshotStatement, [id])
  return row?.snapshot ?? null
}

export async function setShared(
  ctx: Context,
  id: number,
  change: { isShared: boolean },
): Promise<void> {
  await ctx.db
    .updateTable('sessions')
    .set({ share_to_community: change.isShared, updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}
