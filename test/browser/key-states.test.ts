/**
 * Screenshots of the client's key states, compared with reference pictures. `UPDATE_PICTURES=1 npm test
 * -- --project browser test/browser/key-states.test.ts` replaces the references. Review them before you
 * commit them.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { keyStates, reachState } from '../support/key-states.ts'
import { compareWithReference } from '../support/picture-comparison.ts'
import {
  createShowcaseWorld,
  type ShowcaseWorld,
  steadyScreenshot,
} from '../support/showcase-world.ts'

let world: ShowcaseWorld

beforeAll(async () => {
  world = await createShowcaseWorld()
})

afterEach(() => world.closePages())

afterAll(() => world?.close())

async function difference(page: Page, name: string): Promise<string | null> {
  const { width } = page.viewportSize() ?? { width: 0 }
  const file = join(import.meta.dirname, 'key-states', `${name}.webp`)
  return compareWithReference(await steadyScreenshot(page), file, width)
}

test.each(Object.keys(keyStates))('%s looks as it did', async (name) => {
  const page = await reachState(world, name)
  expect(await difference(page, name)).toBeNull()
})

test.skipIf(process.env['UPDATE_PICTURES'] === '1')(
  'what is missing, moved or in another theme or font is noticed; a finer screen is not',
  async () => {
    const name = 'library-dark'
    const page = await reachState(world, name, { deviceScaleFactor: 2 })
    expect(await difference(page, name)).toBeNull()
    const changes: Record<string, () => void> = {
      'an icon is missing': () => setStyle('[aria-label="Favourite Moss"]', 'visibility', 'hidden'),
      'a heading is 8 pixels lower': () => setStyle('h1', 'translate', '0 8px'),
      'chips are 8 pixels aside': () => setStyle('.chip', 'translate', '8px 0'),
      'titles have another font': () => setStyle('.show-voice', 'font-family', 'Hanken Grotesk'),
      'it is light': () => (document.documentElement.dataset['theme'] = 'light'),
    }
    await page.evaluate(() => {
      const set = (selector: string, property: string, value: string) => {
        for (const found of document.querySelectorAll<HTMLElement>(selector))
          found.style.setProperty(property, value)
      }
      Object.assign(window, { setStyle: set })
    })
    const unnoticed: string[] = []
    for (const [what, change] of Object.entries(changes)) {
      await page.evaluate(change)
      if ((await difference(page, name)) === null) unnoticed.push(what)
      await page.evaluate(() => {
        for (const changed of document.querySelectorAll<HTMLElement>('[style]'))
          changed.removeAttribute('style')
      })
    }
    expect(unnoticed).toEqual([])
  },
)

/** Runs in the page, where the test defines it. */
declare function setStyle(selector: string, property: string, value: string): void
