// Judges a URL that a user has given, before anything is connected to: what is no public http(s)
// URL in a plain spelling is refused with a word for it.

import { isIPv4 } from 'node:net'
import { isGlobalAddress } from './global-address.ts'

/** A URL that was not fetched, or not to its end. The message is fit for users. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused'
  readonly reason: keyof typeof refusals

  constructor(reason: keyof typeof refusals, options?: ErrorOptions) {
    super(refusals[reason], options)
    this.reason = reason
  }
}

const refusals = {
  invalid_url: 'The URL cannot be read',
  scheme: 'Only http and https URLs are fetched',
  host: 'The host is not on the public internet',
  redirects: 'The URL redirects too often',
  too_large: 'The answer is larger than the limit',
  encoding: 'The answer is compressed although that was not asked for',
  timeout: 'The answer took too long',
  unreachable: 'The host cannot be reached',
}

/** What can be said against a URL before connecting; null when nothing can. */
export function refuseUrl(url: string, allow: readonly string[]): FetchRefused | null {
  try {
    judgeUrl(url, allow)
    return null
  } catch (error) {
    if (error instanceof FetchRefused) return error
    throw error
  }
}

/** A URL that may be asked; `trusted` when its host and port are in the allow list. */
export type Target = { url: URL; trusted: boolean }

/** `allow` holds 'host:port' pairs that may lie anywhere, spelled as URLs come out of the parser. */
export function judgeUrl(spelling: string, allow: readonly string[]): Target {
  const url = URL.parse(spelling)
  if (!url) throw new FetchRefused('invalid_url')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchRefused('scheme')

  const authority = authorityOf(spelling)
  if (authority === undefined || authority.includes('@')) throw new FetchRefused('invalid_url')

  // The root's dot names the same host, but neither certificates nor the allow list carry it.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)

  // The parser turns octal, hex, shortened and full-width addresses into plain ones. Nobody
  // writes them so in good faith.
  const spelledHost = authority.replace(/:\d*$/, '')
  if (isIPv4(url.hostname) && spelledHost !== url.hostname) throw new FetchRefused('host')

  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (allow.includes(`${url.hostname}:${port}`)) return { url, trusted: true }
  if (!mayBeGlobal(url.hostname)) throw new FetchRefused('host')
  return { url, trusted: false }
}

/** What stands between the slashes and the path, as written: user, host and port. */
function authorityOf(spelling: string): string | undefined {
  // The parser drops line breaks and tabs anywhere, and takes any number of slashes either way.
  const visible = spelling.trim().replaceAll(/[\t\n\r]/g, '')
  return /^https?:[\\/]*([^\\/?#]*)/i.exec(visible)?.[1]
}

function mayBeGlobal(hostname: string): boolean {
  if (isIPv4(hostname)) return isGlobalAddress(hostname)
  if (hostname.startsWith('[')) return isGlobalAddress(hostname.slice(1, -1))
  // A name without a dot is found in a hosts file or the local search domain only.
  const labels = hostname.split('.')
  return labels.length > 1 && !labels.includes('') && !LOCAL_NAME.test(hostname)
}

// Names that are set aside for the machine, the house or the data centre.
const LOCAL_NAME = /\.(?:localhost|localdomain|local|internal|home\.arpa)$/
