/** Who asks for media, and by what address: nothing about either is known yet. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { visitorOf } from '../../http/visitor.ts'
import { findSignedInUser } from '../accounts/accounts.ts'

/** What the address says of itself; `*` is the key. */
export function claimOf(ctx: Context, request: FastifyRequest) {
  const { '*': key } = request.params as { '*': string }
  const { g: grant, s: signature } = request.query as { g?: unknown; s?: unknown }
  return { secrets: ctx.config.sessionSecrets, key, grant, signature }
}

/** Keys open no files of themselves, and no cookie is looked at beside one. */
export async function findViewer(ctx: Context, request: FastifyRequest) {
  const { cookies } = visitorOf(request, ctx.config.trustedProxies)
  const user = await findSignedInUser(ctx, cookies)
  return user?.isActive ? user : null
}
