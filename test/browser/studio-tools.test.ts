/**
 * Censoring and animating in a real Chromium: by mouse, finger and keyboard, with a preview before
 * payment.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import { desktop, expectOpenToAll, phone } from '../support/accessibility.ts'
import type { StudioWorld } from '../support/studio-world.ts'
import { choose, createStudioWorld, likenessDb, shownOn } from '../support/studio-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'

let world: StudioWorld
let ana: Person

useWorld(createStudioWorld, async (fresh) => {
  world = fresh
  ana = await world.painter('ana', { one: [600, 450], two: [500, 700], three: [400, 400] })
})

const madeLast = async () => {
  const [last] = (await ana.images.results()).items
  const answer = await world.visitor().fetch(last?.imageUrl ?? '')
  return Buffer.from(await answer.arrayBuffer())
}

const picture = (page: Page) => page.getByRole('img', { name: 'Preview of the covered picture' })
const regions = (page: Page) => page.getByRole('button', { name: /^Region \d+ of/ })

/** Drags across the picture between two positions, as fractions of its sides. */
async function drawOver(page: Page, from: [number, number], to: [number, number]) {
  await picture(page).scrollIntoViewIfNeeded()
  const box = await picture(page).boundingBox()
  if (!box) throw new Error('the picture is not on the screen')
  const at = ([x, y]: [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const
  await page.mouse.move(...at(from))
  await page.mouse.down()
  await page.mouse.move(...at(to), { steps: 5 })
  await page.mouse.up()
}

test.each([
  ['Pixelate', 'pixelate'],
  ['Blur', 'blur'],
  ['Bar', 'bar'],
])('the result is covered as the page showed it: %s', async (label) => {
  const { page, open, errors } = await world.visit(ana, { viewport: desktop })
  await open('/studio/censor')
  await choose(page, 'Picture', 'one.jpg')
  await page.getByText(label, { exact: true }).click()
  await drawOver(page, [0.1, 0.1], [0.6, 0.7])
  await drawOver(page, [0.95, 0.95], [0.7, 0.75])
  await expect.poll(() => regions(page).count()).toBe(2)
  const shown = await shownOn(picture(page))
  await page.getByRole('button', { name: /^Cover it/ }).click()
  await page.getByText('It is ready.').waitFor()
  expect(await likenessDb(shown, await madeLast())).toBeGreaterThan(30)
  expect(errors).toEqual([])
})

test('pressed twice it is made and paid for once, without an error', async () => {
  const { page, open, errors } = await world.visit(ana, { viewport: desktop })
  await open('/studio/censor')
  await choose(page, 'Picture', 'two.jpg')
  await drawOver(page, [0.1, 0.1], [0.6, 0.7])
  const { balance } = await ana.credits.balance()
  await page.getByRole('button', { name: /^Cover it/ }).dblclick()
  await page.getByText('It is ready.').first().waitFor()
  await expect.poll(() => page.getByRole('alert').allInnerTexts()).toEqual([])
  expect((await ana.credits.balance()).balance).toBe(balance - 5)
  expect(errors).toEqual([])
})

test('regions are made, moved, resized and removed by keyboard alone', async () => {
  const { page, open } = await world.visit(ana, { viewport: desktop })
  await open('/studio/censor')
  await choose(page, 'Picture', 'one.jpg')
  await page.getByRole('button', { name: 'Add a region' }).press('Enter')
  const region = regions(page)
  await region.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(() => region.getAttribute('aria-label')).toContain('36 % from the left, 34 %')
  const height = page.getByRole('slider', { name: 'Height' })
  await expect.poll(() => height.getAttribute('aria-valuetext')).toBe('31 %')
  await height.press('Home')
  await expect.poll(() => height.getAttribute('aria-valuetext')).toBe('2 %')
  await region.focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => regions(page).count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: /^Cover it/ }).isDisabled()).toBe(true)
})

test('a finger moves a region and sizes it', async () => {
  const { page, open } = await world.visit(ana, { viewport: phone, hasTouch: true })
  await open('/studio/censor')
  await choose(page, 'Picture', 'one.jpg')
  await page.getByRole('button', { name: 'Add a region' }).click()
  await picture(page).scrollIntoViewIfNeeded()
  const box = await regions(page).boundingBox()
  if (!box) throw new Error('the region is not on the screen')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: object[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: touchPoints as never })
  await touch('touchStart', [{ x, y }])
  await touch('touchMove', [{ x: x - 40, y: y - 30 }])
  await touch('touchEnd', [])
  await expect.poll(async () => (await regions(page).boundingBox())?.x).toBeLessThan(box.x - 20)
  await drawOver(page, [0.8, 0.8], [0.95, 0.95])
  await expect.poll(() => regions(page).count()).toBe(2)
})

test('the preview moves like the result of the server', async () => {
  const { page, open, errors } = await world.visit(ana, { viewport: desktop })
  await open('/studio/animate')
  await page.getByRole('button', { name: 'Add pictures' }).click()
  const dialog = page.getByRole('dialog')
  for (const name of ['one.jpg', 'two.jpg', 'three.jpg'])
    await dialog.getByRole('button', { name }).click()
  await dialog.getByRole('button', { name: 'Add 3 pictures' }).click()
  await page.getByRole('button', { name: 'Move picture 3 earlier' }).click()
  await page.getByRole('img', { name: 'Picture 2: three.jpg' }).waitFor()
  await page.getByRole('button', { name: 'Remove picture 3' }).click()
  await page.getByText('Cut', { exact: true }).click()
  await page.getByText('2 frames, 1.2 s', { exact: false }).waitFor()
  const shown = await shownOn(page.getByRole('img', { name: 'Preview of the animation' }))
  await page.getByRole('button', { name: /^Animate/ }).click()
  await page.getByText('It is ready.').waitFor()
  const [made] = (await ana.images.results()).items
  expect(made).toMatchObject({ tool: 'animation', width: 512, durationMs: 1200 })
  const first = await sharp(await madeLast(), { page: 0 })
    .png()
    .toBuffer()
  expect(await likenessDb(shown, first)).toBeGreaterThan(30)

  await page.getByText('Zoom', { exact: true }).click()
  await page.getByText('16 frames', { exact: false }).waitFor()
  await page.getByLabel('Text').fill('Slowly now')
  await page.getByRole('button', { name: 'Play the preview' }).click()
  await page.getByRole('button', { name: 'Stop the preview' }).click()
  expect(errors).toEqual([])
})

test('on a phone the current tool is visible, and the pictures come before their settings', async () => {
  const { page, open } = await world.visit(ana, { viewport: phone })
  await open('/studio/enhance')
  const tool = page.getByRole('navigation', { name: 'Tools' }).locator('[aria-current=page]')
  const end = async () => {
    const box = await tool.boundingBox()
    return box ? box.x + box.width : Infinity
  }
  await expect.poll(end).toBeLessThanOrEqual(phone.width)
  await open('/studio/animate')
  const order = () =>
    page
      .getByRole('button', { name: /^(Add pictures|Animate)/ })
      .evaluateAll((buttons) => buttons.map(({ textContent }) => textContent.slice(0, 3)))
  await page.getByRole('button', { name: 'Add pictures' }).waitFor()
  expect(await order()).toEqual(['Add', 'Ani'])
  // On a wide page the settings are on the left and are read first.
  await page.getByLabel('Text').fill('Slowly now')
  await page.setViewportSize(desktop)
  await expect.poll(order).toEqual(['Ani', 'Add'])
  await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('Slowly now')
})

test('covering and animating are accessible', async () => {
  const { page, open } = await world.visit(ana, { viewport: desktop })
  await open('/studio/censor')
  await choose(page, 'Picture', 'one.jpg')
  await page.getByRole('button', { name: 'Add a region' }).click()
  await expectOpenToAll(page, '/studio/censor')
  await open('/studio/animate')
  await page.getByRole('button', { name: 'Add pictures' }).click()
  for (const name of ['one.jpg', 'two.jpg'])
    await page.getByRole('dialog').getByRole('button', { name }).click()
  await expectOpenToAll(page, 'the choice of pictures')
  await page.getByRole('button', { name: 'Add 2 pictures' }).click()
  await page.getByText('Preview:', { exact: false }).waitFor()
  await expectOpenToAll(page, '/studio/animate')
})
