/** Actions and checks in the editor in a browser. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import { cookiesOf } from './player-world.ts'
import type { Person } from './world.ts'

/** Opens a signed-in browser context for a person, and collects its errors. */
export async function visitAs(
  browser: Browser,
  person: Person,
  url: string,
  options: BrowserContextOptions,
) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  await context.addCookies(cookiesOf(person, url))
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text())
  })
  return { context, page, errors }
}

export function slide(page: Page, position: number) {
  return page.getByRole('button', { name: new RegExp(`^Slide ${position} of`) })
}

export async function expectSlides(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.getByRole('button', { name: /^Slide \d+ of/ }).count()).toBe(count)
}

export async function captionsOf(page: Page): Promise<string[]> {
  const names = await page
    .getByRole('button', { name: /^Slide \d+ of/ })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''))
  return names.map((name) => name.replace(/^Slide \d+ of \d+, /, ''))
}

export async function addAddresses(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Addresses', { exact: true }).click()
  await page.getByLabel('Addresses of pictures or videos').fill(text)
  await page.getByText('Line 2 will be left out').waitFor()
  await page.getByRole('button', { name: 'Add 2 slides' }).click()
}

export async function drag(page: Page, from: number, to: number): Promise<void> {
  const start = await slide(page, from).boundingBox()
  const end = await slide(page, to).boundingBox()
  if (!start || !end) throw new Error('a slide is not on the screen')
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  const [x, y] = [end.x + end.width / 2, end.y + end.height / 2 - 4]
  await page.mouse.move(x, y, { steps: 12 })
  // A slow page measures positions after the pointer has moved, and applies them at the next move.
  const isOver = page.getByText(`The slide is now at position ${to} of`)
  await eventually(async () => {
    await page.mouse.move(x + 1, y)
    await page.mouse.move(x, y)
    await expect.poll(() => isOver.count()).toBe(1)
  })
  await page.mouse.up()
}

/** Creates a session of pictures of the site with these captions. */
export async function makeSession(
  person: Person,
  site: { url: (path: string) => string },
  captions: readonly (string | null)[],
): Promise<number> {
  const slides = captions.map((caption, n) => ({ mediaUrl: site.url(`/${n + 1}.jpg`), caption }))
  const { session } = await person.sessions.createManual({ body: { title: 'By hand', slides } })
  return session.id
}

export async function savedCaptions(person: Person, id: number): Promise<(string | null)[]> {
  const { media } = await person.sessions.read({ params: { id: String(id) } })
  return media.map(({ caption }) => caption)
}
