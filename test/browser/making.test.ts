/** Making a session by hand in a real Chromium: several slides at once, settings, cover and drafts. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { desktop, findBarriers } from '../support/accessibility.ts'
import type { EditorWorld } from '../support/editor-world.ts'
import { createEditorWorld } from '../support/editor-world.ts'
import {
  captionsOf,
  expectSlides,
  makeSession,
  savedCaptions,
  slide,
} from '../support/editor-visit.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'

let world: EditorWorld
let site: EditorWorld['site']
let ana: Person

useWorld(createEditorWorld, async (fresh) => {
  world = fresh
  ;({ site } = world)
  ana = await world.as('ana')
})

test('several slides are selected, moved, duplicated, removed and brought back', async () => {
  const id = await makeSession(ana, site, ['One', 'Two', 'Three', 'Four'])
  const { page } = await openEditor(id)
  await slide(page, 2).click({ modifiers: ['Control'] })
  await slide(page, 3).click({ modifiers: ['Control'] })
  const bar = page.getByRole('toolbar', { name: 'Selected slides' })
  await bar.getByText('2 slides selected').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await bar.getByRole('button', { name: 'To the start' }).click()
  await expect.poll(() => wordsOf(page)).toEqual(['Two', 'Three', 'One', 'Four'])
  await bar.getByRole('button', { name: 'Duplicate' }).click()
  await expect.poll(() => wordsOf(page)).toEqual(['Two', 'Two', 'Three', 'Three', 'One', 'Four'])
  await bar.getByRole('button', { name: 'Remove' }).click()
  // The toast stays while it has the focus.
  await page.getByRole('button', { name: 'Bring them back' }).focus()
  await expect.poll(() => wordsOf(page)).toEqual(['Two', 'Three', 'One', 'Four'])
  await page.getByRole('button', { name: 'Bring them back' }).click()
  await expectSlides(page, 6)

  // The restored slides are still selected.
  await bar.getByRole('button', { name: 'Done' }).click()
  await slide(page, 1).focus()
  await page.keyboard.press('Shift+ArrowDown')
  await bar.getByText('2 slides selected').waitFor()
  await page.keyboard.press('Delete')
  await expectSlides(page, 4)
  await page.getByRole('button', { name: 'Arrange' }).click()
  await page.getByRole('menuitem', { name: 'Sort by name' }).click()
  await expect.poll(() => wordsOf(page)).toEqual(['One', 'Three', 'Three', 'Four'])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor()
  expect(await savedCaptions(ana, id)).toEqual(['One', 'Three', 'Three', 'Four'])
})

test('pace, transition, captions, tags and cover are set while it is made', async () => {
  const { page, errors } = await openVisit('/sessions/new/manual')
  await page.getByRole('button', { name: 'Add slides' }).click()
  await page.getByText('Addresses', { exact: true }).click()
  const addresses = [site.url('/1.jpg'), site.url('/2.jpg')].join('\n')
  await page.getByLabel('Addresses of pictures or videos').fill(addresses)
  await page.getByRole('button', { name: 'Add 2 slides' }).click()
  await page.getByLabel('Title').fill('Slow mornings')
  await slide(page, 2).click()
  await page.getByRole('button', { name: 'Use as cover' }).click()

  await page.getByRole('button', { name: 'Settings' }).click()
  // The two limits never block each other: where they meet at the far end, either can still move.
  await page.getByLabel('Shortest, in seconds').fill('60')
  await expect.poll(() => page.getByLabel('Longest, in seconds').inputValue()).toBe('60')
  await page.getByLabel('Time per slide, at most').focus()
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowLeft')
  await expect.poll(() => page.getByLabel('Shortest, in seconds').inputValue()).toBe('57')
  await page.getByLabel('Longest, in seconds').fill('7')
  await page.getByLabel('Shortest, in seconds').fill('2')
  await page.getByLabel('Slide', { exact: true }).check({ force: true })
  await expect.poll(() => page.getByLabel(/^I write them · free/).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Play the preview' }).click()
  await page.getByRole('button', { name: 'Stop the preview' }).waitFor()
  await expectHeadAndFootInPlace(page)
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Make session' }).click()
  await page.waitForURL(/\/sessions\/\d+\/edit$/)
  const [made] = await ana.sessions.list()
  expect(made).toMatchObject({
    intervalMin: 2,
    intervalMax: 7,
    transition: 'slide',
    captionTheme: null,
    thumbnail: site.url('/2.jpg'),
  })
  expect(errors).toEqual([])
})

test('settings and cover of an existing session do not prevent saving its slides', async () => {
  const id = await makeSession(ana, site, ['One', 'Two'])
  const { page } = await openEditor(id)
  await page.getByLabel('Caption', { exact: true }).fill('Changed')
  await slide(page, 2).click()
  await page.getByRole('button', { name: 'Use as cover' }).click()
  await page.getByText('This is the cover now.').waitFor()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Longest, in seconds').fill('12')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Settings saved.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor()
  expect(await savedCaptions(ana, id)).toEqual(['Changed', 'Two'])
  const { session } = await ana.sessions.read({ params: { id: String(id) } })
  expect([session.intervalMax, session.thumbnail]).toEqual([12, site.url('/2.jpg')])
})

test('unsaved work is restored after the tab was closed, and is gone once it is discarded', async () => {
  const id = await makeSession(ana, site, ['One', 'Two'])
  const { page, context } = await openEditor(id)
  await page.getByLabel('Caption', { exact: true }).fill('Not saved')
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).join().includes('Not saved')))
    .toBe(true)
  await page.close()
  const again = await context.newPage()
  await again.goto(`${world.url}/sessions/${id}/edit`)
  await again.getByText(/^Your unsaved changes of .* were restored\.$/).waitFor()
  expect(await captionsOf(again)).toEqual(['Not saved', 'Two'])
  await again.getByRole('button', { name: 'Discard changes' }).click()
  await expect.poll(() => captionsOf(again)).toEqual(['One', 'Two'])
  await again.reload()
  await slide(again, 1).waitFor()
  expect(await captionsOf(again)).toEqual(['One', 'Two'])
})

test('of many slides only visible ones are rendered, and the keyboard reaches all of them', async () => {
  const captions = Array.from({ length: 200 }, (_, n) => `Words ${n + 1}`)
  const id = await makeSession(ana, site, captions)
  const { page } = await openEditor(id)
  await expect
    .poll(() => page.getByRole('button', { name: /^Slide \d+ of 200/ }).count())
    .toBeLessThan(40)
  await slide(page, 1).focus()
  await page.keyboard.press('End')
  await slide(page, 200).waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Slide 200 of 200, Words 200')
  await expect
    .poll(() => page.getByLabel('Caption', { exact: true }).inputValue())
    .toBe('Words 200')
})

/** Scrolls a dialog and expects that its title and its actions stay visible. */
async function expectHeadAndFootInPlace(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
  const seen = await dialog.evaluate((element) => {
    const box = element.getBoundingClientRect()
    const isWithin = (part: Element | null | undefined) => {
      const { top, bottom } = part?.getBoundingClientRect() ?? { top: -1, bottom: -1 }
      return top >= box.top && bottom <= box.bottom
    }
    const buttons = [...element.querySelectorAll('button')]
    return {
      scrolls: element.scrollHeight > element.clientHeight,
      head: isWithin(element.querySelector('h2')),
      foot: isWithin(buttons.find((button) => button.textContent === 'Done')),
    }
  })
  expect(seen).toEqual({ scrolls: true, head: true, foot: true })
}

async function wordsOf(page: Page): Promise<string[]> {
  return (await captionsOf(page)).map((words) => words.replace('selected, ', ''))
}

async function openVisit(path: string) {
  const visit = await world.visit(ana, { viewport: desktop })
  await visit.page.goto(world.url + path)
  return visit
}

async function openEditor(id: number) {
  const visit = await openVisit(`/sessions/${id}/edit`)
  await slide(visit.page, 1).waitFor()
  return visit
}
