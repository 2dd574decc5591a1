/**
 * The community for people who publish and people who save: the list of their publications, withdrawing,
 * saving, reporting.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll } from '../support/accessibility.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'
import { sharp } from '../../src/server/media/libvips.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

test('publications are listed, and leave the community when they are withdrawn', async () => {
  const { page, open, errors } = await world.signedIn(2)
  await open('/community/published')
  await page.getByText('You have not published anything yet').waitFor()
  await page.getByRole('link', { name: 'Back to the community' }).click()
  await page.getByText('Nobody has published yet').waitFor()
  await world.makeSession(page, 'Bridges in fog')
  await page.getByRole('link', { name: 'Sessions', exact: true }).click()
  await page.getByRole('link', { name: 'Bridges in fog', exact: true }).click()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Publish to the community' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await world.publishedId(page, 'Bridges in fog')
  await page.getByRole('link', { name: 'Community', exact: true }).click()
  await page.getByRole('link', { name: 'Bridges in fog' }).waitFor()
  const picture = await sharp({
    create: { width: 300, height: 200, channels: 3, background: '#456' },
  })
    .png()
    .toBuffer()
  const file = { name: 'fog.png', mimeType: 'image/png', buffer: picture }
  const stored = await page.request.post(`${world.url}/api/media/upload`, { multipart: { file } })
  const { media } = (await stored.json()) as { media: { id: number } }
  const shared = await page.request.post(`${world.url}/api/media/${media.id}/share`, {
    data: { tags: ['night'], policyAgreed: true, nsfw: false },
  })
  expect(shared.status()).toBe(200)

  await page.getByRole('link', { name: 'Published by you' }).click()
  await page.getByRole('link', { name: 'Bridges in fog' }).waitFor()
  await expectOpenToAll(page, '/community/published')
  await page.getByRole('button', { name: 'Withdraw A picture' }).click()
  await page.getByText('The file stays in your vault.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('It was withdrawn from the community.').waitFor()
  await page.getByRole('button', { name: 'Withdraw A picture' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Withdraw Bridges in fog' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('You have not published anything yet').waitFor()

  const other = await world.signedIn(3)
  await other.open('/community')
  await other.page.getByText('Nobody has published yet').waitFor()
  expect(errors).toEqual([])
})

test('another member saves it from its card for the shown price, or reports it', async () => {
  const owner = await world.signedIn(2)
  const id = await world.makeSession(owner.page, 'Lamps along the quay')
  await world.publish(owner.page, id)
  await world.publishedId(owner.page, 'Lamps along the quay')

  const { page, open } = await world.signedIn(3)
  await open('/community')
  const more = page.getByRole('button', { name: 'More about Lamps along the quay' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Report' }).click()
  await page.getByRole('dialog').getByLabel('Reason').selectOption('other')
  await page.getByRole('dialog').getByRole('button', { name: 'Send report' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await page.keyboard.press('Escape')
  await more.click()
  await page.getByText('You have 1,050 credits.').waitFor()
  await page.getByRole('menuitem', { name: /Save a copy, 25.credits/ }).click()
  await page.getByText('Saved to your library.').waitFor()
  await page.getByRole('heading', { name: 'Lamps along the quay' }).waitFor()
  await page.getByRole('link', { name: /^1,025 ?credits$/ }).waitFor()
})
