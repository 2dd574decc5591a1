/** Settings of the player: changed during playback, and remembered for the next time on any device. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { PlayerWorld, SlideWish } from '../support/player-world.ts'
import {
  createPlayerWorld,
  numbered,
  recordShown,
  stays,
  untilShown,
} from '../support/player-world.ts'
import { makeFilm } from '../support/sample-media.ts'
import type { Person } from '../support/world.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let world: PlayerWorld
let ana: Person

beforeAll(async () => {
  world = await createPlayerWorld()
  ana = await world.as('ana')
  const film = await makeFilm({ format: 'webm', frames: 90 })
  world.site.put('/film.webm', { type: 'video/webm', bytes: film })
})

afterEach(async () => {
  await Promise.all(world.browser.contexts().map((context) => context.close()))
})

afterAll(async () => {
  await world?.close()
})

async function open(
  slides: readonly SlideWish[],
  options: Parameters<PlayerWorld['visit']>[1] = {},
  prepare: (page: Page) => Promise<unknown> = async () => {},
) {
  const id = await world.makeManual(ana, slides, { transition: 'none' })
  const { page, errors } = await world.visit(ana, options)
  await prepare(page)
  await page.goto(`/play/${id}`)
  await untilShown(page, slides[0]?.path ?? '')
  return { page, errors, id }
}

/** Opens a film that stays on the screen, and returns a reader of its state. */
async function openFilm() {
  const opened = await open([{ path: '/film.webm', durationMs: stays }, { path: '/0.jpg' }])
  const film = opened.page.locator('.player-frame.is-shown video')
  const read = (name: 'currentTime' | 'playbackRate' | 'volume' | 'muted') =>
    film.evaluate((video, property) => Number(Reflect.get(video, property)), name)
  return { ...opened, read }
}

async function openSettings(page: Page) {
  // The controls hide after a while without input, which a slow machine always reaches.
  await page.mouse.move(60, 60)
  await page.mouse.move(90, 90)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Settings' })
  await sheet.waitFor()
  return sheet
}

test('a film keeps its position when the drift is switched, and plays at the speed of the show', async () => {
  const { page, read } = await openFilm()
  await expect.poll(() => read('currentTime')).toBeGreaterThan(0.5)
  await page.keyboard.press(' ')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  const stoppedAt = await read('currentTime')
  await page.keyboard.press('k')
  await page.getByText('Slow pan and zoom on').waitFor()
  expect(await read('currentTime')).toBe(stoppedAt)
  expect(await read('playbackRate')).toBe(1)
  for (const _ of [1, 2, 3]) await page.keyboard.press(']')
  await expect.poll(() => read('playbackRate')).toBeCloseTo(2)
  const tick = await page
    .locator('.player-passing')
    .evaluate((mark) => mark.getAnimations()[0]?.effect?.getComputedTiming().duration)
  expect(Number(tick)).toBeLessThan(stays / 2 + 1)
})

test('loop, shuffle, speed, captions and volume are remembered', async () => {
  const { page, read } = await openFilm()
  for (const key of ['l', 's', ']', ']', 'c']) await page.keyboard.press(key)
  const sheet = await openSettings(page)
  await sheet.getByRole('slider', { name: 'Volume' }).fill('40')
  await sheet.getByRole('radio', { name: 'Large' }).check({ force: true })
  await sheet.getByRole('radio', { name: 'Top' }).check({ force: true })
  await expect.poll(() => read('volume')).toBeCloseTo(0.4)

  await page.reload()
  const again = await openSettings(page)
  const isOn = (name: string) => again.getByRole('switch', { name, exact: true }).isChecked()
  expect(await isOn('Loop')).toBe(true)
  expect(await isOn('Shuffle')).toBe(true)
  expect(await isOn('Show captions')).toBe(false)
  const speed = again.getByRole('slider', { name: 'Speed' })
  await expect.poll(() => speed.getAttribute('aria-valuetext')).toBe('1.5×')
  await expect.poll(() => again.getByRole('slider', { name: 'Volume' }).inputValue()).toBe('40')
  await expect.poll(() => again.getByRole('radio', { name: 'Large' }).isChecked()).toBe(true)
  await expect.poll(() => again.getByRole('radio', { name: 'Top' }).isChecked()).toBe(true)
})

test('the volume slider turns the sound on, as the volume keys do', async () => {
  const { page, read } = await openFilm()
  await page.keyboard.press('m')
  await expect.poll(() => read('muted')).toBe(1)
  const sheet = await openSettings(page)
  await sheet.getByRole('slider', { name: 'Volume' }).fill('40')
  await expect.poll(() => read('muted')).toBe(0)
  await expect.poll(() => read('volume')).toBeCloseTo(0.4)
  expect(await sheet.getByRole('switch', { name: 'Sound', exact: true }).isChecked()).toBe(true)
})

test('pace and transition change while it plays', async () => {
  const id = await world.makeManual(ana, numbered(3), { intervalMin: 60, intervalMax: 60 })
  const { page } = await world.visit(ana)
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  const sheet = await openSettings(page)
  await sheet.getByRole('radio', { name: 'Flip' }).check({ force: true })
  for (const name of [/at least/, /at most/]) {
    await sheet.getByRole('slider', { name }).press('Home')
  }
  await page.evaluate(() => {
    const moved: string[] = []
    Object.assign(window, { moved })
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its element below
    const animate = Element.prototype.animate
    Element.prototype.animate = function (keyframes, options) {
      if (this.classList.contains('player-frame')) moved.push(JSON.stringify(keyframes))
      return animate.call(this, keyframes, options)
    }
  })
  await page.keyboard.press('Escape')
  await untilShown(page, '/1.jpg')
  expect(await page.evaluate<string[]>('window.moved')).toContainEqual(
    expect.stringContaining('rotateY'),
  )
})

test('a slide on a page plays from there, and a session resumes where it stopped', async () => {
  const id = await world.makeManual(ana, numbered(6, { durationMs: stays }), { title: 'Long' })
  const { page } = await world.visit(ana)
  const shown = await recordShown(page)
  await page.goto(`/sessions/${id}`)
  await page.locator(`a[href="/play/${id}?slide=4"]`).click()
  await untilShown(page, '/3.jpg')
  expect(await shown()).toEqual(['/3.jpg'])
  expect(await page.getByText('Resumed at slide').count()).toBe(0)
  await page.keyboard.press('ArrowRight')
  await untilShown(page, '/4.jpg')

  await page.goto(`/play/${id}`)
  await untilShown(page, '/4.jpg')
  await page.getByText('Resumed at slide 5.').waitFor()
  await page.getByRole('button', { name: 'From the start' }).click()
  await untilShown(page, '/0.jpg')
  await page.goto(`/play/${id}?slide=99`)
  await untilShown(page, '/0.jpg')
})

test('a session that was played to its end starts at its beginning', async () => {
  const { page, id } = await open(numbered(3, { durationMs: stays }))
  for (const path of ['/1.jpg', '/2.jpg']) {
    await page.keyboard.press('ArrowRight')
    await untilShown(page, path)
  }
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
})

test('the end offers next steps: again, shuffled, to the library; for visitors to sign in', async () => {
  const { page, id } = await open(numbered(5, { durationMs: stays }))
  await page.keyboard.press('End')
  await untilShown(page, '/4.jpg')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('link', { name: 'Library' }).waitFor()
  await page.locator('.player-card').getByRole('button', { name: 'Shuffle' }).click()
  await page.getByText('slide 1 of 5', { exact: true }).waitFor()
  const mixed = page.locator('.player-deck').getByRole('button', { name: 'Shuffle' })
  await expect.poll(() => mixed.getAttribute('aria-pressed')).toBe('true')

  const { shareCode } = await ana.sharing.shareSession({ params: { id: String(id) }, body: {} })
  const visitor = await world.visit(null)
  await visitor.page.goto(`/shared/${shareCode}/play?slide=3`)
  await untilShown(visitor.page, '/2.jpg')
  await visitor.page.keyboard.press('ArrowRight')
  const wayIn = visitor.page.getByRole('link', { name: 'Make your own' })
  await expect.poll(() => wayIn.getAttribute('href')).toBe('/register')
})

test('captions have a size and a position, and describe the pictures', async () => {
  const slides = numbered(2, { durationMs: stays, caption: 'A boat at low tide.' })
  const { page } = await open(slides)
  const words = page.locator('.player-lines')
  await words.waitFor()
  await expect.poll(() => page.getByRole('img', { name: 'A boat at low tide.' }).count()).toBe(1)
  const look = async () => {
    const box = await words.boundingBox()
    const sizePx = await words.evaluate((lines) => parseFloat(getComputedStyle(lines).fontSize))
    return { middle: (box?.y ?? 0) + (box?.height ?? 0) / 2, sizePx }
  }
  const before = await look()
  const sheet = await openSettings(page)
  await sheet.getByRole('radio', { name: 'Large' }).check({ force: true })
  await sheet.getByRole('radio', { name: 'Top' }).check({ force: true })
  const after = await look()
  expect(after.sizePx).toBeGreaterThan(before.sizePx)
  expect([before.middle > 450, after.middle < 300]).toEqual([true, true])
})

test('the viewer chooses the voice of spoken captions, and its speed', async () => {
  const slides = numbered(2, { durationMs: stays, caption: 'A boat at low tide.' })
  const { page } = await open(slides, {}, (visited) =>
    visited.addInitScript(() => {
      const voices = [
        { voiceURI: 'ida', name: 'Ida', lang: 'de-DE' },
        { voiceURI: 'tom', name: 'Tom', lang: 'en-GB' },
      ]
      const voice = Object.assign(new EventTarget(), {
        getVoices: () => voices,
        speak: (said: object) => void Object.assign(window, { said }),
        cancel: () => {},
        pause: () => {},
        resume: () => {},
      })
      Object.defineProperty(window, 'speechSynthesis', { value: voice })
      // A browser accepts only its own voices here.
      class Utterance extends EventTarget {}
      Object.assign(window, { SpeechSynthesisUtterance: Utterance })
    }),
  )
  const sheet = await openSettings(page)
  expect(await sheet.getByLabel('Voice', { exact: true }).count()).toBe(0)
  await sheet.getByRole('switch', { name: 'Speak captions' }).click()
  const voice = sheet.getByLabel('Voice', { exact: true })
  await expect
    .poll(() => voice.locator('option').allTextContents())
    .toEqual(['Default voice', 'Tom', 'Ida'])
  await voice.selectOption('Ida')
  await sheet.getByLabel('Speed of the voice').fill('15')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
  await untilShown(page, '/1.jpg')
  const said = () =>
    page.evaluate(() => {
      const { lang, rate, volume, voice: speaker } = Reflect.get(window, 'said') ?? {}
      return [speaker?.name, lang, rate, volume]
    })
  await expect.poll(said).toEqual(['Ida', 'de-DE', 1.5, 1])
})

test('a pause pauses the voice', async () => {
  const slides = numbered(1, { durationMs: stays, caption: 'A boat at low tide.' })
  const { page } = await open(slides, phone, (visited) =>
    visited.addInitScript(() => {
      const told: string[] = []
      const tell = (name: string) => () => void told.push(name)
      const voice = {
        speak: ({ text, lang }: SpeechSynthesisUtterance) =>
          void told.push(`speak ${text} (${lang})`),
        getVoices: () => [],
        cancel: tell('cancel'),
        pause: tell('pause'),
        resume: tell('resume'),
      }
      Object.defineProperty(window, 'speechSynthesis', { value: voice })
      Object.assign(window, { told })
    }),
  )
  const told = () => page.evaluate<string[]>('window.told')
  // A screen reader's click wakes hidden controls. This dispatches one.
  const press = (name: string) =>
    page.getByRole('button', { name, exact: true }).dispatchEvent('click')
  expect(await page.getByRole('button', { name: 'Speak captions' }).boundingBox()).not.toBe(null)
  await press('Speak captions')
  await expect.poll(told).toContain('speak A boat at low tide. (en)')
  await press('Pause')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect((await told()).at(-1)).toBe('pause')
  await press('Play')
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  expect((await told()).at(-1)).toBe('resume')
  await page.keyboard.press('m')
  await page.getByText('Sound off').waitFor()
  expect((await told()).at(-1)).toBe('cancel')
})

test('on a phone the blackout is one visible control away, and two taps on it do not undo it', async () => {
  const { page } = await open(numbered(1, { durationMs: stays }), phone)
  await page.clock.install()
  const dark = page.getByRole('button', { name: 'Black out' })
  const box = await dark.boundingBox()
  await dark.dispatchEvent('click')
  await page.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
  expect(await page.title()).toBe('Untitled')
  const colour = () => page.locator('meta[name="theme-color"]').first().getAttribute('content')
  expect(await colour()).toBe('#000000')
  await page.clock.runFor(800)
  await page.touchscreen.tap(200, 400)
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect(await colour()).toBe('#050403')
  const viewport = await page.locator('meta[name=viewport]').getAttribute('content')
  expect(viewport).toContain('viewport-fit=cover')
  await page.getByRole('button', { name: 'Leave' }).dispatchEvent('click')
  await page.waitForURL(/\/sessions\//)
  await page.locator('.player').waitFor({ state: 'detached' })
  expect(['#0f0c0a', '#f4f1e9']).toContain(await colour())
})

test('a phone that controls full screen and volume itself is offered neither', async () => {
  const { page } = await open(
    [{ path: '/0.jpg', durationMs: stays }, { path: '/film.webm' }],
    {},
    (visited) =>
      visited.addInitScript(() => {
        Object.defineProperty(Document.prototype, 'fullscreenEnabled', { get: () => undefined })
        Reflect.deleteProperty(Element.prototype, 'requestFullscreen')
        Object.defineProperty(HTMLMediaElement.prototype, 'volume', { get: () => 1, set() {} })
      }),
  )
  expect(await page.getByRole('button', { name: 'Full screen' }).count()).toBe(0)
  const sheet = await openSettings(page)
  await expect.poll(() => sheet.getByRole('switch', { name: 'Sound', exact: true }).count()).toBe(1)
  expect(await sheet.getByRole('slider', { name: 'Volume' }).count()).toBe(0)
  expect(await sheet.getByRole('button', { name: 'Full screen' }).count()).toBe(0)
  await sheet.getByRole('button', { name: 'Keys and touch' }).click()
  await page.getByRole('heading', { name: 'Keys and touch' }).waitFor()
  expect(await page.getByText('Full screen').count()).toBe(0)
})

test('on a low screen the captions stay in the lower half while the controls show', async () => {
  const lying = { viewport: { width: 844, height: 390 } }
  const { page } = await open(numbered(2, { durationMs: stays, caption: 'The bay at noon' }), lying)
  await page.locator('.burnt-words').waitFor()
  await page.keyboard.press(' ')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  const placeOf = (selector: string) =>
    page.locator(selector).evaluate((element) => element.getBoundingClientRect())
  await expect.poll(async () => (await placeOf('.player-lines')).top).toBeGreaterThan(195)
  const [lines, scrubber] = [await placeOf('.player-lines'), await placeOf('.player-scrubber')]
  expect(lines.bottom).toBeLessThanOrEqual(scrubber.top)
})

test('in forced colours, marks and states can still be distinguished', async () => {
  const { page } = await open(numbered(3, { durationMs: stays }), { forcedColors: 'active' })
  await page.keyboard.press('ArrowRight')
  await untilShown(page, '/1.jpg')
  await page.keyboard.press('l')
  // The bars have no gradient with forced colours, and would cover the picture.
  const heightOf = (selector: string) =>
    page.locator(selector).evaluate(({ clientHeight }) => clientHeight)
  expect(await heightOf('.player-top')).toBeLessThan(80)
  expect(await heightOf('.player-deck')).toBeLessThan(140)
  const colours = await page.evaluate(() => {
    const style = (selector: string, pseudo?: string) => {
      const found = document.querySelector(selector)
      return found ? getComputedStyle(found, pseudo) : null
    }
    return {
      past: style('.player-tick.is-past')?.backgroundColor,
      coming: style('.player-tick:not(.is-past, .is-now)')?.backgroundColor,
      passing: style('.player-passing')?.backgroundColor,
      on: style('.player-icon[aria-pressed=true]')?.borderTopColor,
      off: style('.player-icon[aria-pressed=false]')?.borderTopColor,
    }
  })
  expect(colours.past).not.toBe(colours.coming)
  expect(colours.passing).not.toBe(colours.coming)
  expect(colours.on).not.toBe(colours.off)
  const sheet = await openSettings(page)
  const track = (name: string) =>
    sheet
      .getByRole('switch', { name, exact: true })
      .evaluate((input) => getComputedStyle(input).backgroundColor)
  expect(await track('Loop')).not.toBe(await track('Shuffle'))
})
