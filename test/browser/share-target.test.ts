/** Content that other applications share with this one, in a real browser. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll } from '../support/accessibility.ts'
import { setQuota, shareWith, untilServed, withWorker } from '../support/offline-visit.ts'
import type { PageWorld } from '../support/page-world.ts'
import { createPageWorld } from '../support/page-world.ts'
import { plain, red } from '../support/pictures.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})
afterEach(() => world.closeAll())
afterAll(() => world.close())

const importIt = { name: 'Import', exact: true }
const pictureFile = async () => ({
  name: 'lamp.png',
  type: 'image/png',
  bytes: await plain(640, 480, red),
})

test('a picture that is shared becomes a session, and a reload before that loses nothing', async () => {
  const { page, open } = await world.signedIn(1, withWorker)
  await open('/library')
  await untilServed(page)
  await shareWith(page, { file: await pictureFile() })
  await page.waitForURL(/\/import\?shared$/)
  await page.getByRole('button', importIt).waitFor()
  await expectOpenToAll(page, 'what was shared')
  await page.reload()
  await page.getByRole('button', importIt).click()
  await page.waitForURL(/\/sessions\/\d+$/)
  expect(await page.evaluate(() => caches.has('shared-with-us'))).toBe(false)
})

test('content that is shared before signing in waits for it', async () => {
  const { page, context, open } = await world.visit(withWorker)
  await open('/')
  await untilServed(page)
  const address = 'https://pictures.example/one.jpg'
  await shareWith(page, { text: address })
  await page.waitForURL(/\/login\?redirect=%2Fimport%3Fshared/)
  await context.request.get(`${world.url}/api/dev-login?account=1`)
  await page.goto(`${world.url}/import?shared`)
  await expect.poll(() => page.getByRole('textbox').first().inputValue()).toBe(address)
})

test('shared content that cannot become a session, or does not fit, gets a message', async () => {
  const { page, open } = await world.signedIn(1, withWorker)
  await open('/library')
  await untilServed(page)
  const bytes = new TextEncoder().encode('%PDF-1.7')
  await shareWith(page, { file: { name: 'paper.pdf', type: 'application/pdf', bytes } })
  await page.waitForURL(/\/import\?shared$/)
  await page.getByRole('alert').first().waitFor()
  expect(await page.getByRole('button', importIt).count()).toBe(0)

  await setQuota(page, 1)
  await shareWith(page, { file: await pictureFile() })
  await page.waitForURL(/\/import\?shared=full$/)
  await page.getByText('This device has no space for what was shared.').waitFor()
  expect(await page.evaluate(() => caches.has('shared-with-us'))).toBe(false)
})
