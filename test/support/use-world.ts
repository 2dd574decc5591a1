/** One world for all tests of a file, empty at the start of each. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { findUnbalanced } from '../../src/server/features/credits/ledger/queries.ts'
import type { World } from './world.ts'

/** `begin` is given the world before each test, for those who are to be in it. */
export function useWorld<W extends World>(
  create: () => Promise<W>,
  begin: (world: W) => Promise<void>,
): void {
  let world: W
  beforeAll(async () => {
    world = await create()
  })
  beforeEach(async () => {
    await world.reset()
    await begin(world)
  })
  afterAll(async () => {
    const unbalanced = await findUnbalanced(world.ctx)
    // Ended before anything is expected: what goes on would keep the tests from ending.
    await world.close()
    expect(unbalanced, 'accounts whose balance is not their history').toEqual([])
  })
}
