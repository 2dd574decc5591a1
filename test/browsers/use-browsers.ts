/** Runs tests in each browser, with a service for each, and closes all pages after every test. */
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { type BrowserWorld, createBrowserWorld } from './browser-world.ts'

/** `journeys` gets the world through a function, because the world exists only when a test starts. */
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
