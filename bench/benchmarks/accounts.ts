/** The two ends of a small read: someone signed in who asks for themselves, and a public list. */
import type { Benchmark, Call } from '../harness/benchmark.ts'
import { cookieOf, seedPeople } from '../harness/people.ts'

const askers = 63
const ownPage = (person: number): Call => ({
  method: 'GET',
  path: '/api/auth/user',
  headers: { cookie: cookieOf(person) },
})

export const benchmark: Benchmark = {
  seed: seedPeople,
  requests: [
    {
      name: 'GET /api/auth/user',
      connections: 64,
      // Spread over the table, so that no contender is asked for the same rows all the time.
      calls: [ownPage(1), ...Array.from({ length: askers }, (_, n) => ownPage(n * 151 + 2))],
    },
    {
      name: 'GET /api/tags',
      connections: 64,
      calls: [{ method: 'GET', path: '/api/tags' }],
    },
  ],
}
