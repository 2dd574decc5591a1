/** How every cookie of ours is set: for this site only, and hidden from scripts. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import type { Cookie } from './reply.ts'

export function setCookie(ctx: Context, reply: FastifyReply, cookie: Cookie): void {
  const options = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax' as const,
    secure: ctx.config.production,
  }
  if (cookie.value === null) void reply.clearCookie(cookie.name, options)
  else
    void reply.setCookie(cookie.name, cookie.value, { ...options, maxAge: cookie.maxAgeMs / 1000 })
}
