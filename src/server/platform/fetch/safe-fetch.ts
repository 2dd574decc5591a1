// Fetches a URL that a user supplied. It connects to public http(s) addresses only, and limits size and
// time. It checks the resolved address, and checks again at every redirect.

import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isGlobalAddress } from './global-address.ts'
import { FetchRefused, judgeUrl, type Target } from './user-url.ts'

export type SafeFetch = (url: string, options: SafeFetchOptions) => Promise<Fetched>

export type SafeFetchOptions = {
  method?: 'GET' | 'HEAD' | 'POST'
  /** Only for POST, and sent to one address: redirects of a POST are not followed. */
  body?: string
  headers?: Record<string, string>
  maxBytes: number
  /** The time from DNS lookup to the last byte, including redirects. Default: 10 s. */
  timeoutMs?: number
  signal?: AbortSignal
  /** The origin that the operator configured by a setting. It may have a private address. */
  chosenOrigin?: string | undefined
  /** 'by hand': a redirect is returned like other responses; `redirectOf` reads its target. */
  redirects?: 'followed' | 'by hand'
}

/** A response. Read the body once, by `body` or by `bytes()`. Leaving the loop early closes the socket. */
export type Fetched = {
  /** The URL after all redirects. */
  url: string
  status: number
  headers: Record<string, string>
  body: AsyncIterable<Uint8Array>
  bytes(): Promise<Buffer>
  discard(): Promise<void>
}

export function createSafeFetch({
  allow,
  lookup = systemLookup,
}: {
  allow: readonly string[]
  lookup?: LookupFunction
}): SafeFetch {
  return async (url, options) => {
    const { method = 'GET', body, headers = {}, maxBytes, timeoutMs = 10_000, signal } = options
    const budget = startBudget(timeoutMs, signal)
    try {
      let spelling = url
      let sentHeaders = withLowerCaseNames(headers)
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        budget.signal.throwIfAborted()
        const target = chosenTarget(spelling, options) ?? judgeUrl(spelling, allow)
        const request = { method, body, headers: sentHeaders, lookup }
        const answer = await ask(target, request, budget)
        const next = options.redirects === 'by hand' ? undefined : redirectOf(answer, target.url)
        if (next === undefined) return await present(answer, { method, maxBytes }, budget)
        await answer.close()
        if (method === 'POST') break
        spelling = next
        if (URL.parse(spelling)?.origin !== target.url.origin) {
          sentHeaders = impersonal(sentHeaders)
        }
      }
      throw new FetchRefused('redirects')
    } catch (error) {
      budget.end()
      throw error
    }
  }
}

/** The number of redirects that are followed before the fetch is refused. */
export const MAX_REDIRECTS = 3

/** Returns the target of a redirect, as the server spelled it, so that it is checked like a user's URL. */
export function redirectOf(
  { status, headers }: Pick<Fetched, 'status' | 'headers'>,
  from: URL,
): string | undefined {
  const location = headers['location']
  if (!location || !REDIRECT_STATUSES.has(status)) return undefined
  // Headers are decoded as Latin-1, but a server that does not escape its paths uses UTF-8.
  const said = Buffer.from(location, 'latin1').toString()
  if (/^[a-z][a-z\d+.-]*:/i.test(said)) return said
  if (/^[\\/]{2}/.test(said)) return from.protocol + said
  return URL.parse(said, from.href)?.href ?? said
}

/**
 * Wraps a DNS lookup so that it returns public addresses or fails. The socket connects to this result, so a
 * second lookup cannot return a different address. A mixture of public and private addresses is refused: a
 * public site has no reason to list a private address.
 */
export function globalOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, [])
      const addresses = typeof answer === 'string' ? [] : answer
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isGlobalAddress(address))) {
        return callback(new FetchRefused('host'), [])
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

// Headers that are kept after a redirect to another origin. None of them is a credential.
const IMPERSONAL_HEADERS = new Set(['accept', 'accept-language', 'range', 'user-agent'])

type Method = NonNullable<SafeFetchOptions['method']>

type Answer = {
  url: URL
  status: number
  headers: Record<string, string>
  chunks: AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** Sends one request on its own connection, so that no other request reuses the checked address. */
async function ask(
  { url, trusted }: Target,
  request: {
    method: Method
    body: string | undefined
    headers: Record<string, string>
    lookup: LookupFunction
  },
  budget: Budget,
): Promise<Answer> {
  // Loaded with the first fetch: it is a twentieth of all the code to load.
  const { Client } = await import('undici')
  const client = new Client(url.origin, {
    connect: {
      lookup: trusted ? request.lookup : globalOnly(request.lookup),
      // The budget's signal closes the socket in any state, so no other timeout is needed.
      signal: budget.signal,
      timeout: 0,
    },
    allowH2: false,
    pipelining: 0,
  })
  const close = async () => {
    await client.destroy()
  }
  try {
    const response = await client.request({
      method: request.method,
      path: url.pathname + url.search,
      body: request.body ?? null,
      headers: { 'user-agent': 'Lanternist', ...request.headers, 'accept-encoding': 'identity' },
    })
    return {
      url,
      status: response.statusCode,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      ),
      // The stream yields bytes, because no encoding is set.
      chunks: response.body as AsyncIterable<Uint8Array>,
      close,
    }
  } catch (error) {
    await close()
    throw budget.explain(error)
  }
}

async function present(
  answer: Answer,
  { method, maxBytes }: { method: Method; maxBytes: number },
  budget: Budget,
): Promise<Fetched> {
  const discard = async () => {
    budget.end()
    await answer.close()
  }
  if (method === 'HEAD') await discard()
  const body = method === 'HEAD' ? noBytes() : bounded(answer, maxBytes, budget)
  return {
    url: answer.url.href,
    status: answer.status,
    headers: answer.headers,
    body,
    bytes: async () => {
      const chunks = []
      for await (const chunk of body) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    discard,
  }
}

/** Yields the body up to the size limit. If the caller stops reading, the timeout closes the connection. */
async function* bounded(answer: Answer, maxBytes: number, budget: Budget) {
  try {
    const encoding = answer.headers['content-encoding'] || 'identity'
    // A few compressed bytes can expand to any size, so no encoding is decoded.
    if (encoding.toLowerCase() !== 'identity') throw new FetchRefused('encoding')
    if (Number(answer.headers['content-length']) > maxBytes) throw new FetchRefused('too_large')
    let receivedBytes = 0
    for await (const chunk of answer.chunks) {
      receivedBytes += chunk.byteLength
      if (receivedBytes > maxBytes) throw new FetchRefused('too_large')
      yield chunk
    }
  } catch (error) {
    throw budget.explain(error)
  } finally {
    budget.end()
    await answer.close()
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

/** Returns the configured origin as trusted, also when it redirects to itself. */
function chosenTarget(spelling: string, { chosenOrigin }: SafeFetchOptions): Target | null {
  const url = URL.parse(spelling)
  return url && url.origin === chosenOrigin ? { url, trusted: true } : null
}

function impersonal(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => IMPERSONAL_HEADERS.has(name)),
  )
}

function withLowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

type Budget = {
  signal: AbortSignal
  end(): void
  /** Returns the reason for the failure: the timeout, the caller, a refusal, or else the network. */
  explain(error: unknown): unknown
}

function startBudget(timeoutMs: number, callerSignal: AbortSignal | undefined): Budget {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new FetchRefused('timeout')), timeoutMs)
  const follow = () => controller.abort(callerSignal?.reason)
  if (callerSignal?.aborted) follow()
  callerSignal?.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      callerSignal?.removeEventListener('abort', follow)
    },
    explain(error) {
      if (controller.signal.aborted) return controller.signal.reason
      if (error instanceof FetchRefused) return error
      return new FetchRefused('unreachable', { cause: error })
    },
  }
}
