/** Choosing the source of a session's pictures, where a site offers more than one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll } from '../support/accessibility.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'
import { openSourceSite } from '../support/source-site.ts'

let site: Awaited<ReturnType<typeof openSourceSite>>
let world: PageWorld

beforeAll(async () => {
  site = await openSourceSite()
  world = await createPageWorld({ FEEDS: 'demo,commons,bluesky,rss', ...site.settings })
})

afterAll(async () => {
  await world?.close()
  site?.close()
})

test('sources are chosen by name, with an example, and are combined in one session', async () => {
  const { page, open } = await world.signedIn(1)
  await open('/sessions/new/feeds')
  await page.getByRole('textbox', { name: 'Title' }).fill('Lakes of all sorts')
  const names = page.getByRole('textbox', { name: 'Feeds' })
  await names.fill('mountainlight')
  await names.press('Enter')
  await page.getByRole('combobox', { name: 'Source' }).selectOption('commons')
  await expect.poll(() => names.getAttribute('placeholder')).toMatch(/^For example /)
  await names.fill('Lakes of Asia')
  await names.press('Enter')
  await page.getByText('commons:Lakes of Asia').waitFor()
  await names.fill(`rss:${site.origin}/feed.xml`)
  await names.press('Enter')
  await page.getByRole('combobox', { name: 'Source' }).selectOption('Your vault')
  await names.fill('favorites')
  await names.press('Enter')
  await page.getByText('vault:favorites').waitFor()
  await expectOpenToAll(page, 'a new session')
  await page.getByRole('button', { name: /^Make session/ }).click()
  await page.waitForURL(/\/sessions\/\d+/)
})
