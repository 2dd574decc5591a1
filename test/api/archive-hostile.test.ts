/** Archives that lie, explode or climb out: each refused with its reason, and nothing left of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everythingIn, importArchive } from '../support/archive-world.ts'
import { goodArchive, hostileArchives } from '../support/hostile-archives.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: World
let ana: Person

beforeAll(async () => {
  world = await createWorld()
  ana = await world.as('ana')
})
afterAll(() => world.close())

describe('a hostile archive is refused, and leaves neither a row nor a file', () => {
  test.each(hostileArchives())('$kind: $fault', async ({ bytes, fault }) => {
    const { status, body } = await refused(importArchive(ana, bytes))
    expect({ status, body }).toMatchObject({ status: 400, body: { reason: fault } })
    expect(await everythingIn(world)).toEqual({ counts: [0, 0, 0, 0, 0, 0, 0], files: [] })
  })
})

test('the archive that they are made of is welcome', async () => {
  const { skipped } = await importArchive(ana, goodArchive)
  expect(skipped).toEqual([])
  expect((await everythingIn(world)).counts.slice(0, 2)).toEqual([1, 1])
})
