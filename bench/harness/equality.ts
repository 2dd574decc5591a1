/** Compares answers: only contenders with the same answers are worth timing. */
import { isDeepStrictEqual } from 'node:util'
import { reasonOf } from '../../src/server/platform/start-error.ts'
import type { Call, TimedRequest } from './benchmark.ts'
import type { Contender } from './contenders.ts'

/**
 * Sends every call to ours and to another contender. Returns a description of the first difference,
 * ignoring the order of keys, or null if all answers are equal. Throws if ours does not answer.
 */
export async function differenceFromOurs(
  ours: Contender,
  other: Contender,
  { calls, comparable = (body) => body }: TimedRequest,
): Promise<string | null> {
  for (const call of calls) {
    const expected = comparable(await answerOf(ours, call))
    try {
      const found = firstDifference(expected, comparable(await answerOf(other, call)), 'its answer')
      if (found !== null) return `${call.method} ${call.path}: ${found}`
    } catch (error) {
      return reasonOf(error)
    }
  }
  return null
}

/** Describes the first position at which the second value differs from the first. */
export function firstDifference(ours: unknown, other: unknown, place: string): string | null {
  if (isDeepStrictEqual(ours, other)) return null
  const [one, two] = [entriesOf(ours), entriesOf(other)]
  if (one && two && Array.isArray(ours) === Array.isArray(other)) {
    for (const key of new Set([...one.keys(), ...two.keys()])) {
      const inside = Array.isArray(ours) ? `${place}[${key}]` : `${place}.${key}`
      if (!two.has(key)) return `${inside} is missing, ours has ${shortJson(one.get(key))}`
      if (!one.has(key)) return `${inside} is ${shortJson(two.get(key))}, ours has none`
      const found = firstDifference(one.get(key), two.get(key), inside)
      if (found !== null) return found
    }
  }
  return `${place} is ${shortJson(other)}, ours has ${shortJson(ours)}`
}

function entriesOf(value: unknown): Map<string, unknown> | null {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

async function answerOf(contender: Contender, call: Call): Promise<unknown> {
  const { method, path, headers, body } = call
  const response = await fetch(contender.url + path, {
    method,
    headers: { ...headers },
    // fetch accepts any view of bytes, but not Node's wider Buffer type.
    body: typeof body === 'object' ? new Uint8Array(body) : (body ?? null),
    redirect: 'error',
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (response.ok && isJson) return JSON.parse(text)
  throw new Error(`${contender.name} answers ${method} ${path} with ${response.status}: ${text}`)
}
