/** Reads off a request who is calling, as far as the request itself can tell. */
import type { FastifyRequest } from 'fastify'
import type { TrustedProxies } from './client-ip.ts'
import { clientIp } from './client-ip.ts'
import type { Visitor } from './route.ts'

export function visitorOf(request: FastifyRequest, trusted: TrustedProxies): Visitor {
  const peer = request.socket.remoteAddress ?? ''
  const forwardedFor = request.headers['x-forwarded-for']
  return {
    ip: clientIp({ peer, forwardedFor, trusted }),
    isLoopback: forwardedFor === undefined && /^(::ffff:)?127\.|^::1$/.test(peer),
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    cookies: request.cookies,
    authorization: request.headers.authorization ?? null,
    prefersHtml: prefersHtml(request.headers.accept),
    header: (name) => request.headers[name]?.toString() ?? null,
  }
}

/** Whether text/html is accepted at least as gladly as JSON, and by name. */
function prefersHtml(accept: string | undefined): boolean {
  const weights = new Map(
    (accept ?? '').split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return [type, quality ? Number(quality.slice(2)) : 1]
    }),
  )
  const html = weights.get('text/html') ?? 0
  return html > 0 && html >= (weights.get('application/json') ?? 0)
}
