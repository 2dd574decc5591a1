/** Spends: 64 at once on one account, which is locked each time, and on many accounts. */
import type { Benchmark, Call } from '../harness/benchmark.ts'
import { cookieOf, seedPeople } from '../harness/people.ts'
import type { Scale } from '../harness/scale.ts'

const spendBy = (person: number): Call => ({
  method: 'POST',
  path: '/bench/spend',
  headers: { cookie: cookieOf(person), 'content-type': 'application/json' },
  body: '{}',
})

/** Ignores the balance: all contenders spend from the same accounts, so it differs. */
const comparable = (body: unknown) => {
  const { charged, balance } = body as { charged: unknown; balance: unknown }
  return { charged, balance: typeof balance }
}

export const benchmark = (scale: Scale): Benchmark => ({
  ours: 'with spend',
  seed: async (scripts) => {
    await seedPeople(scripts, scale)
    await scripts.run('update credit_accounts set balance = 1000000000')
  },
  requests: [
    { name: 'spend, one account', connections: scale(64, 4), calls: [spendBy(1)], comparable },
    {
      name: 'spend, many accounts',
      connections: scale(64, 4),
      calls: [
        spendBy(2),
        ...Array.from({ length: scale(63, 5) }, (_, n) => spendBy(n * scale(151, 1) + 3)),
      ],
      comparable,
    },
  ],
})
