/** The pages in other languages: the language that a visitor gets, and complete German. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'

let world: PageWorld

const german = { locale: 'de-DE' }

beforeAll(async () => {
  world = await createPageWorld()
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

test('a browser that asks for German gets it, with its own numbers and dates', async () => {
  const { page, open, errors } = await world.signedIn(1, german)
  await open('/library')
  await page.getByRole('link', { name: 'Neue Session' }).waitFor()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
  await page.getByRole('button', { name: 'Kontomenü' }).click()
  await page.getByText(/^\d\.\d{3} Credits$/).waitFor()
  expect(errors).toEqual([])
})

test('another language is chosen in the account menu, stays, and can be left again', async () => {
  const { page, open } = await world.signedIn(2)
  await open('/library')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Kontomenü' }).waitFor()
  await open('/account')
  await page.getByRole('heading', { name: 'Konto', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Kontomenü' }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Account menu' }).waitFor()
})

test('server failures are shown in German', async () => {
  const { page, open } = await world.visit(german)
  await open('/login')
  await page.getByLabel('E-Mail').fill('nobody@example.test')
  await page.getByLabel('Passwort', { exact: true }).fill('a long enough password')
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await page.getByRole('alert').getByText('E-Mail-Adresse oder Passwort stimmt nicht.').waitFor()
})

test('a page loads scripts in its own language alone', async () => {
  const { page, open } = await world.visit(german)
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('.js')) scripts.push(new URL(request.url()).pathname)
  })
  await open('/login')
  await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor()
  expect(scripts).toContainEqual(expect.stringMatching(/^\/assets\/de\/index-/))
  expect(scripts.filter((path) => !path.startsWith('/assets/de/'))).toEqual(['/theme.js'])
})
