/** The SQL of share links. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { ownerName } from '../accounts/accounts.ts'

export type Share = {
  readonly code: string
  readonly sessionId: number
  readonly expiresAt: Date | null
  readonly passwordHash: string | null
  /** By which files are given to whoever opens it. */
  readonly grantId: number
  readonly access: 'members' | 'anyone'
}

const shareColumns = [
  'code',
  'session_id as sessionId',
  'expires_at as expiresAt',
  'password_hash as passwordHash',
  'grant_id as grantId',
  'access',
] as const

export function findShare(ctx: Context, code: string): Promise<Share | undefined> {
  return ctx.db
    .selectFrom('session_shares')
    .select(shareColumns)
    .where('code', '=', code)
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

/** The session's link, made where there is none. What is undefined stays as it was. */
export async function upsertShare(
  ctx: Context,
  share: {
    code: string
    sessionId: number
    expiresAt: Date | null | undefined
    passwordHash: string | null | undefined
    access: Share['access'] | undefined
  },
): Promise<Share> {
  const { sessionId, expiresAt, passwordHash, access } = share
  return ctx.db
    .insertInto('session_shares')
    .values({
      code: share.code,
      session_id: sessionId,
      expires_at: expiresAt ?? null,
      password_hash: passwordHash ?? null,
      access: access ?? 'members',
      created_at: ctx.now(),
    })
    .onConflict((conflict) =>
      conflict.column('session_id').doUpdateSet({
        session_id: sessionId,
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
        ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
        ...(access === undefined ? {} : { access }),
      }),
    )
    .returning(shareColumns)
    .executeTakeFirstOrThrow()
}

/** What others are told of whose something is. */
export async function ownerNameOf(ctx: Context, userId: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select ${sql.raw(ownerName)} as name from users u where u.id = ${userId}`.execute(ctx.db)
  return rows[0]?.name ?? 'Someone'
}
