/**
 * How readers of other sites ask them: through the safe fetch, in their turn (each redirect is a
 * question to the host that it leads to, and waits for that one's), for no more than 8 MB in 10 seconds, and with what was answered last time at hand so that it need not be sent again.
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
  /** Where redirects have led. */
  readonly url: string
  readonly bytes: Buffer
}

export type Question = {
  readonly url: string
  readonly accept?: string
  /** The origin that a setting has chosen, which may lie anywhere. */
  readonly chosenOrigin?: string | undefined
  /** Of one account: its answer is kept for nobody. */
  readonly apiKey?: string
  /** What is sent as JSON makes the question a POST. */
  readonly json?: object
  /** Of the answer, unpacked: 8 MB unless given. */
  readonly mostBytes?: number
}

export type HostAsker = {
  /** Any answer but that the host is busy or broken. Rejects with `FeedUnavailable`. */
  ask(question: Question): Promise<HostAnswer>
  /** Returns the JSON of a successful, short response. Rejects with `FeedUnavailable` for any other. */
  askJson(question: Question): Promise<unknown>
}

const mostAnswerBytes = 8 * 1024 * 1024
/** An answer to a small question is parsed where it arrives. */
const mostShortBytes = 512 * 1024
const timeoutMs = 10_000
/** Where a host says only that it was too much. */
const usualRestMs = 60_000
const mostKeptBytes = 16 * 1024 * 1024
const mostKeptOfOne = 1024 * 1024

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
      maxBytes: question.mostBytes ?? mostAnswerBytes,
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
        // Waiting for a turn is not the far side's time.
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
      throw new FeedUnavailable('unreachable', `${host} answers ${answer.status}`, {
        words: `is out of order (status ${answer.status})`,
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
      // What is meant for one site is not for the one that it names.
      const isSame = URL.parse(url)?.origin === from.origin
      const { accept, mostBytes } = next
      next = isSame
        ? { ...next, url }
        : { url, ...(accept && { accept }), ...(mostBytes && { mostBytes }) }
    }
    throw unavailableOf(question, new FetchRefused('redirects'))
  }

  return {
    ask,
    async askJson(question) {
      const answer = await ask({ ...question, mostBytes: mostShortBytes })
      refuseStatus(answer)
      return parseJsonAnswer(answer.bytes)
    },
  }
}

/** For an answer that is none of the good ones; what the host says of it is not for us to repeat. */
export function refuseStatus({ status, url }: Pick<HostAnswer, 'status' | 'url'>): void {
  if (status >= 200 && status < 300) return
  const words = new Map([
    [401, 'shows this to people who are signed in there only'],
    [403, 'does not allow this to be read'],
    [404, 'not found'],
    [410, 'is gone'],
    [422, 'shows this to people who are signed in there only'],
  ])
  const reason = status === 404 || status === 410 ? 'no_such_subfeed' : 'refused'
  throw new FeedUnavailable(reason, `${URL.parse(url)?.host} answers ${status}`, {
    words: words.get(status) ?? `answered with status ${status}`,
  })
}

function unavailableOf(
  { url, mostBytes = mostAnswerBytes }: Question,
  refused: FetchRefused,
): FeedUnavailable {
  const host = URL.parse(url)?.host ?? ''
  const words = new Map<FetchRefused['reason'], string>([
    ['too_large', `answers with more than ${mostBytes / 1_048_576} MB`],
    ['timeout', 'takes longer than 10 seconds'],
    ['host', 'is not on the public internet'],
    ['redirects', 'redirects too often'],
  ]).get(refused.reason)
  return new FeedUnavailable('unreachable', `${host}: ${refused.message}`, {
    cause: refused,
    ...(words !== undefined && { words }),
  })
}

/** Answers that may be asked for on condition that they have changed, up to so many bytes in all. */
function createKeptAnswers() {
  // A map remembers the order of its entries: the first has been out of use the longest.
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
      if (status !== 200 || isConditional === undefined || bytes.length > mostKeptOfOne) return
      answers.set(url, answer)
      keptBytes += bytes.length
      for (const oldest of answers.keys()) {
        if (keptBytes <= mostKeptBytes) break
        drop(oldest)
      }
    },
  }
}
