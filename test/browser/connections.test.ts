/**
 * Connecting an account of a remote server in the browser: it is tested before it is stored, then it is a
 * source of sessions.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll } from '../support/accessibility.ts'
import { immichKey, openImmichServer } from '../support/immich-server.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'

let immich: Awaited<ReturnType<typeof openImmichServer>>
let world: PageWorld

beforeAll(async () => {
  immich = await openImmichServer()
  world = await createPageWorld(immich.settings)
})

afterEach(() => world.closeAll())

afterAll(async () => {
  await world?.close()
  immich?.close()
})

test('a key is tested, hidden, fills a session, and is deleted', async () => {
  const { page, open } = await world.signedIn(1)
  await open('/account')
  const panel = page.getByRole('region', { name: 'Connections' })
  await panel.getByRole('button', { name: 'Connect Immich' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('API key').fill('not-the-key')
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await dialog.getByText('Immich: does not accept the key').waitFor()
  await expectOpenToAll(page, 'connecting an account')
  await dialog.getByLabel('API key').fill(immichKey)
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await panel.getByText('Ana of Immich').waitFor()
  expect(await page.content()).not.toContain(immichKey)

  await open('/sessions/new/feeds')
  await page.getByRole('textbox', { name: 'Title' }).fill('Our summer')
  await page.getByRole('combobox', { name: 'Source' }).selectOption('Immich')
  await page.getByText('Connect your account first').waitFor()
  const names = page.getByRole('textbox', { name: 'Feeds' })
  await names.fill('favorites')
  await names.press('Enter')
  await page.getByRole('button', { name: /^Make session/ }).click()
  await page.waitForURL(/\/sessions\/\d+/)
  const shown = page.locator('img[src^="/media/connected/"]').first()
  await expect
    .poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(64)

  await open('/account')
  await panel.getByRole('button', { name: 'Disconnect Ana of Immich' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
  await panel.getByRole('button', { name: 'Connect Immich' }).waitFor()
})
