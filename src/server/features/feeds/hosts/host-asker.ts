/**
 * Sends requests to other sites: through the safe fetch, within each server's rate limit (a redirect is a
 * new request to the server that it points to), with at most 8 MB in 10 seconds. Recent answers are kept
 * and revalidated, so that they need not be sent again.
 */
import type { Context } from '../../../context.ts'
import { retryAfterMs } from '../../../platform/fetch/retry-after.ts'
import type { SafeFetch } from '../../../platform/fetch/safe-fetch.ts'
import { MAX_REDIRECTS, redirectOf } from '../../../platform/fetch/safe-fetch.ts'
import { FetchRefused } from '../../../platform/fetch/user-url.ts'
import { FeedUnavailable } from '../feed-source.ts'
import { parseJsonAnswer } from '../reading/json-answer.ts'
import type { HostTurns } from './host-turns.ts'

export type HostAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The final URL after redirects. */
  readonly url: string
  readonly bytes: Buffer
}

export type Question = {
  readonly url: string
  readonly accept?: string
  /** An origin that the configuration names; it may be a private address. */
  readonly chosenOrigin?: string | undefined
  /** The key of one account. Answers to such a request are not cached. */
  readonly apiKey?: string
  /** A JSON body; makes the request a POST. */
  readonly json?: object
  /** The limit of the answer after decompression; 8 MB by default. */
  readonly maxBytes?: number
}

export type HostAsker = {
  /** Returns any answer, unless the server is busy or fails. Rejects with `FeedUnavailable`. */
  ask(question: Question): Promise<HostAnswer>
  /** Returns the JSON of a successful, short answer. Rejects with `FeedUnavailable` for any other. */
  askJson(question: Question): Promise<unknown>
}

const maxAnswerBytes = 8 * 1024 * 1024
/** Short answers are parsed in this process. */
const maxShortBytes = 512 * 1024
const timeoutMs = 10_000
/** The pause when a server names none. */
const usualRestMs = 60_000
const maxKeptBytes = 16 * 1024 * 1024
const maxKeptPerOne = 1024 * 1024

export function createHostAsker(
  outside: Pick<Context, 'now'> & {
    readonly fetch: SafeFetch
    readonly turns: HostTurns
    readonly userAgent: () => Promise<string>
  },
): HostAsker {
  const kept = createKeptAnswers()

  const fetchOnce = async (question: Question, leftMs: number): Promise<HostAnswer> => {
    const { url, accept, chosenOrigin, apiKey, json } = question
    const isAnyones = apiKey === undefined && json === undefined
    const last = isAnyones ? kept.find(url) : undefined
    const headers = {
      accept: accept ?? 'application/json',
      'user-agent': await outside.userAgent(),
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      ...(json && { 'content-type': 'application/json' }),
      ...(last?.headers['etag'] && { 'if-none-match': last.headers['etag'] }),
      ...(last?.headers['last-modified'] && {
        'if-modified-since': last.headers['last-modified'],
      }),
    }
    const fetched = await outside.fetch(url, {
      ...(json && { method: 'POST' as const, body: JSON.stringify(json) }),
      headers,
      maxBytes: question.maxBytes ?? maxAnswerBytes,
      timeoutMs: leftMs,
      chosenOrigin,
      redirects: 'by hand',
    })
    if (fetched.status === 304 && last) {
      await fetched.discard()
      return last
    }
    const bytes = await fetched.bytes()
    const answer = { status: fetched.status, headers: fetched.headers, url: fetched.url, bytes }
    if (isAnyones) kept.put(url, answer)
    return answer
  }

  const askHost = async (question: Question, time: { leftMs: number }): Promise<HostAnswer> => {
    const { turns } = outside
    const host = URL.parse(question.url)?.host ?? ''
    const answer = await turns
      .within(question.url, async () => {
        // Do not count the wait for a turn as the server's time.
        const beganMs = performance.now()
        const answer = await fetchOnce(question, Math.max(1, Math.ceil(time.leftMs)))
        time.leftMs -= performance.now() - beganMs
        return answer
      })
      .catch((error: unknown) => {
        throw error instanceof FetchRefused ? unavailableOf(question, error) : error
      })
    const askedMs = retryAfterMs(answer.headers['retry-after'], outside.now())
    if (answer.status === 429) {
      await turns.rest(question.url, askedMs ?? usualRestMs)
      throw new FeedUnavailable('rate_limited', `${host} answers 429`)
    }
    if (answer.status >= 500) {
      if (answer.status === 503 && askedMs !== null) await turns.rest(question.url, askedMs)
      throw new FeedUnavailable('unreachable', `${host} answered ${answer.status}`, {
        words: `is not working (status ${answer.status})`,
      })
    }
    return answer
  }

  const ask = async (question: Question): Promise<HostAnswer> => {
    const time = { leftMs: timeoutMs }
    let next = question
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await askHost(next, time)
      const from = new URL(next.url)
      const url = redirectOf(answer, from)
      if (url === undefined) return answer
      if (next.json) break
      // Keys and other details of a request must not be sent to another origin.
      const isSame = URL.parse(url)?.origin === from.origin
      const { accept, maxBytes } = next
      next = isSame
        ? { ...next, url }
        : { url, ...(accept && { accept }), ...(maxBytes && { maxBytes }) }
    }
    throw unavailableOf(question, new FetchRefused('redirects'))
  }

  return {
    ask,
    async askJson(question) {
      const answer = await ask({ ...question, maxBytes: maxShortBytes })
      refuseStatus(answer)
      return parseJsonAnswer(answer.bytes)
    },
  }
}

/** Throws for a status that is not a success. The server's own message is not repeated. */
export function refuseStatus({ status, url }: Pick<HostAnswer, 'status' | 'url'>): void {
  if (status >= 200 && status < 300) return
  const words = new Map([
    [401, 'shows this only to people who are signed in there'],
    [403, 'does not allow access to this'],
    [404, 'not found'],
    [410, 'is gone'],
    [422, 'shows this only to people who are signed in there'],
  ])
  const reason = status === 404 || status === 410 ? 'no_such_subfeed' : 'refused'
  throw new FeedUnavailable(reason, `${URL.parse(url)?.host} answered ${status}`, {
    words: words.get(status) ?? `answered with status ${status}`,
  })
}

function unavailableOf(
  { url, maxBytes = maxAnswerBytes }: Question,
  refused: FetchRefused,
): FeedUnavailable {
  const host = URL.parse(url)?.host ?? ''
  const words = new Map<FetchRefused['reason'], string>([
    ['too_large', `sent more than ${maxBytes / 1_048_576} MB`],
    ['timeout', 'took longer than 10 seconds'],
    ['host', 'is not on the public internet'],
    ['redirects', 'redirects too often'],
  ]).get(refused.reason)
  return new FeedUnavailable('unreachable', `${host}: ${refused.message}`, {
    cause: refused,
    ...(words !== undefined && { words }),
  })
}

/** Caches answers for conditional requests, up to a total of bytes. */
function createKeptAnswers() {
  // A map keeps insertion order, and `put` moves an entry to the end, so the first one is the oldest.
  const answers = new Map<string, HostAnswer>()
  let keptBytes = 0

  const drop = (url: string) => {
    keptBytes -= answers.get(url)?.bytes.length ?? 0
    answers.delete(url)
  }

  return {
    find: (url: string) => answers.get(url),
    put(url: string, answer: HostAnswer) {
      drop(url)
      const { status, headers, bytes } = answer
      const isConditional = headers['etag'] ?? headers['last-modified']
      if (status !== 200 || isConditional === undefined || bytes.length > maxKeptPerOne) return
      answers.set(url, answer)
      keptBytes += bytes.length
      for (const oldest of answers.keys()) {
        if (keptBytes <= maxKeptBytes) break
        drop(oldest)
      }
    },
  }
}
