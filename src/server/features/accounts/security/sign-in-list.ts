/** Lists the sign-ins of an account for its owner, and ends them. */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import type { Visitor } from '../../../http/caller.ts'
import { problem } from '../../../http/problem.ts'
import { Reply } from '../../../http/reply.ts'
import type { Call } from '../../../http/route.ts'
import { logActivity } from '../../activity/activity.ts'
import { findKeySignIns } from '../keys/key-queries.ts'
import { revokeKey } from '../keys/keys.ts'
import { deleteSignInById, endSignInsExcept, findSignInsOf } from '../sign-in-queries.ts'
import { endSignIn as clearSignIn, signInHashOf } from '../sign-ins.ts'

export async function listSignIns(
  ctx: Context,
  { user, visitor }: Call<typeof api.security.listSignIns>,
) {
  const current = signInHashOf(ctx, visitor)
  const browsers = (await findSignInsOf(ctx, user.id)).map(({ secretHash, ...signIn }) => ({
    ...signIn,
    isCurrent: current !== null && Buffer.compare(secretHash, current) === 0,
    kind: 'browser' as const,
  }))
  const keys = (await findKeySignIns(ctx, user.id)).map(({ lastUsedAt, ...key }) => ({
    ...key,
    lastSeenAt: lastUsedAt ?? key.createdAt,
    isCurrent: false,
    kind: 'key' as const,
  }))
  return [...browsers, ...keys]
    .toSorted((one, other) => other.lastSeenAt.getTime() - one.lastSeenAt.getTime())
    .map(({ createdAt, lastSeenAt, ...signIn }) => ({
      ...signIn,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
    }))
}

export function endOneSignIn(
  ctx: Context,
  { user, visitor, params }: Call<typeof api.security.endSignIn>,
) {
  return atomically(ctx, async (ctx) => {
    const ended = await deleteSignInById(ctx, user.id, params.id)
    if (!ended) {
      if (!(await revokeKey(ctx, visitor, user.id, params.id))) throw problem.signInNotFound()
      return { message: 'Key revoked' }
    }
    await logEnd(ctx, visitor, user.id, { which: 'one' })
    const current = signInHashOf(ctx, visitor)
    const isCurrent = current !== null && Buffer.compare(ended.secretHash, current) === 0
    const cookies = isCurrent ? [await clearSignIn(ctx, visitor.cookies)] : []
    return new Reply({ message: 'Sign-in ended' }, cookies)
  })
}

export function endOtherSignIns(
  ctx: Context,
  { user, visitor }: Call<typeof api.security.endOtherSignIns>,
) {
  return atomically(ctx, async (ctx) => {
    await endSignInsExcept(ctx, user.id, signInHashOf(ctx, visitor))
    await logEnd(ctx, visitor, user.id, { which: 'others' })
    return { message: 'All other sign-ins ended' }
  })
}

function logEnd(
  ctx: Context,
  visitor: Visitor,
  userId: string,
  details: Record<string, unknown>,
): Promise<void> {
  const entry = { action: 'sign_in_ended', feature: 'authentication' } as const
  return logActivity(ctx, visitor, { userId, ...entry, details })
}
