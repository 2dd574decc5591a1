// The one way to fetch what a user points at: nothing but public http(s) addresses is connected
// to, judged on the address itself and again at every redirect, within a size and a time.

import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isGlobalAddress } from './global-address.ts'
import { FetchRefused, judgeUrl, type Target } from './user-url.ts'

export type SafeFetch = (url: string, options: SafeFetchOptions) => Promise<Fetched>

export type SafeFetchOptions = {
  method?: 'GET' | 'HEAD' | 'POST'
  /** With POST alone, and sent to one address: a redirect is not followed with it. */
  body?: string
  headers?: Record<string, string>
  maxBytes: number
  /** From the first look-up to the last byte, redirects included; 10 s unless given. */
  timeoutMs?: number
  signal?: AbortSignal
  /** An origin that the site itself has chosen by a setting: it may lie anywhere. */
  chosenOrigin?: string | undefined
}

/** The body is read once, by `body` or by `bytes()`; leaving the loop early closes the socket. */
export type Fetched = {
  /** Where the redirects ended. */
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
        const location = redirectOf(answer)
        if (location === undefined) return await present(answer, { method, maxBytes }, budget)
        await answer.close()
        if (method === 'POST') break
        spelling = spellRedirect(location, target.url)
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

/**
 * A look-up that answers with public addresses or not at all. The socket connects to this very
 * answer, so there is no second question whose answer could differ. A mixture is refused whole:
 * a public site has no business with a private address.
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

const MAX_REDIRECTS = 3
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

// What another site may see after a redirect: no credential is among them.
const IMPERSONAL_HEADERS = new Set(['accept', 'accept-language', 'range', 'user-agent'])

type Method = NonNullable<SafeFetchOptions['method']>

type Answer = {
  url: URL
  status: number
  headers: Record<string, string>
  chunks: AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** One request on a connection of its own, so that no later request can inherit its judgement. */
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
  // Loaded with the first address that is fetched: it is a twentieth of all that there is to load.
  const { Client } = await import('undici')
  const client = new Client(url.origin, {
    connect: {
      lookup: trusted ? request.lookup : globalOnly(request.lookup),
      // The budget ends the socket in whatever state it is, so it needs no time-out of its own.
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
      // Bytes, as nobody has set an encoding on the stream.
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

/** The body up to the limit. An abandoned one is closed when the time is over. */
async function* bounded(answer: Answer, maxBytes: number, budget: Budget) {
  try {
    const encoding = answer.headers['content-encoding'] || 'identity'
    // A few compressed bytes can stand for any number of others, so no encoding is decoded.
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

function redirectOf({ status, headers }: Answer): string | undefined {
  const location = headers['location']
  if (!location || !REDIRECT_STATUSES.has(status)) return undefined
  // Headers are read as Latin-1, but a server that does not escape its paths means UTF-8.
  return Buffer.from(location, 'latin1').toString()
}

/** The next URL, with its host as the server spelled it, so that it is judged like a user's. */
function spellRedirect(location: string, from: URL): string {
  if (/^[a-z][a-z\d+.-]*:/i.test(location)) return location
  if (/^[\\/]{2}/.test(location)) return from.protocol + location
  return URL.parse(location, from.href)?.href ?? location
}

/** What the setting names needs no judgement, at the start and where it redirects to itself. */
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
  /** Why the work stopped: the time, the caller, a refusal, or else the network. */
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
