/** Two small reads: a signed-in user who reads their own account, and a public list. */
import type { Benchmark, Call } from '../harness/benchmark.ts'
import { cookieOf, seedPeople } from '../harness/people.ts'
import type { Scale } from '../harness/scale.ts'

const askers = 63
const ownPage = (person: number): Call => ({
  method: 'GET',
  path: '/api/auth/user',
  headers: { cookie: cookieOf(person) },
})

export const benchmark = (scale: Scale): Benchmark => ({
  seed: (scripts) => seedPeople(scripts, scale),
  requests: [
    {
      name: 'GET /api/auth/user',
      connections: scale(64, 4),
      // Spread over the table, so that no contender reads the same rows all the time.
      calls: [
        ownPage(1),
        ...Array.from({ length: scale(askers, 5) }, (_, n) => ownPage(n * scale(151, 1) + 2)),
      ],
    },
    {
      name: 'GET /api/tags',
      connections: scale(64, 4),
      calls: [{ method: 'GET', path: '/api/tags' }],
    },
  ],
})
