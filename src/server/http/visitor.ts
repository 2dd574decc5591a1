/** Reads the caller's data from a request. */
import type { FastifyRequest } from 'fastify'
import type { TrustedProxies } from '../platform/client-ip.ts'
import { clientIp, isLocalRequest } from '../platform/client-ip.ts'
import type { Visitor } from './caller.ts'

/** Returns a visitor whose costly fields are computed when read: most requests do not need all of them. */
export function visitorOf(request: FastifyRequest, trusted: TrustedProxies): Visitor {
  const { headers } = request
  // Read at once: a peer that has hung up has no address any more.
  const peer = request.socket.remoteAddress ?? ''
  const forwardedFor = headers['x-forwarded-for']
  const key = bearerKeyOf(headers.authorization)
  return {
    get ip() {
      return clientIp({ peer, forwardedFor, trusted })
    },
    get isLoopback() {
      return forwardedFor === undefined && /^(::ffff:)?127\.|^::1$/.test(peer)
    },
    get isLocal() {
      return isLocalRequest(peer, headers)
    },
    userAgent: headers['user-agent']?.slice(0, 500) ?? null,
    cookies: key === null ? request.cookies : {},
    key,
    authorization: headers.authorization ?? null,
    get prefersHtml() {
      return prefersHtml(headers.accept)
    },
    header: (name) => headers[name]?.toString() ?? null,
  }
}

/** Returns the API key. Other bearer tokens, such as the one for the metrics, are not keys. */
export function bearerKeyOf(authorization: string | undefined): string | null {
  return /^Bearer +(lan_.*)$/i.exec(authorization ?? '')?.[1] ?? null
}

/** Returns true if the client names text/html and prefers it at least as much as JSON. */
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
