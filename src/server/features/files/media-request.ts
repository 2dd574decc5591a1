/** The person who requests media, and the address. Neither is verified here. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { visitorOf } from '../../http/visitor.ts'
import { findSignedInUser } from '../accounts/accounts.ts'

/** Returns the unverified parts of the address. `*` is the key. */
export function claimOf(ctx: Context, request: FastifyRequest) {
  const { '*': key } = request.params as { '*': string }
  const { g: grant, s: signature } = request.query as { g?: unknown; s?: unknown }
  return { secrets: ctx.config.sessionSecrets, key, grant, signature }
}

/**
 * Returns the signed-in user. An API key opens no files by itself, and the cookies of a request with a
 * key are ignored.
 */
export async function findViewer(ctx: Context, request: FastifyRequest) {
  const { cookies } = visitorOf(request, ctx.config.trustedProxies)
  const user = await findSignedInUser(ctx, cookies)
  return user?.isActive ? user : null
}
