/** An archive that one site exports is the same after another site imports it. */
import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { anySession, fillVault, travel } from '../support/archive-roundtrip.ts'
import type { World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let here: World
let there: World

beforeAll(async () => {
  here = await createWorld()
  there = await createWorld()
})
afterAll(async () => {
  await here.close()
  await there.close()
})

test('any session survives an export and an import unchanged', async () => {
  const ana = await here.as('ana')
  const bo = await there.as('bo')
  const mediaIds = await fillVault(ana)
  await here.runJobs()
  await fc.assert(
    fc.asyncProperty(await anySession(ana, mediaIds), (session) => travel(ana, bo, session)),
    { numRuns: 8 },
  )
})
