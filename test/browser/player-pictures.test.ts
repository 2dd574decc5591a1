/** The pictures of a show: no larger than the screen, few decoded at a time, and sharp. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import { animation } from '../support/caption-world.ts'
import type { PlayerWorld } from '../support/player-world.ts'
import {
  createPlayerWorld,
  numbered,
  shownPath,
  stays,
  stopTimers,
  untilShown,
  withoutDelay,
} from '../support/player-world.ts'
import type { Person } from '../support/world.ts'

const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  hasTouch: true,
  isMobile: true,
}
const camera = { width: 6000, height: 4000 }
const upright = { width: 4000, height: 6000 }
const widths = [320, 640, 1280, 1920]

let world: PlayerWorld
let ana: Person

beforeAll(async () => {
  world = await createPlayerWorld()
  ana = await world.as('ana')
  for (const [name, size] of [
    ['camera', camera],
    ['upright', upright],
  ] as const) {
    const picture = await grain({ width: 1920, height: (1920 * size.height) / size.width })
    const files = await Promise.all(
      widths.map((width) => sharp(picture).resize(width).webp().toBuffer()),
    )
    for (const number of [0, 1, 2, 3]) {
      // Only the address of the original matters. The browser does not have to decode 24 megapixels.
      const original = await sharp(files[1]).jpeg().toBuffer()
      world.site.put(`/${name}-${number}.jpg`, { type: 'image/jpeg', bytes: original })
      widths.forEach((width, at) => {
        const bytes = files[at] ?? Buffer.alloc(0)
        world.site.put(sizePath(name, number, width), { type: 'image/webp', bytes })
      })
    }
  }
})

afterEach(async () => {
  await Promise.all(world.browser.contexts().map((context) => context.close()))
})

afterAll(async () => {
  await world?.close()
})

function sizePath(name: string, number: number, width: number): string {
  return `/${name}-${number}-${width}.webp`
}

/**
 * Makes a picture of noise, like a photograph of a rough wall, so that it does not compress to almost
 * nothing.
 */
function grain({ width, height }: { width: number; height: number }): Promise<Buffer> {
  return sharp({
    create: { width, height, channels: 3, background: 'grey', noise: gaussian },
  })
    .blur(1)
    .jpeg({ quality: 90 })
    .toBuffer()
}

const gaussian = { type: 'gaussian', mean: 128, sigma: 60 } as const

/** Opens a session of four large pictures. Their sizes are set as the service does for its own pictures. */
async function openLarge(
  name: 'camera' | 'upright',
  options: Parameters<PlayerWorld['visit']>[1],
  change: Record<string, unknown> = {},
  prepare: (page: Page) => Promise<void> = async () => {},
) {
  const slides = [0, 1, 2, 3].map((number) => ({
    path: `/${name}-${number}.jpg`,
    durationMs: stays,
  }))
  const id = await world.makeManual(ana, slides, { transition: 'fade' })
  const { page } = await world.visit(ana, options)
  await page.route(`**/api/sessions/${id}`, async (route) => {
    const response = await route.fetch()
    const read = (await response.json()) as { media: { order: number }[] }
    const media = read.media.map((slide) => ({
      ...slide,
      ...(name === 'camera' ? camera : upright),
      sizes: Object.fromEntries(
        widths.map((width) => [width, world.site.url(sizePath(name, slide.order, width))]),
      ),
      ...change,
    }))
    await route.fulfill({ response, json: { ...read, media } })
  })
  const loaded = await watch(page)
  await prepare(page)
  await page.goto(`/play/${id}`)
  return { page, loaded }
}

const decodedPaths = (page: Page) => page.evaluate<string[]>('window.decodedPaths')

const twoFrames = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
  })

/** Records the loaded pictures of the site, and how many are decoded at the same time. */
async function watch(page: Page) {
  const paths: string[] = []
  let bytes = 0
  page.on('response', async (response) => {
    const { pathname, host } = new URL(response.url())
    if (host !== world.site.host) return
    paths.push(pathname)
    bytes += (await response.body().catch(() => Buffer.alloc(0))).length
  })
  await page.addInitScript(() => {
    const decoded = new Set<HTMLImageElement>()
    const decodedPaths: string[] = []
    Object.assign(window, { maxDecoded: 0, decodedPaths })
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its element below
    const { decode } = HTMLImageElement.prototype
    HTMLImageElement.prototype.decode = function () {
      decoded.add(this)
      decodedPaths.push(new URL(this.src).pathname)
      const held = [...decoded].filter((picture) => picture.hasAttribute('src')).length
      const max = Math.max(Number(Reflect.get(window, 'maxDecoded')), held)
      Object.assign(window, { maxDecoded: max })
      return decode.call(this)
    }
  })
  return { paths, bytes: () => bytes }
}

test('four pictures of 24 megapixels cost a phone 1.5 MB at most, and three are decoded at a time', async () => {
  const { page, loaded } = await openLarge('camera', phone, {}, (opened) => opened.clock.install())
  for (const number of [0, 1, 2, 3]) {
    await untilShown(page, `/camera-${number}-1280.webp`)
    if (number < 3) await withoutDelay(page, () => page.touchscreen.tap(350, 400))
  }
  expect(loaded.paths).toEqual([0, 1, 2, 3].map((number) => `/camera-${number}-1280.webp`))
  expect(loaded.bytes()).toBeLessThanOrEqual(1.5 * 1_048_576)
  expect(loaded.bytes()).toBeGreaterThan(100_000)
  expect(await page.evaluate<number>('window.maxDecoded')).toBeLessThanOrEqual(3)
})

test('zooming with two fingers loads the original', async () => {
  const { page, loaded } = await openLarge('camera', phone)
  await untilShown(page, '/camera-0-1280.webp')
  const devtools = await page.context().newCDPSession(page)
  const pinch = (type: 'touchStart' | 'touchMove', apartPx: number) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: [195 - apartPx, 195 + apartPx].map((x, id) => ({ x, y: 400, id })),
    })
  await pinch('touchStart', 30)
  for (const apartPx of [60, 90]) await pinch('touchMove', apartPx)
  await untilShown(page, '/camera-0.jpg')
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  expect(await scaleOf(page), 'it stays').toBe(3)
  expect(loaded.paths.filter((path) => path.endsWith('.jpg'))).toEqual(['/camera-0.jpg'])
})

test('pictures are chosen again when the screen grows, and stay when it shrinks', async () => {
  const grown = Promise.withResolvers<void>()
  const small = { viewport: { width: 700, height: 500 } }
  const { page } = await openLarge('camera', small, {}, async (opened) => {
    // The second picture is still loading when the window grows.
    await opened.route('**/camera-1-640.webp', async (route) => {
      await grown.promise
      await route.continue()
    })
  })
  await untilShown(page, '/camera-0-640.webp')
  await page.setViewportSize({ width: 1440, height: 900 })
  await untilShown(page, '/camera-0-1280.webp')
  grown.resolve()
  await page.keyboard.press('ArrowRight')
  await untilShown(page, '/camera-1-1280.webp')
  const decodedBefore = (await decodedPaths(page)).length
  await page.setViewportSize({ width: 700, height: 500 })
  await page.waitForFunction(() => innerWidth === 700)
  // The resize is observed at the end of an animation frame.
  await page.evaluate(twoFrames)
  expect((await decodedPaths(page)).slice(decodedBefore)).not.toContain('/camera-1-640.webp')
  expect(await shownPath(page)).toBe('/camera-1-1280.webp')
})

test('files are fetched further ahead than pictures are decoded', async () => {
  const id = await world.makeManual(ana, numbered(12, { durationMs: stays }))
  const { page } = await world.visit(ana)
  const { paths } = await watch(page)
  await page.goto(`/play/${id}`)
  await expect.poll(() => paths.toSorted()).toEqual(numbered(6).map(({ path }) => path))
  expect(await page.evaluate<number>('window.maxDecoded')).toBe(3)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => paths.toSorted()).toEqual(numbered(7).map(({ path }) => path))
})

test('a viewer who saves data gets no file in advance', async () => {
  const id = await world.makeManual(ana, numbered(12, { durationMs: stays }))
  const { page } = await world.visit(ana)
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })
  const { paths } = await watch(page)
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  await page.keyboard.press('ArrowRight')
  await untilShown(page, '/1.jpg')
  await expect.poll(() => paths).toContain('/3.jpg')
  expect(paths).toHaveLength(4)
})

test('an animation starts when it is shown, and is a still for viewers who prefer no motion', async () => {
  world.site.put('/moves.gif', { type: 'image/gif', bytes: await animation('gif') })
  const slides = [
    { path: '/0.jpg', durationMs: stays },
    { path: '/moves.gif', durationMs: stays },
  ]
  const id = await world.makeManual(ana, slides, { transition: 'none' })
  const open = async (options: Parameters<PlayerWorld['visit']>[1]) => {
    const { page } = await world.visit(ana, options)
    const { paths } = await watch(page)
    await page.goto(`/play/${id}`)
    await untilShown(page, '/0.jpg')
    await expect.poll(() => paths).toContain('/moves.gif')
    expect(await page.locator('img[src$="/moves.gif"]').count(), 'it waits off the page').toBe(0)
    await page.keyboard.press('ArrowRight')
    await untilShown(page, '/moves.gif')
    return page
  }
  const moving = await open({})
  expect(await moving.locator('.player-still').count()).toBe(0)
  const still = await open({ reducedMotion: 'reduce' })
  await still.locator('.is-shown .player-still').waitFor()
  const picture = still.locator('.is-shown img')
  expect(await picture.evaluate((image) => getComputedStyle(image).opacity)).toBe('0')
})

const scaleOf = (page: Page) =>
  page.getByTestId('stage').evaluate((stage) => new DOMMatrix(getComputedStyle(stage).transform).a)

test('the wheel enlarges what is under the mouse, and the picture can be moved', async () => {
  const { page } = await openLarge('camera', {})
  await untilShown(page, '/camera-0-1280.webp')
  await page.mouse.move(700, 400)
  await page.mouse.wheel(0, -400)
  await expect.poll(() => scaleOf(page)).toBeGreaterThan(2)
  await untilShown(page, '/camera-0.jpg')
  const left = () =>
    page.getByTestId('stage').evaluate((stage) => stage.getBoundingClientRect().left)
  const before = await left()
  await page.mouse.down()
  await page.mouse.move(600, 400, { steps: 4 })
  await page.mouse.up()
  await expect.poll(left).toBe(before - 100)
  expect(await page.getByRole('button', { name: 'Pause' }).count(), 'a drag is no click').toBe(1)
  await page.keyboard.press('ArrowRight')
  await untilShown(page, '/camera-1-1280.webp')
  await expect.poll(() => scaleOf(page)).toBe(1)
  await page.mouse.wheel(0, -400)
  await expect.poll(() => scaleOf(page)).toBeGreaterThan(2)
  await page.mouse.wheel(0, 900)
  await expect.poll(() => scaleOf(page)).toBe(1)
})

test('two taps in the middle enlarge the picture and pause the show until two more', async () => {
  const { page } = await openLarge('camera', phone, { durationMs: 60_000 })
  await page.clock.install()
  await page.reload()
  await untilShown(page, '/camera-0-1280.webp')
  await stopTimers(page)
  const tapTwice = async () => {
    for (const _ of [1, 2]) await page.touchscreen.tap(200, 400)
  }
  await tapTwice()
  await expect.poll(() => scaleOf(page)).toBe(2.5)
  await page.clock.runFor(120_000)
  await untilShown(page, '/camera-0.jpg')
  await tapTwice()
  await expect.poll(() => scaleOf(page)).toBe(1)
  await page.clock.runFor(60_000)
  await untilShown(page, '/camera-1-1280.webp')
})

test('a missing size falls back to the original', async () => {
  const gone = { sizes: { 1280: world.site.url('/gone.webp') } }
  const { page } = await openLarge('camera', {}, gone)
  await untilShown(page, '/camera-0.jpg')
  expect(await page.getByText('could not be shown').count()).toBe(0)
})

test('a picture with another shape than the screen is shown in front of a dim copy of itself', async () => {
  const wide = await openLarge('upright', {})
  const backdrop = wide.page.locator('.player-frame.is-shown canvas')
  await backdrop.waitFor()
  expect(await backdrop.evaluate((canvas) => Number(getComputedStyle(canvas).opacity))).toBe(0.35)
  const tall = await openLarge('upright', phone)
  await untilShown(tall.page, '/upright-0-1280.webp')
  expect(await tall.page.locator('canvas').count()).toBe(0)
  const across = await openLarge('camera', phone)
  await across.page.locator('.player-frame.is-shown canvas').waitFor()
  const lying = await openLarge('camera', {})
  await untilShown(lying.page, '/camera-0-1280.webp')
  expect(await lying.page.locator('canvas').count()).toBe(0)
})

test('a picture that fills the screen, and one that drifts, are centred on their focus', async () => {
  const { page } = await openLarge('upright', {}, { focus: { x: 0.75, y: 0.1 } })
  await page.locator('.player-frame.is-shown img').waitFor()
  const picture = page.locator('.player-frame.is-shown img')
  await page.keyboard.press('z')
  expect(
    await picture.evaluate((image) => {
      const { objectFit, objectPosition } = getComputedStyle(image)
      return [objectFit, objectPosition]
    }),
  ).toEqual(['cover', '75% 10%'])
  await page.keyboard.press('k')
  const ends = await picture.evaluate((image) => {
    const effect = image.getAnimations()[0]?.effect
    return effect instanceof KeyframeEffect
      ? effect.getKeyframes().map(({ transform }) => transform)
      : []
  })
  expect(ends[0]).toBe('translate(0%, 0%) scale(1)')
  const [x = 0, y = 0] = (String(ends[1]).match(/-?[\d.]+/g) ?? []).map(Number)
  expect([x < 0, y > 0]).toEqual([true, true])
})

test('a jump fades from the previous picture, not from black', async () => {
  const { page } = await openLarge('camera', {})
  await untilShown(page, '/camera-0-1280.webp')
  // Stops the fade, so that it does not end before the check.
  const tools = await page.context().newCDPSession(page)
  await tools.send('Animation.enable')
  await tools.send('Animation.setPlaybackRate', { playbackRate: 0 })
  await page.keyboard.press('End')
  await untilShown(page, '/camera-3-1280.webp')
  await expect.poll(() => page.locator('.player-frame.is-shown img[src]').count()).toBe(2)
})

test('a picture that is shown again while it leaves is visible again', async () => {
  const { page } = await openLarge('camera', {})
  await untilShown(page, '/camera-0-1280.webp')
  await page.waitForFunction(() => document.querySelectorAll('.player-frame img').length === 2)
  await page.evaluate(() => {
    for (const key of ['ArrowRight', 'ArrowLeft']) {
      document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    }
  })
  await page.getByText('slide 1 of 4', { exact: true }).waitFor()
  await untilShown(page, '/camera-0-1280.webp')
  await page.keyboard.press('ArrowRight')
  await untilShown(page, '/camera-1-1280.webp')
})
