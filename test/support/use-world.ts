/** One world for all tests of a file, empty at the start of each. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { findUnbalanced } from '../../src/server/features/credits/ledger/queries.ts'
import type { World } from './world.ts'

/** `begin` gets the world before each test, to prepare users. */
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
    // Close before the expectation: a failure would leave the world running.
    await world.close()
    expect(unbalanced, 'accounts whose balance is not their history').toEqual([])
  })
}
