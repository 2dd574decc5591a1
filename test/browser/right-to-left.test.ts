/**
 * The pages in a generated pseudo-language that is longer and right-to-left: every text is translated,
 * and fits.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { desktop, expectOpenToAll, phone } from '../support/accessibility.ts'
import { findCutOff } from '../support/narrow-pages.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'
import { buildPseudo, foreignTexts } from '../support/pseudo-language.ts'

let world: PageWorld
let folder: string
let sessionId: number
/** Names of tags and categories. They are data, not texts of a catalogue. */
let seeded: ReadonlySet<string>

/** The pseudo-language replaces German. */
const asksForIt = { locale: 'de-DE' }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanternist-pseudo-'))
  world = await createPageWorld({}, { webFolder: await buildPseudo(folder) })
  const { page } = await world.signedIn(1)
  sessionId = await world.makeSession(page, 'Lights 1234')
  const [tags, categories] = await Promise.all(
    ['tags', 'categories'].map(async (name) =>
      (await page.request.get(`${world.url}/api/${name}`)).json(),
    ),
  )
  // Names that administrators choose.
  const tierNames = ['Free', 'Plus', 'Full access', 'Patron']
  const feed = 'nightcities'
  seeded = new Set([...tags.map(labelOf), ...categories.map(nameOf), ...tierNames, feed])
})

afterEach(() => world.closeAll())

afterAll(async () => {
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

const memberPages = () => [
  '/library',
  '/sessions/new',
  '/sessions/new/feeds',
  '/sessions/new/manual',
  `/sessions/${sessionId}`,
  `/sessions/${sessionId}/edit`,
  '/import',
  '/account',
  '/account/notices',
  '/account/downloads',
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

test('every text is in the catalogue and fits, on a desktop and on a phone', async () => {
  const visitor = await world.visit(asksForIt)
  const member = await world.signedIn(1, asksForIt)
  for (const { page, open, addresses } of [
    { ...visitor, addresses: ['/', '/login', '/register', '/report', '/nowhere'] },
    { ...member, addresses: memberPages() },
  ]) {
    // A caption arrives later and is not a text of the catalogue.
    await page.route('**/api/generate-caption', (route) =>
      route.fulfill({ json: { caption: 'Lights 1234' } }),
    )
    for (const address of addresses) {
      await page.setViewportSize(desktop)
      await open(address)
      await page.locator('h1, [role=slider], figure').first().waitFor()
      await page.waitForFunction(() => document.querySelector('.skeleton') === null)
      await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl')
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
  await expect.poll(() => findCutOff(page), { message: address }).toEqual([])
}

test('the pages stay accessible', async () => {
  const { page, open } = await world.signedIn(1, asksForIt)
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

/** Names, titles and the content of the demo. */
const writtenByPeople = new RegExp(
  [
    'Lanternist|Deutsch|English|Lights 1234|For tests|Welcome credits|https://',
    'Slow light|Lights in the dark|cabinet|Across the river',
    '^(slowwater|slowflight|imaginarymaps|fullmoon|deepsky)$',
    // Dates and sizes are formatted by the locale.
    String.raw`^[\d.,]+\s(Byte|kB|MB|GB)$`,
    String.raw`^\d+\. \p{L}+\.?( \d{4})?(, \d+:\d+)?$`,
  ].join('|'),
  'u',
)
