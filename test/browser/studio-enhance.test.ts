/** Enhancing in a real Chromium: consent, the queue, the comparison, limits and refunds. */
import { expect, test } from 'vitest'
import { desktop, expectOpenToAll } from '../support/accessibility.ts'
import { paint } from '../support/sample-media.ts'
import type { StudioWorld } from '../support/studio-world.ts'
import { choose, createStudioWorld } from '../support/studio-world.ts'
import { useWorld } from '../support/use-world.ts'
import { password, type Person } from '../support/world.ts'

let world: StudioWorld
let ana: Person

useWorld(createStudioWorld, async (fresh) => {
  world = fresh
  ana = await world.painter('ana', { lamp: [320, 240] })
})

test('after the consent, a picture is enlarged, compared, kept and downloaded', async () => {
  const bo = await world.as('bo')
  const { page, open, errors } = await world.visit(bo, { viewport: desktop })
  await open('/studio/enhance')
  await page.getByText('Before your first picture').waitFor()
  await expectOpenToAll(page, 'the question for consent')
  await page.getByRole('button', { name: 'I agree' }).click()
  await page.getByText('0 of 30 used today').waitFor()
  const buffer = await paint({ width: 200, height: 160 }).png().toBuffer()
  await page
    .getByLabel('Picture to upload')
    .setInputFiles({ name: 'dune.png', mimeType: 'image/png', buffer })
  await page.getByRole('button', { name: /^Enhance/ }).click()
  await page.getByText('dune.png is ready.').waitFor()
  await page.getByText('1 of 30 used today').waitFor()
  const slider = page.getByRole('slider', { name: 'Compare' })
  await slider.press('End')
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('Before up to 100 %')
  const list = page.getByRole('list', { name: 'Recently enhanced' })
  await list.getByText('400 × 320').waitFor()
  await expectOpenToAll(page, '/studio/enhance')
  await list.getByRole('button', { name: /^Keep/ }).click()
  await page.getByText('It is in your vault now.').waitFor()
  await list.getByText('In the vault').waitFor()
  const download = page.waitForEvent('download')
  await list.getByRole('button', { name: /^Download/ }).click()
  expect((await download).suggestedFilename()).toMatch(/^enhanced-\d+\.png$/)
  expect((await bo.vault.list()).totalCount).toBe(1)
  expect(errors).toEqual([])
})

test('failures cost nothing, show a message, and can be tried again', async () => {
  const { page, open } = await world.visit(ana, { viewport: desktop })
  const { balance } = await ana.credits.balance()
  world.behave({ provider_a: 'fails', provider_b: 'fails' })
  await open('/studio/enhance')
  await choose(page, 'Picture', 'lamp.jpg')
  await page.getByRole('button', { name: /^Enhance/ }).click()
  await page.getByText('lamp.jpg could not be enhanced. Nothing was charged.').waitFor()
  await page.getByText('Failed, credits refunded').waitFor()
  expect((await ana.credits.balance()).balance).toBe(balance)
  world.behave({ provider_a: 'works', provider_b: 'works' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('lamp.jpg is ready.').waitFor()
  expect((await ana.credits.balance()).balance).toBe(balance - 25)
  await page.getByRole('button', { name: 'Remove lamp.jpg from the list' }).click()
})

test('only as many as the server accepts are sent at a time; the others wait', async () => {
  const { page, open } = await world.visit(ana, { viewport: desktop })
  await open('/studio/enhance')
  await choose(page, 'Picture', 'lamp.jpg')
  const held = world.holdProviders()
  for (let count = 1; count <= 4; count += 1) {
    await page.getByRole('button', { name: /^Enhance/ }).click()
    const queue = page.getByRole('region', { name: 'Queue' })
    await expect.poll(() => queue.getByRole('listitem').count()).toBe(count)
  }
  const queue = page.getByRole('region', { name: 'Queue' })
  await expect.poll(() => queue.getByText('In progress').count()).toBe(3)
  await expect.poll(() => queue.getByText('Waiting').count()).toBe(1)
  held.release()
  await expect.poll(() => queue.getByText('Ready', { exact: true }).count()).toBe(4)
})

test('a waiting queue is neither sent for nor shown to another account that signs in', async () => {
  const bo = await world.painter('bo', { tree: [320, 240] })
  const { balance } = await bo.credits.balance()
  const { page, context, open } = await world.visit(ana, { viewport: desktop })
  await open('/studio/enhance')
  await choose(page, 'Picture', 'lamp.jpg')
  const held = world.holdProviders()
  const queue = page.getByRole('region', { name: 'Queue' })
  for (let count = 1; count <= 4; count += 1) {
    await page.getByRole('button', { name: /^Enhance/ }).click()
    await expect.poll(() => queue.getByRole('listitem').count()).toBe(count)
  }
  await expect.poll(() => queue.getByText('In progress').count()).toBe(3)
  const other = await context.newPage()
  await context.clearCookies()
  await other.goto(`${world.url}/login`)
  await other.getByLabel('Email', { exact: true }).fill('bo@example.test')
  await other.getByLabel('Password', { exact: true }).fill(password)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
  await queue.waitFor({ state: 'detached' })
  held.release()
  await expect.poll(async () => (await ana.enhancement.recent()).items.length).toBe(3)
  await page.getByRole('button', { name: /^Enhance/ }).waitFor()
  expect((await bo.enhancement.recent()).items).toEqual([])
  expect((await bo.credits.balance()).balance).toBe(balance)
})

test('at the daily limit the button is disabled and says until when', async () => {
  const { page, open } = await world.visit(ana, { viewport: desktop })
  await page.route('**/api/enhance/recent', (route) =>
    route.fulfill({
      json: {
        today: { used: 30, limit: 30, resetAt: '2026-11-17T00:00:00.000Z' },
        atOnce: { used: 0, limit: 3 },
        items: [],
      },
    }),
  )
  await open('/studio/enhance')
  await choose(page, 'Picture', 'lamp.jpg')
  await page.getByText('You have reached the limit for today.', { exact: false }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Enhance/ }).isDisabled()).toBe(true)
})

test('enhancements without a worker are cancelled, and their credits refunded', async () => {
  const { balance } = await ana.credits.balance()
  const { generationId } = await ana.enhancement.generate({
    form: {
      image: new Blob([new Uint8Array(await paint().png().toBuffer())], { type: 'image/png' }),
      quality: 'low',
    },
  })
  await world.ctx.db
    .updateTable('enhancement_generations')
    .set({ status: 'pending', lease_until: new Date(0) })
    .where('id', '=', generationId)
    .execute()
  const { page, open } = await world.visit(ana, { viewport: desktop })
  await open('/studio/enhance')
  await page.getByRole('button', { name: 'Cancel stuck enhancements' }).click()
  await page.getByText('One was cancelled, and its credits were refunded.').waitFor()
  await page.getByText('Failed, credits refunded').waitFor()
  expect((await ana.credits.balance()).balance).toBe(balance)
})
