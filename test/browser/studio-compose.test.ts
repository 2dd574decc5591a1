/** Composing in a real Chromium: the result is what the free preview showed. */
import { expect, test } from 'vitest'
import { desktop, expectOpenToAll, phone } from '../support/accessibility.ts'
import { paint } from '../support/sample-media.ts'
import type { StudioWorld } from '../support/studio-world.ts'
import { choose, createStudioWorld, likenessDb, shownOn } from '../support/studio-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'

let world: StudioWorld
let ana: Person

const pictures = { tall: [400, 600], wide: [900, 500], small: [120, 120] } as const

useWorld(createStudioWorld, async (fresh) => {
  world = fresh
  ana = await world.painter('ana', pictures)
})

const bytesOf = async (url: string) =>
  Buffer.from(await (await world.visitor().fetch(url)).arrayBuffer())

test('two pictures of the vault are laid out in the page as the server makes them', async () => {
  const { page, open, errors } = await world.visit(ana, { viewport: desktop })
  await open('/studio')
  await page.getByRole('link', { name: /Compose/ }).click()
  await choose(page, 'First picture', 'tall.jpg')
  await choose(page, 'Second picture', 'wide.jpg')
  await page.getByText('Auto puts these two side by side.').waitFor()
  const preview = page.getByRole('img', { name: 'Preview of the composition' })
  await page.getByText('Preview, 1,233 × 500.', { exact: false }).waitFor()
  const shown = await shownOn(preview)
  const before = (await ana.credits.balance()).balance
  await page.getByText(/now, .* after/).waitFor()
  await page.getByRole('button', { name: /^Compose/ }).click()
  await page.getByText('It is ready.').waitFor()
  const { items } = await ana.images.results()
  expect(items).toMatchObject([{ width: 1233, height: 500, layout: 'side-by-side' }])
  expect(await likenessDb(shown, await bytesOf(items[0]?.imageUrl ?? ''))).toBeGreaterThan(32)
  expect((await ana.credits.balance()).balance).toBe(before - 20)
  expect(errors).toEqual([])

  await page.getByText('Stack', { exact: true }).click()
  await page.getByText('Preview, 400 × 822.', { exact: false }).waitFor()
  const stacked = await shownOn(preview)
  await page.getByRole('switch', { name: 'Keep in the vault' }).click()
  await page.getByRole('button', { name: /^Compose/ }).click()
  await page.getByText('It is ready, and in your vault.').waitFor()
  const { files } = await ana.vault.list({ query: { category: 'babecock' } })
  expect(files).toMatchObject([{ width: 400, height: 822 }])
  expect(await likenessDb(stacked, await bytesOf(files[0]?.url ?? ''))).toBeGreaterThan(32)
})

test('a result is remixed, kept, downloaded and thrown away', async () => {
  const { page, open } = await world.visit(ana, { viewport: desktop })
  const { files } = await ana.vault.list()
  const ids = Object.fromEntries(files.map(({ originalName, url }) => [originalName, url]))
  await ana.images.compose({
    body: { babeImageUrl: ids['tall.jpg'] ?? '', cockImageUrl: ids['wide.jpg'] ?? '' },
  })
  await open('/studio')
  const list = page.getByRole('list', { name: 'Made today' })
  await list
    .getByText(/2[34] hours left/)
    .first()
    .waitFor()
  await list.getByRole('button', { name: 'Remix' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Preview, 1,233 × 500.', { exact: false }).waitFor()
  const shown = await shownOn(dialog.getByRole('img', { name: 'Preview of the composition' }))
  await dialog.getByRole('switch', { name: 'The second picture first' }).click()
  await dialog.getByText('It already has this layout.').waitFor()
  await dialog.getByRole('switch', { name: 'The second picture first' }).click()
  await dialog.getByRole('button', { name: /^Remix/ }).click()
  await page.getByText('It is ready.').waitFor()
  const { items } = await ana.images.results()
  expect(items[0]).toMatchObject({ width: 1233, seam: 900 })
  expect(await likenessDb(shown, await bytesOf(items[0]?.imageUrl ?? ''))).toBeGreaterThan(32)

  await list.getByRole('button', { name: 'Keep Composition' }).first().click()
  await page.getByText('It is in your vault now.').waitFor()
  await list.getByText('In the vault').waitFor()
  const download = page.waitForEvent('download')
  await list.getByRole('link', { name: 'Download Composition' }).first().click()
  expect((await download).suggestedFilename()).toBe('composition.jpg')
  const made = (await ana.images.results()).items.length
  await list.getByRole('button', { name: 'Discard Composition' }).last().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByText('It was deleted.').waitFor()
  await expect.poll(() => list.getByRole('listitem').count()).toBe(made - 1)
})

test('pictures that are uploaded for one composition do not go into the vault', async () => {
  const { page, open } = await world.visit(ana, { viewport: phone })
  await open('/studio/compose')
  for (const [index, well] of ['First picture', 'Second picture'].entries()) {
    const buffer = await paint({ width: 300, height: 300, seed: 7 + index })
      .png()
      .toBuffer()
    await page
      .getByRole('region', { name: well })
      .getByLabel('Picture to upload')
      .setInputFiles({ name: 'square.png', mimeType: 'image/png', buffer })
  }
  await page.getByText('Preview, 600 × 300.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Swap the pictures' }).click()
  await page.getByRole('button', { name: /^Compose/ }).click()
  await page.getByText('It is ready.').waitFor()
  expect((await ana.vault.list()).totalCount).toBe(3)
})

test('a picture of the wrong size is refused before anything is paid', async () => {
  const { page, open } = await world.visit(ana, { viewport: desktop })
  await open('/studio/compose')
  await choose(page, 'First picture', 'small.jpg')
  await page.getByText('Each side must have 200 to 4,000 pixels.').waitFor()
  await choose(page, 'Second picture', 'wide.jpg')
  await expect.poll(() => page.getByRole('button', { name: /^Compose/ }).isDisabled()).toBe(true)
})

test('a missing credit balance shows a message; results are private', async () => {
  const poor = await world.painter('poor', { tall: [400, 600], wide: [900, 500] })
  const { balance } = await poor.credits.balance()
  const { page, open } = await world.visit(poor, { viewport: desktop })
  await open('/studio')
  await page.getByText('No results yet', { exact: false }).waitFor()
  await page.route('**/api/credits/pricing', (route) =>
    route.fulfill({ json: [{ featureKey: 'babecock_generate', creditsRequired: balance + 1 }] }),
  )
  await open('/studio/compose')
  await page.getByText('credits, and you have', { exact: false }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Compose/ }).isDisabled()).toBe(true)
})

test('a picture that is opened in the studio goes to the chosen tool', async () => {
  const [file] = (await ana.vault.list({ query: { search: 'wide' } })).files
  const { page, open } = await world.visit(ana, { viewport: desktop })
  await open(`/studio?picture=${encodeURIComponent(file?.url ?? '')}`)
  await page.getByRole('link', { name: /Compose/ }).click()
  await page.getByRole('region', { name: 'First picture' }).getByText('900 × 500').waitFor()
  await page.getByRole('link', { name: 'Censor' }).click()
  await page.getByRole('region', { name: 'Picture' }).getByText('900 × 500').waitFor()
})

test('the studio is accessible, in German too', async () => {
  const { page, open, errors } = await world.visit(ana, { viewport: desktop })
  await open('/studio')
  await expectOpenToAll(page, '/studio')
  await open('/studio/compose')
  await choose(page, 'First picture', 'tall.jpg')
  await choose(page, 'Second picture', 'wide.jpg')
  await expectOpenToAll(page, '/studio/compose')
  await page.getByRole('button', { name: 'Change' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'tall.jpg' }).waitFor()
  await expectOpenToAll(page, 'the choice of a picture')
  expect(errors).toEqual([])
  const german = await world.visit(ana, { viewport: phone, locale: 'de-DE' })
  await german.open('/studio/compose')
  await german.page.getByRole('button', { name: 'Komponieren' }).waitFor()
})
