/** Runs a journey's tests in each browser, with a service of its own, and no page left open. */
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { type BrowserWorld, createBrowserWorld } from './browser-world.ts'

/** `journeys` is given the world by a function, because it is there only once a test begins. */
export function inEachBrowser(journeys: (world: () => BrowserWorld) => void): void {
  describe.each(['firefox', 'webkit'] as const)('in %s', (name) => {
    let world: BrowserWorld
    beforeAll(async () => {
      world = await createBrowserWorld(name)
    })
    afterEach(() => world.closePages())
    afterAll(() => world?.close())
    journeys(() => world)
  })
}
