/**
 * Forced colours: people can choose a few colours for everything, and pages then lose backgrounds and
 * shadows. Controls must still have edges, and selected, focused and disabled ones must look different.
 */
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { changedPixels, controlsWithoutEdges } from '../support/forced-colours.ts'
import { createShowcaseWorld, type ShowcaseWorld, untilSettled } from '../support/showcase-world.ts'
import type { Person } from '../support/world.ts'

/** About the number of pixels in a mark of two pixels along one edge of the smallest control. */
const clearly = 40
/** More than the longest page needs. */
const maxTabs = 80

let world: ShowcaseWorld

beforeAll(async () => {
  world = await createShowcaseWorld()
})

afterEach(() => world.closePages())

afterAll(() => world?.close())

async function open(person: Person | null, path: string): Promise<Page> {
  const page = await world.look(person, { forcedColors: 'active', colorScheme: 'dark' })
  await page.goto(path)
  await page.getByRole('heading').first().waitFor()
  await untilSettled(page)
  return page
}

test('every control has edges, and shows its focus', async () => {
  const session = `/sessions/${world.idOf('Slow light')}`
  const places: [person: Person | null, path: string, within?: string][] = [
    [null, '/'],
    [null, '/login'],
    [world.owner, '/library'],
    [world.owner, session],
    [world.owner, `${session}/edit`],
    [world.owner, '/sessions/new/feeds'],
    [world.owner, '/account'],
    [world.owner, '/import'],
    [world.owner, `${session}?share`, 'dialog'],
  ]
  const found: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const [person, path, within] of places) {
    const page = await open(person, path)
    if (within !== undefined) await page.locator(within).getByRole('combobox').first().waitFor()
    const dark = await controlsWithoutEdges(page, within)
    const { unseen, reached } = await passThrough(page)
    await page.emulateMedia({ colorScheme: 'light' })
    const light = await controlsWithoutEdges(page, within)
    found[path] = { dark, light, unseen, isPassed: reached > 3 }
    expected[path] = { dark: [], light: [], unseen: [], isPassed: true }
    await world.closePages()
  }
  expect(found).toEqual(expected)
})

/** Moves through a page by Tab to one control of each kind. Returns the kinds that do not show the focus. */
async function passThrough(page: Page): Promise<{ unseen: string[]; reached: number }> {
  const kinds = new Set<string>()
  const unseen: string[] = []
  // The first Tab stop is the skip link, which is visible only while it has the focus.
  if ((await page.getByRole('dialog').count()) === 0) await page.keyboard.press('Tab')
  for (let tab = 0; tab < maxTabs; tab += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluateHandle(() => {
      const { activeElement: focused } = document
      // An input without a look of its own has its focus ring around its parent.
      const isBare = focused?.matches('.sr-only, [type=search], .outline-none') ?? false
      return isBare ? (focused?.parentElement ?? null) : focused
    })
    const thing = focused.asElement()
    const kind = await thing?.evaluate(kindOf)
    if (!thing || kind === undefined || kind.startsWith('BODY')) break
    if (kinds.has(kind)) continue
    kinds.add(kind)
    const pixels = await changedPixels(page, thing, () => blur(page))
    if (pixels < clearly) unseen.push(kind)
  }
  return { unseen, reached: kinds.size }
}

test('selected and unselected states look different', async () => {
  const page = await open(world.owner, '/library')
  const seen: Record<string, number> = {}
  const press = async (name: string, thing: Locator, change = () => thing.click()) => {
    seen[name] = await changedPixels(page, thing, async () => {
      await change()
      await blur(page)
    })
  }
  await press('a filter', page.getByRole('button', { name: 'Favourites' }))
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await press('a favourite', page.getByRole('button', { name: 'Favourite Moss' }))
  await press(
    'where one is',
    page.getByRole('navigation').getByRole('link', { name: 'Sessions' }),
    async () => {
      await page.goto('/community')
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  )
  await page.goto('/account')
  await untilSettled(page)
  await press('one of a segment', page.locator('label', { hasText: /^Light$/ }))
  await page.goto('/sessions/new/feeds')
  await untilSettled(page)
  await press('a tile', page.locator('label', { hasText: /^Zoom$/ }))
  await press('a chip', page.locator('label', { hasText: /^Custom AI voice/ }))
  await page.goto(`/sessions/${world.idOf('Slow light')}/edit`)
  await page.getByRole('button', { name: /^Slide 3 of/ }).waitFor()
  await untilSettled(page)
  await press('a slide', page.getByRole('button', { name: /^Slide 3 of/ }))
  await page.goto('/library')
  await page.getByRole('button', { name: 'More for Slow light' }).click()
  await page.getByRole('menu').waitFor()
  await press('an entry of a menu', page.getByRole('menuitem').first(), () =>
    page.keyboard.press('ArrowDown'),
  )
  expect(Object.entries(seen).filter(([, pixels]) => pixels < clearly)).toEqual([])
})

test('disabled and enabled controls look different', async () => {
  const page = await open(world.owner, `/sessions/${world.idOf('Slow light')}/edit`)
  const undo = page.getByRole('button', { name: 'Undo' })
  const pixels = await changedPixels(page, undo, async () => {
    await page.getByLabel('Caption', { exact: true }).fill('Another')
    await blur(page)
    await undo.and(page.locator('[aria-disabled=false]')).waitFor()
  })
  expect(pixels).toBeGreaterThanOrEqual(clearly)
})

/** Runs in the page. Returns tag, classes and states, so that one of many cards represents all. */
function kindOf(element: Element): string {
  const states = ['aria-pressed', 'aria-current', 'aria-disabled', 'aria-label', 'type'].map(
    (name) => element.getAttribute(name)?.replace(/ .*/, ''),
  )
  const isChecked = element.querySelector(':checked') !== null
  return [element.tagName, element.className, ...states, isChecked].join(' ')
}

function blur(page: Page) {
  return page.evaluate(() => {
    if (
      document.activeElement instanceof HTMLElement &&
      !document.activeElement.closest('[role=menu]')
    )
      document.activeElement.blur()
  })
}
