/**
 * Browsing feeds in a real Chromium: subfeeds and searches page by page, and single pictures chosen from
 * them.
 */
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { desktop, expectOpenToAll } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { expectSlides, visitAs } from '../support/editor-visit.ts'
import { createFakeFeed, pictures } from '../support/fake-feed.ts'
import { createWorld, type Person, type World } from '../support/world.ts'

let world: World
let browser: Browser
let ana: Person
const feed = createFakeFeed()
const openContexts: BrowserContext[] = []

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
  const webFolder = join(import.meta.dirname, '../../dist/web')
  world = await createWorld({}, { webFolder, feed })
  browser = await openBrowser()
})

beforeEach(async () => {
  await world.reset()
  feed.reset()
  feed.put('coast', pictures('coast', 130))
  ana = await world.as('ana')
})

afterEach(async () => {
  await Promise.all(openContexts.splice(0).map((context) => context.close()))
})

afterAll(async () => {
  await browser?.close()
  await world?.close()
})

test('a subfeed is browsed to its end, and single pictures become a new session', async () => {
  const page = await visit('/sessions/new/feeds')
  await page.getByLabel('Title').first().fill('From the coast')
  await page.getByRole('button', { name: 'Pick single pictures' }).click()
  await page.getByText('Browse', { exact: true }).click()
  await page.getByText('Enter the name of a feed to see its posts.').waitFor()
  await page.getByLabel('Name of a feed').fill('coast')
  await page.getByText('40 posts so far.').waitFor()
  for (const sort of ['new', 'top']) {
    const asked = page.waitForRequest(
      (request) =>
        request.url().endsWith('/api/fetch-feed') &&
        (request.postData() ?? '').includes(`"sort":"${sort}"`),
    )
    await page.getByLabel('Order').selectOption(sort)
    await asked
  }
  await page.getByText('40 posts so far.').waitFor()
  await page.getByRole('button', { name: 'Picture 3 of coast' }).click()
  await toTheEnd(page, '130 posts, and that is all.')
  await page.getByRole('button', { name: 'Picture 129 of coast' }).click()
  await page.getByRole('button', { name: 'Add 2 slides' }).click()
  await page.waitForURL(/\/sessions\/\d+\/edit$/)
  await expectSlides(page, 2)
  const [session] = await ana.sessions.list()
  const { media } = await ana.sessions.read({ params: { id: String(session?.id) } })
  expect(session?.title).toBe('From the coast')
  expect(media.map(({ mediaUrl }) => mediaUrl)).toEqual([
    'https://pictures.example/coast/3.jpg',
    'https://pictures.example/coast/129.jpg',
  ])
})

test('a search continues where it stopped, while a session is edited', async () => {
  const { session } = await ana.sessions.createManual({
    body: { title: 'By hand', slides: [{ mediaUrl: 'https://pictures.example/coast/0.jpg' }] },
  })
  const page = await visit(`/sessions/${session.id}/edit`)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Feed', { exact: true }).click()
  await page.getByLabel('Search the feed').fill('of coast')
  await page.getByText('40 posts so far.').waitFor()
  // Posts that are already slides of the session are not offered again.
  expect(await page.getByRole('button', { name: 'Picture 0 of coast' }).count()).toBe(0)
  await toTheEnd(page, '99 posts found.')
  await page.getByRole('button', { name: 'Picture 70 of coast' }).click()
  await page.getByRole('button', { name: 'Add slide', exact: true }).click()
  await expectSlides(page, 2)
})

test('a failing feed shows an error and a way to continue', async () => {
  feed.fail('coast', 'unreachable')
  const page = await visit('/sessions/new/feeds')
  await page.getByRole('button', { name: 'Pick single pictures' }).click()
  await page.getByText('Browse', { exact: true }).click()
  await page.getByLabel('Name of a feed').fill('coast')
  await page.getByRole('alert').getByText('Failed to fetch the feed').waitFor()
  await page.getByLabel('Name of a feed').fill('harbours')
  await page.getByText('40 posts, and that is all.').waitFor()
  await expectOpenToAll(page, 'browsing a subfeed')
})

async function visit(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const visited = await visitAs(browser, ana, world.url, {
    viewport: desktop,
    locale: 'en-GB',
    ...options,
  })
  openContexts.push(visited.context)
  // The remote pictures do not exist.
  await visited.context.route('https://pictures.example/**', (route) => route.abort())
  await visited.page.goto(world.url + path)
  return visited.page
}

/** Scrolls down repeatedly, as a person does who looks for one picture. */
async function toTheEnd(page: Page, words: string): Promise<void> {
  const lastPost = page.getByRole('list', { name: 'Posts' }).locator('li').last()
  await expect
    .poll(async () => {
      // The browser's own scrolling would wait until the post stops moving.
      await lastPost.evaluate((post) => post.scrollIntoView())
      await page.locator('[data-dialog]').evaluate((dialog) => dialog.scrollTo(0, 1e6))
      return await page.getByText(words).count()
    })
    .toBe(1)
}
