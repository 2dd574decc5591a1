/**
 * Sessions: the list of a user with 50 or 200, one with 25 slides, and creating one. The list is timed
 * again with ever more sessions of other users, which must not make it slower.
 */
import type { Benchmark, Call, TimedRequest } from '../harness/benchmark.ts'
import { cookieOf, seedPeople } from '../harness/people.ts'
import type { Scale } from '../harness/scale.ts'
import {
  filledSessions,
  growOthersTo,
  listersOf200,
  listersOf50,
  makers,
  seedSessions,
} from '../harness/session-rows.ts'

const listOf = (person: number): Call => get('/api/sessions', person)

const newSession = JSON.stringify({
  title: 'Evening',
  subfeeds: 'city,night,rooftops',
  intervalMin: 4,
  intervalMax: 12,
  transition: 'zoom',
})

const createBy = (person: number): Call => ({
  method: 'POST',
  path: '/api/sessions',
  headers: { cookie: cookieOf(person), 'content-type': 'application/json' },
  body: newSession,
})

export const benchmark = (scale: Scale): Benchmark => {
  const load = { connections: scale(64, 4), warmUpAnswers: 6000 }
  /** A smoke run needs only some of the calls. */
  const some = (calls: readonly Call[]) => atLeastOne(calls.slice(0, scale(Infinity, 4)))
  const listBeside = (count: number, words: string): TimedRequest => ({
    name: `list of 50 beside ${words} of others`,
    ...load,
    prepare: (scripts) => growOthersTo(scripts, count, scale),
    calls: some(listersOf50.map(listOf)),
  })
  return {
    // The fill jobs of new sessions are not run: the other contenders have no worker for them.
    ours: 'without workers',
    seed: async (scripts) => {
      await seedPeople(scripts, scale)
      await seedSessions(scripts)
    },
    requests: [
      listBeside(scale(1000, 10), '1 k'),
      { name: 'list of 200', ...load, calls: some(listersOf200.map(listOf)) },
      {
        name: 'one session with 25 slides',
        ...load,
        calls: some(filledSessions.map(({ id, person }) => get(`/api/sessions/${id}`, person))),
      },
      { name: 'create', ...load, calls: some(makers.map(createBy)), comparable },
      listBeside(scale(100_000, 20), '100 k'),
      listBeside(scale(1_000_000, 30), '1 M'),
    ],
  }
}

/** Ignores ids and times: each contender creates its own session. */
function comparable(body: unknown): unknown {
  const { id, createdAt, updatedAt, ...rest } = body as Record<string, unknown>
  return { ...rest, id: typeof id, isNew: createdAt === updatedAt }
}

function get(path: string, person: number): Call {
  return { method: 'GET', path, headers: { cookie: cookieOf(person) } }
}

function atLeastOne(calls: readonly Call[]): [Call, ...Call[]] {
  const [first, ...others] = calls
  if (!first) throw new Error('a request needs calls')
  return [first, ...others]
}
