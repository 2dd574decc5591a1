/** Returns true if another site caused the request, so that it must not change anything (contract 3.11). */
import type { IncomingHttpHeaders } from 'node:http'

export function isCrossSite(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return true
  const { origin, host } = headers
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  const sender = new URL(origin)
  return sender.origin !== new URL(baseUrl).origin && sender.host !== host
}
