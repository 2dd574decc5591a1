/** Input and accessibility of the player: touch, keyboard, screen readers, small and large screens. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findBarriers } from '../support/accessibility.ts'
import { photo } from '../support/file-visit.ts'
import type { PlayerWorld } from '../support/player-world.ts'
import {
  createPlayerWorld,
  numbered,
  shownPath,
  stays,
  untilShown,
  withoutDelay,
} from '../support/player-world.ts'
import { makeFilm } from '../support/sample-media.ts'
import type { Person } from '../support/world.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const desktop = { viewport: { width: 1440, height: 900 } }

let world: PlayerWorld
let ana: Person

beforeAll(async () => {
  world = await createPlayerWorld()
  ana = await world.as('ana')
})

afterEach(async () => {
  await Promise.all(world.browser.contexts().map((context) => context.close()))
})

afterAll(async () => {
  await world?.close()
})

test('fingers turn the slides by taps and swipes, and three of them black out', async () => {
  const id = await world.makeManual(ana, numbered(4, { durationMs: stays }))
  const { page } = await world.visit(ana, phone)
  await page.clock.install()
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  await withoutDelay(page, () => page.touchscreen.tap(350, 400))
  await untilShown(page, '/1.jpg')
  await withoutDelay(page, () => page.touchscreen.tap(40, 400))
  await untilShown(page, '/0.jpg')
  await withoutDelay(page, () => swipe(page, { from: 300, to: 100 }))
  await untilShown(page, '/1.jpg')
  await withoutDelay(page, () => swipe(page, { from: 100, to: 300 }))
  await untilShown(page, '/0.jpg')
  await touch(page, [
    ['touchStart', [100]],
    ['touchStart', [100, 200]],
    ['touchStart', [100, 200, 300]],
  ])
  expect(await page.title()).toBe('Untitled')
  await page.clock.runFor(800)
  await page.touchscreen.tap(200, 400)
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
})

test('a swipe down closes the player', async () => {
  const id = await world.makeManual(ana, numbered(2, { durationMs: stays }))
  const { page } = await world.visit(ana, phone)
  await page.clock.install()
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  const drawDown = async (toY: number) => {
    const client = await page.context().newCDPSession(page)
    const send = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      ...touchPoints: { x: number; y: number }[]
    ) => client.send('Input.dispatchTouchEvent', { type, touchPoints })
    await send('touchStart', { x: 200, y: 300 })
    for (const y of [(300 + toY) / 2, toY]) await send('touchMove', { x: 204, y })
    await send('touchEnd')
  }
  // A short slip of a finger does not leave the player.
  await withoutDelay(page, () => drawDown(360))
  expect(new URL(page.url()).pathname).toBe(`/play/${id}`)
  await withoutDelay(page, () => drawDown(480))
  await page.waitForURL(`**/sessions/${id}`)
})

test('the sheet about a picture names its file, and to its owner the day that it was added', async () => {
  const file = new File([new Uint8Array(await photo(1))], 'harbour at noon.jpg', {
    type: 'image/jpeg',
  })
  const { media } = await ana.vault.upload({ form: { source: 'general', file } })
  const slides = [{ mediaId: media?.id ?? 0 }, { mediaUrl: world.site.url('/0.jpg') }]
  const { session } = await ana.sessions.createManual({ body: { title: 'Own', slides } })
  const { page } = await world.visit(ana)
  await page.goto(`/play/${session.id}`)
  await page.locator('.player-frame.is-shown').waitFor()
  await page.keyboard.press('i')
  const about = page.getByRole('dialog', { name: 'About this picture' })
  await about.getByText('harbour at noon.jpg').waitFor()
  await about.getByText('Added').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
  await untilShown(page, '/0.jpg')
  await page.keyboard.press('i')
  await about.getByText('0.jpg', { exact: true }).waitFor()
  expect(await about.getByText('Added').count()).toBe(0)
})

test('a sheet that is requested while the last one closes is opened', async () => {
  const id = await world.makeManual(ana, numbered(1, { durationMs: stays }))
  const { page } = await world.visit(ana)
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  const about = page.getByRole('dialog', { name: 'About this picture' })
  await page.keyboard.press('i')
  await about.waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('i')
  await about.waitFor()
  await page.keyboard.press('Escape')
  await about.waitFor({ state: 'detached' })
  expect(page.url()).toContain(`/play/${id}`)
})

test('keys work before the first picture is loaded', async () => {
  const id = await world.makeManual(ana, numbered(1))
  const { page } = await world.visit(ana)
  await page.addInitScript(recordWhoCameFirst)
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  expect(await page.evaluate<string[]>('window.came')).toEqual(['keys', 'picture'])
})

test('holding a finger pauses the show, and releasing it continues', async () => {
  const durationMs = 60_000
  const id = await world.makeManual(ana, numbered(3, { durationMs }))
  const { page } = await world.visit(ana, phone)
  await page.clock.install()
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  await touch(page, [['touchStart', [200]]], async () => {
    await page.clock.runFor(3 * durationMs)
    expect(await shownPath(page)).toBe('/0.jpg')
  })
  await page.clock.runFor(durationMs)
  await untilShown(page, '/1.jpg')
})

test.each([phone, desktop])(
  'no state of it has a barrier at $viewport.width pixels',
  async (size) => {
    const id = await world.makeManual(ana, numbered(3, { durationMs: stays, caption: 'Look up.' }))
    const { page } = await world.visit(ana, { ...size, reducedMotion: 'reduce' })
    await page.goto(`/play/${id}`)
    await untilShown(page, '/0.jpg')
    await page.keyboard.press(' ').catch(() => {})
    await page.locator('.burnt-words').waitFor()
    const found: Record<string, string[]> = { playing: await findBarriers(page) }
    for (const [name, key] of [
      ['help', '?'],
      ['about', 'i'],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByRole('dialog').waitFor()
      found[name] = await findBarriers(page)
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { name: 'That was the last slide.' }).waitFor()
    found['over'] = await findBarriers(page)
    expect(found).toEqual({ playing: [], help: [], about: [], over: [] })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(
      size.viewport.width,
    )
  },
)

test('a screen reader reads the slide’s number and its caption', async () => {
  const id = await world.makeManual(ana, numbered(2, { durationMs: stays, caption: 'Look up.' }))
  const { page } = await world.visit(ana)
  await page.goto(`/play/${id}`)
  const spoken = page.getByTestId('spoken')
  await spoken.getByText('Slide 1 of 2. Look up.').waitFor()
  await page.keyboard.press('ArrowRight')
  await spoken.getByText('Slide 2 of 2. Look up.').waitFor()
})

test('hidden controls are found by a screen reader, ignore taps, and appear when focused', async () => {
  const id = await world.makeManual(ana, numbered(2, { durationMs: stays }))
  const { page } = await world.visit(ana, phone)
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  const pause = page.getByRole('button', { name: 'Pause' })
  const box = await pause.boundingBox()
  await page.locator('.player-room[data-controls="hidden"]').waitFor({ state: 'attached' })
  await expect.poll(() => page.getByRole('region', { name: 'The show' }).count()).toBe(1)
  await expect.poll(() => pause.count()).toBe(1)
  await page.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
  await expect.poll(() => pause.count()).toBe(1)
  await page.touchscreen.tap(200, 400)
  await page.locator('.player-room[data-controls="hidden"]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Show controls' }).dispatchEvent('click')
  await page.locator('.player-room[data-controls="shown"]').waitFor({ state: 'attached' })
  await page.locator('.player-room[data-controls="hidden"]').waitFor({ state: 'attached' })
  await pause.focus()
  await page.locator('.player-room[data-controls="shown"]').waitFor({ state: 'attached' })
})

test('when the show is over, the focus is on the next step', async () => {
  const id = await world.makeManual(ana, numbered(1, { durationMs: stays }))
  const { page } = await world.visit(ana)
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  await page.keyboard.press('ArrowRight')
  await page.locator('.player-card :focus').getByText('Play again').waitFor()
})

test('keys announce what they have switched, and the displayed pace is the one that is played', async () => {
  const id = await world.makeManual(ana, numbered(2), { intervalMin: 6, intervalMax: 10 })
  const { page } = await world.visit(ana)
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  for (const [key, words] of [
    ['k', 'Slow pan and zoom on'],
    ['k', 'Slow pan and zoom off'],
    ['m', 'Sound off'],
    ['c', 'Captions off'],
  ] as const) {
    await page.keyboard.press(key)
    await page.locator('.player-message[data-fresh="true"]', { hasText: words }).waitFor()
  }
  expect(await page.getByRole('button', { name: 'Sound', exact: true }).count()).toBe(0)
  await page.getByText('1× · 6 to 10 s').waitFor()
  for (const _ of [1, 2, 3]) await page.keyboard.press(']')
  await page.getByText('2× · 3 to 5 s').waitFor()
})

test('a session with videos has a control for their sound', async () => {
  world.site.put('/film.webm', { type: 'video/webm', bytes: await makeFilm({ format: 'webm' }) })
  const id = await world.makeManual(ana, [
    { path: '/0.jpg', durationMs: stays },
    { path: '/film.webm' },
  ])
  const { page } = await world.visit(ana)
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  const volumes = ['90 %', '80 %', '90 %', '100 %', '100 %']
  for (const [at, key] of ['Down', 'Down', 'Up', 'Up', 'Up'].entries()) {
    await page.keyboard.press(`Arrow${key}`)
    const told = page.locator('.player-message[data-fresh="true"]')
    await told.and(page.getByText(`Volume ${volumes[at]}`)).waitFor()
  }
  const sound = page.getByRole('button', { name: 'Sound', exact: true })
  await sound.click()
  await sound.and(page.locator('[aria-pressed="false"]')).waitFor()
})

test('on a narrow phone the byline is shortened, not the slide number', async () => {
  const id = await world.makeFilled(ana, 12, { subfeeds: 'city' })
  const { page } = await world.visit(ana, { ...phone, viewport: { width: 360, height: 740 } })
  await page.goto(`/play/${id}`)
  const where = page.getByText('slide 1 of 12', { exact: true })
  await where.waitFor()
  const widths = await where.evaluate((count) => {
    const byline = count.parentElement?.firstElementChild
    if (byline) byline.textContent = 'one subfeed, '.repeat(20)
    return [count.scrollWidth - count.clientWidth, innerWidth - count.getBoundingClientRect().right]
  })
  expect(widths[0]).toBe(0)
  expect(widths[1]).toBeGreaterThan(44)
})

test('captions stay above the controls until those have faded', async () => {
  const id = await world.makeManual(ana, numbered(1, { durationMs: stays, caption: 'Look up.' }))
  const { page } = await world.visit(ana, phone)
  await page.goto(`/play/${id}`)
  const words = page.locator('.player-lines')
  await words.waitFor()
  const ends = await words.evaluate(
    (lines) =>
      new Promise<[number, number]>((resolve) => {
        lines.addEventListener('transitionrun', () => {
          const ends = (element: Element, name: string) =>
            element
              .getAnimations()
              .filter((one) => one instanceof CSSTransition && one.transitionProperty === name)
              .map((one) => one.effect?.getComputedTiming())
          const deck = document.querySelector('.player-deck')
          const fade = deck ? ends(deck, 'opacity')[0] : undefined
          const move = ends(lines, 'translate')[0]
          resolve([Number(move?.delay), Number(fade?.endTime)])
        })
      }),
  )
  expect(ends[0]).toBeGreaterThanOrEqual(ends[1])
})

async function swipe(page: Page, { from, to }: { from: number; to: number }): Promise<void> {
  const steps = [0.25, 0.5, 0.75, 1].map((share) => from + (to - from) * share)
  await touch(page, [['touchStart', [from]], ...steps.map((x): Touch => ['touchMove', [x]])])
}

/** An event, and the horizontal positions of the fingers after it. */
type Touch = [type: 'touchStart' | 'touchMove', fingers: number[]]

/** Performs the touches, calls `whileHeld`, and lifts all fingers. */
async function touch(
  page: Page,
  touches: readonly Touch[],
  whileHeld: () => Promise<void> = async () => {},
): Promise<void> {
  const client = await page.context().newCDPSession(page)
  for (const [type, fingers] of touches) {
    const touchPoints = fingers.map((x, id) => ({ x, y: 400, id }))
    await client.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
  await whileHeld()
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await client.detach()
}

/**
 * Runs in the page. Records the order in which the key listener is added and the first picture is
 * decoded.
 */
function recordWhoCameFirst() {
  const came: string[] = []
  Object.assign(window, { came })
  const listen = document.addEventListener.bind(document)
  document.addEventListener = (...args: Parameters<typeof listen>) => {
    if (args[0] === 'keydown') came.push('keys')
    listen(...args)
  }
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its element below
  const { decode } = HTMLImageElement.prototype
  HTMLImageElement.prototype.decode = function () {
    came.push('picture')
    return decode.call(this)
  }
}
