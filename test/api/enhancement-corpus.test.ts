/** Hostile pictures through enhancement with its real providers: each is refused or enhanced. */
import { afterAll, beforeAll, expect } from 'vitest'
import { ApiProblem } from '../../src/client/client.ts'
import type { EnhancementWorld } from '../support/enhancement-world.ts'
import { createEnhancementWorld, fileOf } from '../support/enhancement-world.ts'
import { readPictureCorpus } from '../support/picture-corpus.ts'
import { testShared } from '../support/shared-corpora.ts'
import type { Person } from '../support/world.ts'

let world: EnhancementWorld

beforeAll(async () => {
  world = await createEnhancementWorld({}, { real: true })
})
afterAll(() => world.close())

const aDay = 30

testShared(
  'no picture of the corpus breaks it, and refused pictures are not charged',
  async () => {
    const corpus = readPictureCorpus({ every: 16 })
    const counts: Record<string, number> = {}
    let person: Person | undefined
    for (const [index, { name, bytes }] of corpus.entries()) {
      // Each person may enhance thirty pictures a day.
      if (index % aDay === 0) person = await world.enhancer(`ana${index}`, 2000)
      // The neural network takes seconds for a photograph; `npm run faults enhancement` covers that.
      const quality = index % 2 === 0 || bytes.length > 20_000 ? 'low' : 'high'
      const form = { image: fileOf(bytes, 'image/png'), quality } as const
      const outcome = await person!.enhancement.generate({ form }).then(
        ({ provider }) => provider,
        (error: unknown) => {
          if (!(error instanceof ApiProblem)) throw error
          return String(error.status)
        },
      )
      expect(['provider_a', 'provider_b', '400'], name).toContain(outcome)
      counts[outcome] = (counts[outcome] ?? 0) + 1
    }
    console.info(`outcomes: ${JSON.stringify(counts)}`)
    const done = (counts['provider_a'] ?? 0) + (counts['provider_b'] ?? 0)
    expect(done).toBeGreaterThan(corpus.length / 2)
    const records = await world.ctx.db
      .selectFrom('enhancement_generations')
      .select(['status', 'refunded_at', 'quality', 'actual_provider'])
      .execute()
    expect(records).toHaveLength(done)
    expect(records.filter(({ status }) => status !== 'completed')).toEqual([])
    return corpus.length
  },
  600_000,
)
