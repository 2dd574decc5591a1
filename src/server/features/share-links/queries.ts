/** The SQL of share links. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { ownerName } from '../accounts/accounts.ts'

export type Share = {
  readonly code: string
  readonly sessionId: number
  readonly expiresAt: Date | null
  /** The time when its owner last stopped it. */
  readonly stoppedAt: Date | null
  readonly passwordHash: string | null
  /** The access grant in the file addresses for people who open the link. */
  readonly grantId: number
  readonly access: 'members' | 'anyone'
  /** True when guests may download the session. */
  readonly download: boolean
}

const shareColumns = [
  'code',
  'session_id as sessionId',
  'expires_at as expiresAt',
  'stopped_at as stoppedAt',
  'password_hash as passwordHash',
  'grant_id as grantId',
  'access',
  'download',
] as const

/** Finds a share by its code. An ended share is found for 30 more days. */
export function findShare(ctx: Context, code: string): Promise<Share | undefined> {
  return ctx.db
    .selectFrom('session_shares')
    .select(shareColumns)
    .where('code', '=', code)
    .where(sql<boolean>`(expires_at is null
      or greatest(expires_at, stopped_at) > ${endedLinksShownSince(ctx)}::timestamptz)`)
    .where('session_id', 'in', (rows) => rows.selectFrom('live_sessions').select('id'))
    .executeTakeFirst()
}

export function findShareOfSession(ctx: Context, sessionId: number): Promise<Share | undefined> {
  return ctx.db
    .selectFrom('session_shares')
    .select(shareColumns)
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
}

/** Returns the time before which ended links are unknown to guests. */
export function endedLinksShownSince(ctx: Context): Date {
  return new Date(ctx.now().getTime() - 30 * 24 * 3_600_000)
}

/** Updates the session's link, and makes it if there is none. Undefined fields stay as they were. */
export async function upsertShare(
  ctx: Context,
  share: {
    code: string
    sessionId: number
    /** A time in the past stops the link. */
    expiresAt: Date | null | undefined
    passwordHash: string | null | undefined
    access: Share['access'] | undefined
    download: boolean | undefined
  },
): Promise<Share> {
  const { sessionId, expiresAt, passwordHash, access, download } = share
  const stoppedAt = expiresAt && expiresAt <= ctx.now() ? ctx.now() : null
  return ctx.db
    .insertInto('session_shares')
    .values({
      code: share.code,
      session_id: sessionId,
      expires_at: expiresAt ?? null,
      stopped_at: stoppedAt,
      password_hash: passwordHash ?? null,
      access: access ?? 'members',
      download: download ?? false,
      created_at: ctx.now(),
    })
    .onConflict((conflict) =>
      conflict.column('session_id').doUpdateSet({
        session_id: sessionId,
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt, stopped_at: stoppedAt }),
        ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
        ...(access === undefined ? {} : { access }),
        ...(download === undefined ? {} : { download }),
      }),
    )
    .returning(shareColumns)
    .executeTakeFirstOrThrow()
}

/** Returns the owner's name for other people. */
export async function ownerNameOf(ctx: Context, userId: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select ${sql.raw(ownerName)} as name from users u where u.id = ${userId}`.execute(ctx.db)
  return rows[0]?.name ?? 'Someone'
}
