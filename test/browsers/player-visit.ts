/** The player in the browser tests, for every browser. */
import { expect } from 'vitest'
import type { SlideWish } from '../support/player-world.ts'
import type { Person } from '../support/world.ts'
import type { BrowserWorld } from './browser-world.ts'
import type { Page } from './page.ts'

/** Makes a session of pictures from the site and returns its id. */
export async function makeShow(
  { site }: BrowserWorld,
  person: Person,
  slides: readonly SlideWish[],
): Promise<number> {
  const body = {
    title: 'Evening',
    slides: slides.map(({ path, ...slide }) => ({ mediaUrl: site.url(path), ...slide })),
  }
  return (await person.sessions.createManual({ body })).session.id
}

/** Waits until the picture or film whose address ends like this is visible and decoded. */
export async function untilShown(page: Page, ending: string): Promise<void> {
  await page.until(
    (expected) => {
      const frame = [...document.querySelectorAll('.player-frame.is-shown')].at(-1)
      const media = frame?.querySelector('img, video')
      if (!media?.getAttribute('src')?.endsWith(expected)) return false
      return media instanceof HTMLImageElement
        ? media.complete && media.naturalWidth > 0
        : media instanceof HTMLVideoElement && media.videoWidth > 0
    },
    ending,
    `${ending} on the screen`,
  )
}

/** Expects that neither the window nor an open dialog scrolls sideways. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const wide = await page.evaluate(() => {
    const roots = [document.documentElement, ...document.querySelectorAll('dialog')]
    return roots
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .filter((root) => getComputedStyle(root).overflowX !== 'hidden')
      .map((root) => `${root.tagName} ${root.scrollWidth} > ${root.clientWidth}`)
  }, null)
  expect(wide).toEqual([])
}
