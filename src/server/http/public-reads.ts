/**
 * Routes reads that anybody may make to the replica, if it is fresh and the caller has not written
 * recently. Other reads use the main server. If the replica has no result or fails, the main server is
 * asked too, so that a link that was just created opens.
 */
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { isDatabaseOutage } from '../database/outage.ts'
import type { Visitor } from './caller.ts'
import { Problem } from './problem.ts'
import { setCookie } from './reply.ts'

const cookieName = 'recent_write'
// Far longer than the delay of a replica in use: jobs that the call has started are done by then too.
const recentMs = 60_000

/** Marks a caller who changes something: until the mark expires, their reads use the main server. */
export function rememberWriter(ctx: Context, reply: FastifyReply): void {
  if (ctx.replica) setCookie(ctx, reply, { name: cookieName, value: '1', maxAgeMs: recentMs })
}

/** Reads from the replica or the main server. `read` may run twice, so it must not change anything. */
export async function readPublicly<T>(
  ctx: Context,
  visitor: Visitor,
  read: (ctx: Context) => Promise<T>,
): Promise<T> {
  const { replica } = ctx
  if (!replica) return read(ctx)
  if (!replica.isFresh() || mustSeeServer(visitor)) {
    ctx.metrics.publicRead('server')
    return read(ctx)
  }
  try {
    const found = await read({ ...ctx, db: replica.db, query: replica.query })
    if (found !== null) {
      ctx.metrics.publicRead('replica')
      return found
    }
  } catch (error) {
    if (!(error instanceof Problem) && !isDatabaseOutage(error))
      ctx.log.warn(
        { event: 'replica_read_failed', err: error },
        'a read on the replica failed, using the primary',
      )
  }
  ctx.metrics.publicRead('server_after_replica')
  return read(ctx)
}

/**
 * Returns true for callers that must not use the replica. Scripts keep no cookies. A guess at a link's
 * password must count once and be compared with the newest one.
 */
function mustSeeServer({ cookies, key, header }: Visitor): boolean {
  return key !== null || cookies[cookieName] !== undefined || header('x-share-password') !== null
}
