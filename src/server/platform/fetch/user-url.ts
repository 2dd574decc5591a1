// Checks a URL from a user before any connection. Only public http(s) URLs in a plain spelling pass. Others
// are refused with a reason.

import { isIPv4 } from 'node:net'
import { isGlobalAddress } from './global-address.ts'

/** A URL that was not fetched, or not completely. Users may see the message. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused'
  readonly reason: keyof typeof refusals

  constructor(reason: keyof typeof refusals, options?: ErrorOptions) {
    super(refusals[reason], options)
    this.reason = reason
  }
}

const refusals = {
  invalid_url: 'The URL is not valid',
  scheme: 'Only http and https URLs are fetched',
  host: 'The host is not on the public internet',
  redirects: 'The URL redirects too often',
  too_large: 'The response is larger than the limit',
  encoding: 'The response is compressed although the request did not allow it',
  timeout: 'The response took too long',
  unreachable: 'The host cannot be reached',
}

/** Returns the objection to a URL that is known before connecting, or null. */
export function refuseUrl(url: string, allow: readonly string[]): FetchRefused | null {
  try {
    judgeUrl(url, allow)
    return null
  } catch (error) {
    if (error instanceof FetchRefused) return error
    throw error
  }
}

/** A URL that may be fetched. `trusted` is true if its host and port are in the allow list. */
export type Target = { url: URL; trusted: boolean }

/** Checks a URL. `allow` contains 'host:port' pairs of any address, as the URL parser spells them. */
export function judgeUrl(spelling: string, allow: readonly string[]): Target {
  const url = URL.parse(spelling)
  if (!url) throw new FetchRefused('invalid_url')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchRefused('scheme')

  const authority = authorityOf(spelling)
  if (authority === undefined || authority.includes('@')) throw new FetchRefused('invalid_url')

  // A final dot names the same host, but certificates and the allow list do not have it.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)

  // The parser converts octal, hex, shortened and full-width addresses to plain ones. Such spellings have
  // no legitimate use here.
  const spelledHost = authority.replace(/:\d*$/, '')
  if (isIPv4(url.hostname) && spelledHost !== url.hostname) throw new FetchRefused('host')

  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (allow.includes(`${url.hostname}:${port}`)) return { url, trusted: true }
  if (!mayBeGlobal(url.hostname)) throw new FetchRefused('host')
  return { url, trusted: false }
}

/** Returns the part between the slashes and the path as written: user, host and port. */
function authorityOf(spelling: string): string | undefined {
  // The parser drops line breaks and tabs anywhere, and accepts any number of slashes and backslashes.
  const visible = spelling.trim().replaceAll(/[\t\n\r]/g, '')
  return /^https?:[\\/]*([^\\/?#]*)/i.exec(visible)?.[1]
}

function mayBeGlobal(hostname: string): boolean {
  if (isIPv4(hostname)) return isGlobalAddress(hostname)
  if (hostname.startsWith('[')) return isGlobalAddress(hostname.slice(1, -1))
  // A name without a dot resolves only through a hosts file or the local search domain.
  const labels = hostname.split('.')
  return labels.length > 1 && !labels.includes('') && !LOCAL_NAME.test(hostname)
}

// Names that are reserved for the machine, the local network or the data centre.
const LOCAL_NAME = /\.(?:localhost|localdomain|local|internal|home\.arpa)$/
