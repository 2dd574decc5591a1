/** The trash in a real Chromium: files and sessions are moved there, restored, and deleted for good. */
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { desktop, expectOpenToAll, phone } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { visitAs } from '../support/editor-visit.ts'
import { expectFocus } from '../support/focus.ts'
import { upload } from '../support/vault-world.ts'
import { createWorld, type Person, type World } from '../support/world.ts'

let world: World
let browser: Browser
let ana: Person
const openContexts: BrowserContext[] = []

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
  const webFolder = join(import.meta.dirname, '../../dist/web')
  world = await createWorld({}, { webFolder })
  browser = await openBrowser()
})

beforeEach(async () => {
  await world.reset()
  ana = await world.as('ana')
})

afterEach(async () => {
  await Promise.all(openContexts.splice(0).map((context) => context.close()))
})

afterAll(async () => {
  await browser?.close()
  await world?.close()
})

const trashed = { query: { trash: 'true' as const } }

test('files are restored from the trash, one or many, and deleted for good after a question', async () => {
  for (const name of ['bay.png', 'hill.png', 'road.png', 'stream.png']) await upload(ana, name)
  const { page, errors } = await visit('/vault')
  await page.getByRole('region', { name: 'Storage' }).getByRole('link', { name: 'Trash' }).waitFor()
  await page
    .getByRole('gridcell')
    .first()
    .click({ modifiers: ['Control'] })
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByText('4 files moved to the trash').waitFor()
  await page.getByRole('link', { name: /of it in the trash$/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor()
  await expect
    .poll(() => page.getByRole('listitem').filter({ hasText: '30 days left' }).count())
    .toBe(4)
  await page.getByText(/^It takes .* of your storage\.$/).waitFor()

  await page.getByRole('button', { name: 'Restore bay.png' }).click()
  await page.getByText('1 item was restored.').waitFor()
  expect((await ana.vault.list()).files.map(({ originalName }) => originalName)).toEqual([
    'bay.png',
  ])
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByText('3 selected').waitFor()
  await page.getByRole('checkbox', { name: 'Select stream.png' }).uncheck()
  await page.getByText('2 selected').waitFor()
  await expectOpenToAll(page, 'the trash')
  await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click()
  await page.getByText('2 items were restored.').waitFor()

  await page.getByRole('button', { name: 'Delete stream.png for good' }).click()
  const question = page.getByRole('dialog', { name: 'Delete “stream.png” for good?' })
  await question.getByRole('button', { name: 'Keep it' }).click()
  expect((await ana.trash.list()).items).toHaveLength(1)
  await page.getByRole('button', { name: 'Delete stream.png for good' }).click()
  await question.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByText('Nothing in the trash').waitFor()
  await expectOpenToAll(page, 'the empty trash')
  await page.getByRole('link', { name: 'Back to the vault' }).click()
  await expect.poll(() => page.getByRole('gridcell').count()).toBe(3)
  expect(errors).toEqual([])
})

test('on a phone a toast is above a dialog, not on its button', async () => {
  for (const name of ['bay.png', 'hill.png']) await upload(ana, name)
  for (const { id } of (await ana.vault.list()).files)
    await ana.vault.remove({ params: { id: String(id) }, ...trashed })
  const { page } = await visit('/trash', { viewport: phone })
  await page.getByRole('button', { name: 'Restore bay.png' }).click()
  const said = page.locator('.toast').filter({ hasText: '1 item was restored.' })
  await said.waitFor()
  await page.getByRole('button', { name: 'Empty trash' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  const [above, below] = [await said.boundingBox(), await dialog.boundingBox()]
  expect((above?.y ?? NaN) + (above?.height ?? NaN)).toBeLessThan(below?.y ?? NaN)
})

test('a toast over an open dialog can be pressed, and reached by keys', async () => {
  const { mediaId } = await upload(ana, 'bay.png')
  const body = { title: 'By the water', slides: [{ mediaId }] }
  const { session } = await ana.sessions.createManual({ body })
  const { page } = await visit(`/sessions/${session.id}`)
  // An error message stays until it is closed.
  const refusal = { status: 403, json: { message: 'Forbidden' } }
  await page.route('**/api/trash', (route) => route.fulfill(refusal))
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const dialog = page.getByRole('dialog')
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  const closings = {
    pressed: () => dismiss.click(),
    'by keys': async () => {
      // Backwards from the first field, over the close button and the browser's own controls, to the last
      // element.
      await expect
        .poll(async () => {
          await page.keyboard.press('Shift+Tab')
          return dismiss.evaluate((button) => button === document.activeElement)
        })
        .toBe(true)
      await page.keyboard.press('Enter')
    },
  }
  for (const close of Object.values(closings)) {
    await choose('Move to trash')
    await dismiss.waitFor()
    await choose('Settings')
    await expectFocus(page, 'Title')
    await close()
    await dismiss.waitFor({ state: 'detached' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  // A message that appeared before a dialog opened stays when the dialog closes.
  await choose('Move to trash')
  await dismiss.waitFor()
  await choose('Settings')
  await dialog.waitFor()
  await expectOpenToAll(page, 'a dialog with something said')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await dismiss.click()
  await dismiss.waitFor({ state: 'detached' })
})

test('a session goes there from its card and its page, with a way back, and everything can go', async () => {
  const { mediaId } = await upload(ana, 'bay.png')
  await ana.sessions.createManual({ body: { title: 'By the water', slides: [{ mediaId }] } })
  const { page, errors } = await visit('/library', { viewport: phone })
  const card = page.getByRole('link', { name: 'By the water', exact: true })
  const moveByCard = async () => {
    await page.getByRole('button', { name: 'More for By the water' }).click()
    await page.getByRole('menuitem', { name: 'Move to trash' }).click()
    await page.getByText('“By the water” is in the trash.').waitFor()
    await card.waitFor({ state: 'detached' })
  }
  await moveByCard()
  await page.getByRole('button', { name: 'Undo' }).click()
  await card.click()
  await page.waitForURL(/\/sessions\/\d+$/)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Move to trash' }).click()
  await page.waitForURL(/\/library$/)
  await page.getByText('“By the water” is in the trash.').waitFor()
  // By keyboard, because the message may cover the link.
  await page.getByRole('link', { name: 'Trash' }).press('Enter')
  await page.getByText(/^Session · 30 days left$/).waitFor()
  await page.getByRole('button', { name: 'Empty trash' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Empty trash' }).click()
  await page.getByText('1 item was deleted for good.').waitFor()
  await page.getByText('Nothing in the trash').waitFor()
  expect(await ana.sessions.list()).toEqual([])
  expect((await ana.vault.list()).totalCount).toBe(1)
  expect(errors).toEqual([])
})

test('a slide whose file is in the trash keeps its position and says so, in German too', async () => {
  const [one, two] = [await upload(ana, 'bay.png'), await upload(ana, 'hill.png')]
  const slides = [{ mediaId: one.mediaId }, { mediaId: two.mediaId }]
  const { session } = await ana.sessions.createManual({ body: { title: 'Two', slides } })
  await ana.vault.remove({ params: { id: one.id }, ...trashed })
  const { page, errors } = await visit(`/sessions/${session.id}`, { locale: 'de-DE' })
  await page.getByText('Im Papierkorb').waitFor()
  await page.goto(`${world.url}/sessions/${session.id}/edit`)
  await page.getByText('Dieses Bild liegt im Papierkorb.').waitFor()
  await page.goto(`${world.url}/trash`)
  await page.getByText('Datei · noch 30 Tage').waitFor()
  await page.getByRole('button', { name: 'bay.png wiederherstellen' }).click()
  await page.getByText('1 Eintrag wurde wiederhergestellt.').waitFor()
  expect(errors).toEqual([])
})

test('content that moderation has hidden cannot go to the trash: it is deleted for good, but only after a question', async () => {
  const { mediaId } = await upload(ana, 'bay.png')
  const { session } = await ana.sessions.createManual({
    body: { title: 'Reported', slides: [{ mediaId }] },
  })
  await sql`with made as (
      insert into takedowns (session_id, state, is_quarantine, created_at)
      values (${session.id}, 'hidden', false, now()) returning id
    ), files as (
      insert into hidden_files (bucket, key, takedown_id)
      select 'user-media', file_path, made.id from made, vault_media
    ) insert into hidden_sessions (session_id, takedown_id)
      select ${session.id}::int, id from made`.execute(world.ctx.db)
  const { page } = await visit('/library')
  await page.getByRole('button', { name: 'More for Reported' }).click()
  await page.getByRole('menuitem', { name: 'Move to trash' }).click()
  const question = page.getByRole('dialog', { name: 'Delete “Reported”?' })
  await question.getByRole('button', { name: 'Delete session' }).click()
  await page.getByText('“Reported” was deleted.').waitFor()

  await page.goto(`${world.url}/vault`)
  await page
    .getByRole('gridcell')
    .first()
    .click({ modifiers: ['Control'] })
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page
    .getByText('A file that was hidden after a report cannot be moved to the trash.')
    .waitFor()
  expect((await ana.vault.list()).totalCount).toBe(1)
  const answered = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Delete for good' }).click()
  expect((await answered).status()).toBe(200)
  expect((await ana.vault.list()).totalCount).toBe(0)
  expect((await ana.trash.list()).items).toEqual([])
})

async function visit(path: string, options: BrowserContextOptions = {}) {
  const visited = await visitAs(browser, ana, world.url, {
    viewport: desktop,
    locale: 'en-GB',
    ...options,
  })
  openContexts.push(visited.context)
  await visited.page.goto(world.url + path)
  return visited
}
