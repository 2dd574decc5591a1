/**
 * Where reads go that everybody may make: to the replica, while it is fresh and the caller has not
 * written anything lately, else to the server. What the replica does not find or cannot answer is asked
 * of the server, so that a link that was made a moment ago opens.
 */
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { isDatabaseOutage } from '../database/outage.ts'
import type { Visitor } from './caller.ts'
import { Problem } from './problem.ts'
import { setCookie } from './reply.ts'

const cookieName = 'recent_write'
// Far longer than a replica in use is behind: what a call has promised to a job is then done too.
const recentMs = 60_000

/** Called for every request that changes something. Its caller sees what it did, wherever they look. */
export function rememberWriter(ctx: Context, reply: FastifyReply): void {
  if (ctx.replica) setCookie(ctx, reply, { name: cookieName, value: '1', maxAgeMs: recentMs })
}

/** `read` may run twice, so it changes nothing. */
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
      ctx.log.warn({ event: 'replica_read_failed', err: error }, 'a read on the replica failed')
  }
  ctx.metrics.publicRead('server_after_replica')
  return read(ctx)
}

/** Programs keep no cookies; a guess at a link's password is counted once, and held against the newest. */
function mustSeeServer({ cookies, key, header }: Visitor): boolean {
  return key !== null || cookies[cookieName] !== undefined || header('x-share-password') !== null
}
