/** The player in a real Chromium, on a real service: it plays, and responds to its controls. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { transitions } from '../../src/contract/transitions.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { animation } from '../support/caption-world.ts'
import type { PlayerWorld } from '../support/player-world.ts'
import {
  createPlayerWorld,
  numbered,
  recordShown,
  shownPath,
  stays,
  untilShown,
} from '../support/player-world.ts'
import { makeFilm } from '../support/sample-media.ts'
import type { Person } from '../support/world.ts'

/** For this time after a blackout, no input ends it. */
const graceMs = 800

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

/** Opens a show that changes slides only on command. */
async function openStill(count: number, settings: Record<string, unknown> = {}) {
  const id = await world.makeManual(ana, numbered(count, { durationMs: stays }), settings)
  const visit = await world.visit(ana)
  await visit.page.goto(`/play/${id}`)
  await untilShown(visit.page, '/0.jpg')
  return { ...visit, id }
}

test('a session plays by itself, slide after slide, to its end, and again', async () => {
  const id = await world.makeManual(ana, numbered(5, { durationMs: 400 }))
  const { page, errors } = await world.visit(ana)
  const shown = await recordShown(page)
  await page.goto(`/play/${id}`)
  const end = page.getByRole('region', { name: 'That was the last slide.' })
  await end.waitFor()
  expect(await shown()).toEqual(['/0.jpg', '/1.jpg', '/2.jpg', '/3.jpg', '/4.jpg'])
  // The card covers the controls, so the keyboard does not reach them.
  await page.keyboard.press('Shift+Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('.player-bar'))).toBeNull()
  await page.getByRole('button', { name: 'Play again' }).click()
  await untilShown(page, '/0.jpg')
  expect(errors).toEqual([])
})

test.each(transitions)(
  '%s changes pictures by transforms and opacity alone',
  async (transition) => {
    const { page } = await openStill(3, { transition })
    await page.evaluate(recordAnimations)
    await page.keyboard.press('ArrowRight')
    await untilShown(page, '/1.jpg')
    const recorded = await page.evaluate<{ properties: string[]; ms: number }[]>('window.recorded')
    const longest = Math.max(0, ...recorded.map(({ ms }) => ms))
    expect(longest).toBe({ fade: 900, slide: 620, zoom: 1000, flip: 760, none: 0 }[transition])
    const properties = new Set(recorded.flatMap((one) => one.properties))
    expect([...properties].filter((name) => name !== 'transform' && name !== 'opacity')).toEqual([])
  },
)

test('with reduced motion every transition is a short dissolve', async () => {
  const id = await world.makeManual(ana, numbered(2, { durationMs: stays }), { transition: 'flip' })
  const { page } = await world.visit(ana, { reducedMotion: 'reduce' })
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  await page.evaluate(recordAnimations)
  await page.keyboard.press('ArrowRight')
  await untilShown(page, '/1.jpg')
  const recorded = await page.evaluate<{ properties: string[]; ms: number }[]>('window.recorded')
  expect(recorded).toEqual([
    { properties: ['opacity'], ms: 200 },
    { properties: ['opacity'], ms: 200 },
  ])
})

test('buttons and keys pause, turn, jump and go back', async () => {
  const { page } = await openStill(20)
  await page.getByRole('button', { name: 'Next' }).click()
  await untilShown(page, '/1.jpg')
  await page.getByRole('button', { name: 'Previous' }).click()
  await untilShown(page, '/0.jpg')
  await page.keyboard.press('End')
  await untilShown(page, '/19.jpg')
  await page.keyboard.press('5')
  await untilShown(page, '/10.jpg')
  await page.keyboard.press('Home')
  await untilShown(page, '/0.jpg')
  await page.keyboard.press(' ')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await page.keyboard.press(' ')
  await page.getByRole('button', { name: 'Pause' }).waitFor()
})

test('a paused show stops and continues at the same point', async () => {
  const durationMs = 60_000
  const id = await world.makeManual(ana, numbered(3, { durationMs }))
  const { page } = await world.visit(ana)
  await page.clock.install()
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  await page.keyboard.press(' ')
  const play = page.getByRole('button', { name: 'Play', exact: true })
  await play.waitFor()
  await page.clock.runFor(3 * durationMs)
  expect(await shownPath(page)).toBe('/0.jpg')
  await play.click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.clock.runFor(durationMs)
  await untilShown(page, '/1.jpg')
})

test('the scrubber previews the slide under the pointer and goes there', async () => {
  const { page } = await openStill(10)
  await page.keyboard.press(' ')
  const track = await page.getByRole('slider', { name: 'Slide' }).boundingBox()
  if (!track) throw new Error('the scrubber is not shown')
  await page.mouse.move(track.x + track.width * 0.75, track.y + track.height / 2)
  await page.getByText('Slide 8').waitFor()
  await expect.poll(() => page.locator('.player-peek img').getAttribute('src')).toContain('/7.jpg')
  await page.mouse.down()
  await page.mouse.move(track.x + track.width * 0.35, track.y + track.height / 2, { steps: 4 })
  await page.mouse.up()
  await untilShown(page, '/3.jpg')

  await page.getByRole('slider', { name: 'Slide' }).focus()
  await page.keyboard.press('ArrowRight')
  await untilShown(page, '/4.jpg')
})

test('when shuffled, every slide is shown once and then the show ends', async () => {
  const { page } = await openStill(12)
  await page.keyboard.press('s')
  const seen = [await shownPath(page)]
  for (let turn = 1; turn < 12; turn += 1) {
    await page.keyboard.press('ArrowRight')
    await page
      .getByText(`slide ${turn + 1} of 12`, { exact: false })
      .first()
      .waitFor()
    await page.waitForFunction(
      (last) => {
        const shown = [...document.querySelectorAll('.player-frame.is-shown')].at(-1)
        return !shown?.firstElementChild?.getAttribute('src')?.endsWith(last)
      },
      seen.at(-1) ?? '',
    )
    seen.push(await shownPath(page))
  }
  expect(new Set(seen).size).toBe(12)
  expect(seen).not.toEqual(numbered(12).map(({ path }) => path))
  await page.keyboard.press('ArrowRight')
  await page.getByRole('heading', { name: 'That was the last slide.' }).waitFor()
})

test('the panic key makes everything dark at once, title and all, and a second press does not undo it', async () => {
  const { page } = await openStill(3)
  await page.clock.install()
  expect(await page.title()).toContain('Evening')
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('b')
  const dark = await page.screenshot()
  expect(await page.title()).toBe('Untitled')
  expect(await brightestValue(dark)).toBe(0)
  expect(await page.getByTestId('spoken').textContent()).toBe('')

  await page.clock.runFor(graceMs)
  for (const key of ['b', 'B', 'Shift']) await page.keyboard.press(key)
  expect(await page.title()).toBe('Untitled')
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect(await page.title()).toContain('Evening')

  // A startled person also hits the keys nearby.
  const title = await page.evaluate(() => {
    for (const key of ['b', 'v', 'n']) {
      document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    }
    return document.title
  })
  expect(title).toBe('Untitled')
})

test('in manual mode, nothing advances until the viewer asks for it', async () => {
  const id = await world.makeManual(ana, numbered(3, { durationMs: 300 }), { isManualMode: true })
  const { page } = await world.visit(ana)
  await page.clock.install()
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  await page.clock.runFor(60_000)
  expect(await shownPath(page)).toBe('/0.jpg')
  await page.keyboard.press(' ')
  await untilShown(page, '/1.jpg')
})

test('shown slides leave no DOM nodes behind', async () => {
  const { page } = await openStill(40, { transition: 'none' })
  const devtools = await page.context().newCDPSession(page)
  const nodesAfter = async (slides: readonly number[]) => {
    for (const slide of slides) {
      await page.keyboard.press('ArrowRight')
      await untilShown(page, `/${slide}.jpg`)
    }
    await devtools.send('HeapProfiler.collectGarbage')
    return (await devtools.send('Memory.getDOMCounters')).nodes
  }
  const early = await nodesAfter(Array.from({ length: 8 }, (_, n) => n + 1))
  const late = await nodesAfter(Array.from({ length: 28 }, (_, n) => n + 9))
  // A slide has seven nodes, and the number of slides decoded in advance varies.
  expect(late - early).toBeLessThan(40)
})

test('broken media is skipped and named', async () => {
  world.site.put('/not-a-picture.jpg', { type: 'image/jpeg', bytes: Buffer.from('not a picture') })
  const paths = ['/0.jpg', '/gone.jpg', '/not-a-picture.jpg', '/1.jpg']
  const id = await world.makeManual(
    ana,
    paths.map((path) => ({ path, durationMs: 900 })),
  )
  const { page } = await world.visit(ana)
  await page.goto(`/play/${id}`)
  await untilShown(page, '/1.jpg')
  await page.getByText('2 slides could not be shown and were skipped: 2, 3.').waitFor()
})

test('a session without a playable slide says so', async () => {
  const id = await world.makeManual(ana, [{ path: '/gone.jpg' }, { path: '/gone-too.jpg' }])
  const { page } = await world.visit(ana)
  await page.goto(`/play/${id}`)
  await page.getByRole('heading', { name: 'None of the slides could be shown.' }).waitFor()
})

test('a network outage is waited out: the show continues with every slide', async () => {
  const id = await world.makeManual(ana, numbered(10, { durationMs: 20_000 }))
  const { page } = await world.visit(ana)
  const shown = await recordShown(page)
  const scripts = followScripts(page)
  await page.clock.install()
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  // The browser does not request a script again after a network failure.
  await expect.poll(() => scripts.hasAll('background', 'end-card', 'open-sheet')).toBe(true)
  await page.context().setOffline(true)
  // Half a slide at a time, so that each picture can arrive.
  const passTimeUntil = async (shown: Locator) => {
    await expect
      .poll(async () => {
        await page.clock.fastForward(10_000)
        return shown.count()
      })
      .toBe(1)
  }
  // First it shows the slides that it loaded in advance.
  await passTimeUntil(page.getByText('This device has no network.'))
  await page.clock.runFor(30_000)
  expect(await page.getByText('could not be shown').count()).toBe(0)
  await page.context().setOffline(false)
  await page.getByText('This device has no network.').waitFor({ state: 'detached' })
  await passTimeUntil(page.getByRole('heading', { name: 'That was the last slide.' }))
  expect(await shown()).toEqual(numbered(10).map(({ path }) => path))
  expect(await page.getByText('This device has no network.').count()).toBe(0)
})

test('a silent site, a lost network and a missing picture have different messages', async () => {
  const id = await world.makeManual(ana, numbered(3, { durationMs: stays }))
  const { page } = await world.visit(ana)
  await page.route('**/1.jpg', (route) => route.abort())
  await page.goto(`/sessions/${id}/edit`)
  await page.getByRole('button', { name: /^Slide 2 of/ }).click()
  await page.getByText('This picture is no longer at its address.').waitFor()
  await page.context().setOffline(true)
  await page.getByText('This device has no network, so this picture').waitFor()
  await page.route('**/healthz', (route) => route.abort())
  await page.context().setOffline(false)
  await page.getByText('The site does not answer, so this picture').waitFor()

  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  await page.keyboard.press('ArrowRight')
  await page.getByText('The site does not answer. The show continues').waitFor()
  await page.unroute('**/1.jpg')
  await page.unroute('**/healthz')
  await untilShown(page, '/1.jpg')
  await page.getByText('The site does not answer.').waitFor({ state: 'detached' })
})

test('a part that was lost with the network gets a message, and loads after a reload', async () => {
  const id = await world.makeManual(ana, numbered(2, { durationMs: 900 }))
  const { page } = await world.visit(ana)
  // Some browsers request a lost script again, others do not.
  let isLost = true
  await page.route(/end-card-/, (route) => (isLost ? route.abort() : route.continue()))
  await page.goto(`/play/${id}`)
  const again = page.getByRole('button', { name: 'Reload' })
  await again.waitFor()
  isLost = false
  await again.click()
  await page.getByRole('heading', { name: 'That was the last slide.' }).waitFor()
})

test('a request that hung during an outage is sent again once the network is back', async () => {
  const id = await world.makeManual(ana, numbered(4, { durationMs: 700 }))
  const { page } = await world.visit(ana)
  let asked = 0
  // The first request for this picture neither succeeds nor fails.
  await page.route(/\/2\.jpg/, (route) => (++asked === 1 ? undefined : route.continue()))
  await page.goto(`/play/${id}`)
  await untilShown(page, '/1.jpg')
  await expect.poll(() => asked).toBe(1)
  await page.context().setOffline(true)
  await page.getByText('This device has no network.').waitFor()
  await page.context().setOffline(false)
  await untilShown(page, '/3.jpg')
  expect(await page.getByText('could not be shown').count()).toBe(0)
})

test('animations play for their time, and a video to its end', async () => {
  world.site.put('/moves.gif', { type: 'image/gif', bytes: await animation('gif') })
  const film = await makeFilm({ format: 'webm', frames: 45 })
  world.site.put('/film.webm', { type: 'video/webm', bytes: film })
  const id = await world.makeManual(ana, [
    { path: '/moves.gif', durationMs: 500 },
    { path: '/film.webm' },
    { path: '/0.jpg', durationMs: stays },
  ])
  const { page } = await world.visit(ana)
  await page.goto(`/play/${id}`)
  await untilShown(page, '/film.webm')
  const ended = page.evaluate(
    () =>
      new Promise((resolve) => {
        const video = document.querySelector('.player-frame.is-shown video')
        if (!(video instanceof HTMLVideoElement)) return resolve('no video')
        video.addEventListener('ended', () => resolve(video.currentTime >= video.duration - 0.05))
      }),
  )
  expect(await ended).toBe(true)
  await untilShown(page, '/0.jpg')
})

/** Runs in the page. Records the properties and the duration of each animation of the stage. */
function recordAnimations() {
  const recorded: { properties: string[]; ms: number }[] = []
  Object.assign(window, { recorded })
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its element below
  const animate = Element.prototype.animate
  Element.prototype.animate = function (keyframes, options) {
    if (this.classList.contains('player-frame') && Array.isArray(keyframes)) {
      const names = keyframes.flatMap((frame) => Object.keys(frame))
      const properties = [...new Set(names)].filter((one) => one !== 'offset' && one !== 'easing')
      recorded.push({ properties, ms: typeof options === 'object' ? Number(options.duration) : 0 })
    }
    return animate.call(this, keyframes, options)
  }
}

async function brightestValue(png: Buffer): Promise<number> {
  const values = await sharp(png).removeAlpha().raw().toBuffer()
  return values.reduce((max, value) => Math.max(max, value), 0)
}

/** Follows the requests for scripts. Some parts of the player load only after its first picture. */
function followScripts(page: Page) {
  const asked = new Set<string>()
  const missing = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() !== 'script') return
    asked.add(request.url())
    missing.add(request.url())
  })
  page.on('requestfinished', (request) => void missing.delete(request.url()))
  return {
    hasAll: (...parts: string[]) =>
      missing.size === 0 &&
      parts.every((part) => [...asked].some((url) => url.includes(`/${part}-`))),
  }
}
