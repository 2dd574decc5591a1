/** The pages in other languages: which one a visitor gets, German through and through, right to left. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { desktop, expectOpenToAll, phone } from '../support/accessibility.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'
import { foreignTexts, speakPseudo } from '../support/pseudo-language.ts'

let world: PageWorld
let sessionId: number
/** What the site is sorted by, which an administrator may call otherwise. */
let seeded: ReadonlySet<string>

const german = { locale: 'de-DE' }

beforeAll(async () => {
  world = await createPageWorld()
  const { page } = await world.signedIn(1)
  sessionId = await world.makeSession(page, 'Lights 1234')
  const [tags, categories] = await Promise.all(
    ['tags', 'categories'].map(async (name) =>
      (await page.request.get(`${world.url}/api/${name}`)).json(),
    ),
  )
  seeded = new Set([...tags.map(labelOf), ...categories.map(nameOf)])
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

test('a browser that asks for German gets it, with its own numbers and dates', async () => {
  const { page, open, errors } = await world.signedIn(1, german)
  await open('/library')
  await page.getByRole('link', { name: 'Neue Session' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
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

test('what the server says of a failure is said in German', async () => {
  const { page, open } = await world.visit(german)
  await open('/login')
  await page.getByLabel('E-Mail').fill('nobody@example.test')
  await page.getByLabel('Passwort', { exact: true }).fill('a long enough password')
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await page.getByRole('alert').getByText('E-Mail-Adresse oder Passwort stimmt nicht.').waitFor()
})

const memberPages = () => [
  '/library',
  '/sessions/new',
  '/sessions/new/manual',
  `/sessions/${sessionId}`,
  `/sessions/${sessionId}/edit`,
  '/import',
  '/account',
  '/account/notices',
  '/credits',
  '/credits/buy',
  '/community/published',
  '/community',
  '/vault',
  '/studio',
  '/studio/compose',
  '/studio/animate',
  '/studio/censor',
  '/studio/enhance',
  '/admin',
  `/play/${sessionId}`,
]

test('right to left, every word is of the catalogue and fits, on a desk and on a phone', async () => {
  const visitor = await world.visit(german)
  const member = await world.signedIn(1, german)
  for (const { page, open, addresses } of [
    { ...visitor, addresses: ['/', '/login', '/register', '/report', '/nowhere'] },
    { ...member, addresses: memberPages() },
  ]) {
    await speakPseudo(page)
    // A caption comes when it is ready, and is of no catalogue.
    await page.route('**/api/generate-caption', (route) =>
      route.fulfill({ json: { caption: 'Lights 1234' } }),
    )
    for (const address of addresses) {
      await page.setViewportSize(desktop)
      await open(address)
      await page.locator('h1, [role=slider], figure').first().waitFor()
      await vi.waitFor(async () => expect(await page.locator('.skeleton').count()).toBe(0), 10_000)
      expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
      await expectOwnWords(page, address)
      await page.setViewportSize(phone)
      await expectOwnWords(page, address)
    }
  }
})

async function expectOwnWords(page: Page, address: string): Promise<void> {
  const foreign = await foreignTexts(page)
  const isData = (text: string) => seeded.has(text) || writtenByPeople.test(text)
  expect(
    foreign.filter((text) => !isData(text)),
    address,
  ).toEqual([])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wide, `${address} is too wide`).toBeLessThanOrEqual(0)
}

test('right to left, the pages stay open to all', async () => {
  const { page, open } = await world.signedIn(1, german)
  await speakPseudo(page)
  for (const address of ['/library', `/sessions/${sessionId}`]) {
    await open(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectOpenToAll(page, address)
  }
})

function labelOf({ label }: { label: string }) {
  return label
}

function nameOf({ name }: { name: string }) {
  return name
}

/** Names and titles, and what the demo is made of. */
const writtenByPeople = new RegExp(
  [
    'Lanternist|Deutsch|English|Lights 1234|For tests|Welcome credits|https://',
    'Slow light|Lights in the dark|cabinet|Across the river',
    '^(slowwater|slowflight|imaginarymaps|fullmoon|deepsky)$',
    // Dates and sizes are written by the locale.
    String.raw`^[\d.,]+\s(Byte|kB|MB|GB)$`,
    String.raw`^\d+\. \p{L}+\.?( \d{4})?(, \d+:\d+)?$`,
  ].join('|'),
  'u',
)
