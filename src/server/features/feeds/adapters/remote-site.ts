/**
 * Sends requests of an adapter to a remote site, with limits on time and answer size, and not before the
 * time that the site has named.
 */
import { retryAfterMs } from '../../../platform/fetch/retry-after.ts'
import { hasTooManyParts } from '../../../platform/json-parts.ts'
import { FetchRefused } from '../../../platform/fetch/user-url.ts'
import { FeedUnavailable } from '../feed-source.ts'
import type { HostTurns } from '../hosts/host-turns.ts'

export type World = {
  readonly fetch: typeof globalThis.fetch
  readonly now: () => Date
  /** The time limit of one request, including the last byte of its answer. */
  readonly timeoutMs?: number
  readonly maxAnswerBytes?: number
  /** FETCH_ALLOW, for the URLs in the site's answers. */
  readonly fetchAllow?: readonly string[]
  /**
   * The rate limits that all nodes share. Without them, this client keeps only the limits that it has
   * received itself.
   */
  readonly turns?: HostTurns
}

export type Question = {
  url: string
  headers?: Record<string, string>
  /** Makes the request a POST. */
  form?: Record<string, string>
}

export type Answer = {
  status: number
  /** The parsed JSON; undefined when it is invalid. */
  json: unknown
}

export type RemoteSite = {
  /** Returns any answer except a failure of the site itself. Rejects with `FeedUnavailable`. */
  ask(question: Question): Promise<Answer>
  /** Stops requests for a while, as after a 429, and returns the error to throw. */
  rest(): FeedUnavailable
}

/**
 * Creates a client; `name` is the site's name in errors. Use one client for each rate limit of the site.
 */
export function createRemoteSite(
  name: string,
  { fetch, now, timeoutMs = 10_000, maxAnswerBytes = 8_000_000, turns }: World,
): RemoteSite {
  let closed: FeedUnavailable | null = null

  const close = (reason: 'rate_limited' | 'unreachable', waitMs: number) => {
    const retryAt = new Date(now().getTime() + waitMs)
    closed = new FeedUnavailable(reason, `${name} asked us to wait`, { retryAt })
    return closed
  }

  const obey = async (url: string, { status, headers }: Response) => {
    const askedMs = retryAfterMs(headers.get('retry-after'), now())
    const waitMs = askedMs !== null && askedMs <= maxWaitS * 1000 ? askedMs : null
    if (status === 429) {
      const pauseMs = waitMs ?? resetMs(headers) ?? restMs
      await turns?.rest(url, pauseMs)
      throw close('rate_limited', pauseMs)
    }
    if (status >= 500 && waitMs !== null) {
      await turns?.rest(url, waitMs)
      throw close('unreachable', waitMs)
    }
    const remaining = headerNumber(headers, 'x-ratelimit-remaining')
    const untilReset = resetMs(headers)
    // Reddit counts fractions; less than 1 does not allow a request.
    if (remaining !== null && remaining < 1 && untilReset !== null)
      close('rate_limited', untilReset)
  }

  const askNow = async ({ url, headers = {}, form }: Question): Promise<Answer> => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(url, {
        headers: { accept: 'application/json', ...headers },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
        // A redirect could send our credentials to any address.
        redirect: 'manual',
        signal,
      })
      try {
        await obey(url, response)
        if (response.status >= 500)
          throw new FeedUnavailable('unreachable', `${name} answered ${response.status}`)
        return { status: response.status, json: parse(await read(response, maxAnswerBytes)) }
      } finally {
        // An unread body would keep the connection open.
        if (!response.bodyUsed) await response.body?.cancel()
      }
    } catch (error) {
      if (error instanceof FeedUnavailable) throw error
      // Throw this error so that other requests waiting for the same server fail too.
      if (signal.aborted) throw new FetchRefused('timeout', { cause: error })
      throw new FeedUnavailable('unreachable', `${name} cannot be reached`, { cause: error })
    }
  }

  return {
    async ask(question) {
      if (closed?.retryAt && now() < closed.retryAt) throw closed
      const asked = turns ? turns.within(question.url, () => askNow(question)) : askNow(question)
      return asked.catch((error: unknown) => {
        if (!(error instanceof FetchRefused)) throw error
        throw new FeedUnavailable('unreachable', `${name} takes too long`, { cause: error })
      })
    },
    rest: () => close('rate_limited', restMs),
  }

  async function read(response: Response, maxBytes: number): Promise<Buffer> {
    const chunks: Uint8Array[] = []
    let receivedBytes = 0
    for await (const chunk of response.body ?? []) {
      receivedBytes += chunk.byteLength
      if (receivedBytes > maxBytes)
        throw new FeedUnavailable('unreachable', `${name} sent a response that is too long`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }
}

/** The pause when a site names none. */
const restMs = 60_000

// A longer wait is not a rate limit, or its unit is not seconds.
const maxWaitS = 86_400

function resetMs(headers: Headers): number | null {
  const seconds = headerNumber(headers, 'x-ratelimit-reset')
  return seconds !== null && seconds <= maxWaitS ? seconds * 1000 : null
}

function headerNumber(headers: Headers, name: string): number | null {
  const text = headers.get(name)?.trim() ?? ''
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null
}

function parse(bytes: Buffer): unknown {
  if (hasTooManyParts(bytes)) return undefined
  try {
    return JSON.parse(bytes.toString())
  } catch {
    // The parser's error quotes the answer, which may hold a token.
    return undefined
  }
}
