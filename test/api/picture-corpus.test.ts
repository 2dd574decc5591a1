/** Hostile pictures through every picture tool: each is refused as the contract says, or processed. */
import { afterAll, beforeAll, expect } from 'vitest'
import { readPictureCorpus, tryEveryTool } from '../support/picture-corpus.ts'
import type { PictureWorld } from '../support/picture-world.ts'
import { createPictureWorld } from '../support/picture-world.ts'
import { testShared } from '../support/shared-corpora.ts'

let world: PictureWorld

beforeAll(async () => {
  world = await createPictureWorld()
})
afterAll(() => world.close())

testShared(
  'no picture of the corpus breaks a tool, and refused pictures are not charged',
  async () => {
    const ana = await world.as('ana')
    await world.grant('ana', 1_000_000)
    const before = await world.balanceOf(ana)
    const prices: Record<string, number> = { compose: 20, blur: 5, pixelate: 5, gif: 25, webp: 25 }
    let spent = 0
    const counts = new Map<number, number>()
    const corpus = readPictureCorpus({ every: 16 })
    for (const file of corpus) {
      for (const { tool, status } of await tryEveryTool(ana, file)) {
        expect([200, 400, 413], `${file.name}, ${tool}`).toContain(status)
        counts.set(status, (counts.get(status) ?? 0) + 1)
        if (status === 200) spent += prices[tool.replace(/,.*/, '')] ?? 0
      }
    }
    expect(await world.balanceOf(ana)).toBe(before - spent)
    expect(counts.get(200)).toBeGreaterThan(corpus.length)
    console.info(`statuses: ${JSON.stringify(Object.fromEntries(counts))}`)
    return corpus.length
  },
  600_000,
)
