/** The panel for the whole library on the account page, in a real Chromium. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createImportPageWorld, type ImportPageWorld } from '../support/import-page-world.ts'

let world: ImportPageWorld

beforeAll(async () => {
  world = await createImportPageWorld()
})

beforeEach(() => world.reset())
afterEach(() => world.closeVisits())
afterAll(() => world?.close())

test('a whole library is downloaded and restored on the page Your data', async () => {
  const ana = await world.as('ana')
  await world.importWhole(ana, 'Slow mornings')
  await world.importWhole(ana, 'Late evenings')
  const { page } = await world.visit(ana)
  await page.goto(`${world.url}/account/downloads`)
  const panel = page.getByRole('region', { name: 'Your whole library' })
  const download = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Download' }).click()
  const zip = await (await download).path()

  await page.goto(`${world.url}/import`)
  await page.getByLabel('A file to import').setInputFiles(zip)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('link', { name: 'Restore it on the page “Your data”' }).click()
  await page.getByLabel('A library to restore').setInputFiles(zip)
  await panel.getByText('Restoring, 0 of 2').waitFor()
  await world.runJobs()
  await panel.getByText('2 sessions and 0 files were restored.').waitFor()
  expect(await ana.sessions.list()).toHaveLength(4)
})

test('the status of a restore that could not be loaded is loaded again on request', async () => {
  const { page } = await world.visit(await world.as('ana'))
  let asked = 0
  const address = '**/api/library/imports/*'
  await page.route(address, (route) => {
    asked += 1
    return route.fulfill({ status: 500, json: { message: 'Internal Server Error' } })
  })
  await page.clock.install()
  await page.goto(`${world.url}/account/downloads?restore=0b9f1f5e-7a53-4c37-8f0a-2b1d6c3e4f50`)
  const panel = page.getByRole('region', { name: 'Your whole library' })
  await panel.getByRole('button', { name: 'Check again' }).click()
  await expect.poll(() => asked).toBe(2)
  await page.clock.runFor(120_000)
  expect(asked).toBe(2)
  await page.unroute(address)
  await page.route(address, (route) => {
    asked += 1
    const at = '2026-01-01T00:00:00.000Z'
    const counts = { done: asked - 2, total: 9, sessions: 0, vaultFiles: 0, skipped: [] }
    const json = { status: 'running', ...counts, error: null, createdAt: at, updatedAt: at }
    return route.fulfill({ json })
  })
  await panel.getByRole('button', { name: 'Check again' }).click()
  await panel.getByText('Restoring, 1 of 9').waitFor()
  expect(await panel.getByRole('button', { name: 'Check again' }).count()).toBe(0)
  // The clock also runs between these steps, depending on the speed of the machine.
  await page.clock.runFor(1000)
  expect(asked).toBe(3)
  await page.clock.runFor(1000)
  await panel.getByText('Restoring, 2 of 9').waitFor()
  await page.clock.runFor(3000)
  expect(asked).toBe(4)
})
