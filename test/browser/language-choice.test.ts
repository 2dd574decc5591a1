/** The language of the pages: visitors choose it at sign-in, members in their account. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { desktop, expectOpenToAll, phone } from '../support/accessibility.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'
import { buildZip } from '../support/zip-builder.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})
afterEach(() => world.closeAll())
afterAll(() => world?.close())

test('a visitor chooses the language by keys before signing in, and it stays', async () => {
  const { page, open, errors } = await world.visit({ viewport: phone, locale: 'en-GB' })
  await open('/login')
  await page.getByRole('button', { name: 'Language' }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'English', checked: true }).waitFor()
  await page.locator('[role=menuitemradio]:focus', { hasText: 'English' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.locator('[role=menuitemradio]:focus', { hasText: 'Deutsch' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Anmelden' }).waitFor()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
  await expectOpenToAll(page, 'the German way in')

  await page.getByRole('link', { name: 'Jetzt anlegen' }).click()
  await page.getByRole('heading', { level: 1, name: 'Konto anlegen' }).waitFor()
  await page.getByRole('button', { name: 'Konto anlegen' }).click()
  await page.getByText('Gib eine E-Mail-Adresse ein, zum Beispiel name@example.org.').waitFor()
  expect(errors).toEqual([])
})

test('signed-in users find the language in the account menu', async () => {
  const { page, open } = await world.signedIn(1, { viewport: desktop, locale: 'de-AT' })
  await open('/credits')
  await page.getByText('Credits zum Einstieg').first().waitFor()
  await open('/account')
  const panel = page.getByRole('region', { name: 'Darstellung' })
  await panel.getByRole('radiogroup', { name: 'Farbschema' }).waitFor()
  await panel.getByRole('button', { name: 'Sprache' }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await page.reload()
  await page.getByRole('region', { name: 'Display' }).waitFor()
})

test('a refusal with details is shown in the language of the page', async () => {
  const { page, open } = await world.signedIn(1, { viewport: desktop, locale: 'de' })
  await open('/import')
  // The message names the error in the manifest after a colon.
  const buffer = buildZip([{ name: 'manifest.json', content: '{"format":"lanternist"' }])
  const zip = { name: 'broken.zip', mimeType: 'application/zip', buffer }
  await page.getByLabel('Eine Datei zum Importieren').setInputFiles([zip])
  await page.getByRole('heading', { name: /^Ein Archiv, \d+ Byte$/ }).waitFor()
  await page.getByRole('button', { name: 'Importieren', exact: true }).click()
  const sentence = 'Das Manifest des Archivs ist ungültig.'
  await page.getByRole('alert').getByText(sentence, { exact: true }).waitFor()
})
