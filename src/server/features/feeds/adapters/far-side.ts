/**
 * How an adapter asks another site: in a bounded time, for a bounded answer, and never before the
 * moment that the site itself has named.
 */
import { retryAfterMs } from '../../../platform/fetch/retry-after.ts'
import { hasTooManyParts } from '../../../platform/json-parts.ts'
import { FetchRefused } from '../../../platform/fetch/user-url.ts'
import { FeedUnavailable } from '../feed-source.ts'
import type { HostTurns } from '../hosts/host-turns.ts'

export type World = {
  readonly fetch: typeof globalThis.fetch
  readonly now: () => Date
  /** For one question, its answer's last byte included. */
  readonly timeoutMs?: number
  readonly mostAnswerBytes?: number
  /** FETCH_ALLOW, for the addresses inside of what the site answers. */
  readonly fetchAllow?: readonly string[]
  /** The manners that all nodes keep together; without them a far side keeps its own. */
  readonly turns?: HostTurns
}

export type Question = {
  url: string
  headers?: Record<string, string>
  /** A form makes the question a POST. */
  form?: Record<string, string>
}

export type Answer = {
  status: number
  /** What the JSON says; undefined when it is none. */
  json: unknown
}

export type FarSide = {
  /** Any answer but a failure of the site itself. Rejects with `FeedUnavailable`. */
  ask(question: Question): Promise<Answer>
  /** Nothing is asked for a while, as the site would have wanted. */
  rest(): FeedUnavailable
}

/** `name` is what errors call the site. One far side for each allowance that it keeps on us. */
export function createFarSide(
  name: string,
  { fetch, now, timeoutMs = 10_000, mostAnswerBytes = 8_000_000, turns }: World,
): FarSide {
  let closed: FeedUnavailable | null = null

  const close = (reason: 'rate_limited' | 'unreachable', waitMs: number) => {
    const retryAt = new Date(now().getTime() + waitMs)
    closed = new FeedUnavailable(reason, `${name} asks us to wait`, { retryAt })
    return closed
  }

  const obey = async (url: string, { status, headers }: Response) => {
    const askedMs = retryAfterMs(headers.get('retry-after'), now())
    const waitMs = askedMs !== null && askedMs <= mostWaitS * 1000 ? askedMs : null
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
    // Reddit counts in fractions, and less than one request is none.
    if (remaining !== null && remaining < 1 && untilReset !== null)
      close('rate_limited', untilReset)
  }

  const askNow = async ({ url, headers = {}, form }: Question): Promise<Answer> => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(url, {
        headers: { accept: 'application/json', ...headers },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
        // A redirect would carry our credentials to wherever it likes.
        redirect: 'manual',
        signal,
      })
      try {
        await obey(url, response)
        if (response.status >= 500)
          throw new FeedUnavailable('unreachable', `${name} answers ${response.status}`)
        return { status: response.status, json: parse(await read(response, mostAnswerBytes)) }
      } finally {
        // What is left unread would hold the connection.
        if (!response.bodyUsed) await response.body?.cancel()
      }
    } catch (error) {
      if (error instanceof FeedUnavailable) throw error
      // Whoever waits for the same host is to know.
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

  async function read(response: Response, mostBytes: number): Promise<Buffer> {
    const chunks: Uint8Array[] = []
    let receivedBytes = 0
    for await (const chunk of response.body ?? []) {
      receivedBytes += chunk.byteLength
      if (receivedBytes > mostBytes)
        throw new FeedUnavailable('unreachable', `${name} answers at endless length`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }
}

/** How long to wait where a site only says that it was too much. */
const restMs = 60_000

// What asks for more than a day is not about us, or not in seconds.
const mostWaitS = 86_400

function resetMs(headers: Headers): number | null {
  const seconds = headerNumber(headers, 'x-ratelimit-reset')
  return seconds !== null && seconds <= mostWaitS ? seconds * 1000 : null
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
    // The parser's complaint quotes the answer, which may hold a token.
    return undefined
  }
}
