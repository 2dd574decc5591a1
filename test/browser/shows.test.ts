/** Promises of every show, in the player and on a frame: films play on, and orders differ. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { PlayerWorld, SlideWish } from '../support/player-world.ts'
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

let world: PlayerWorld
let ana: Person

beforeAll(async () => {
  world = await createPlayerWorld({ CAPTION_PROVIDER: 'demo' })
  ana = await world.as('ana')
  const film = await makeFilm({ format: 'webm', frames: 30 })
  world.site.put('/film.webm', { type: 'video/webm', bytes: film })
  const long = await makeFilm({ format: 'webm', frames: 240 })
  world.site.put('/long.webm', { type: 'video/webm', bytes: long })
})

afterEach(async () => {
  await Promise.all(world.browser.contexts().map((context) => context.close()))
})

afterAll(async () => {
  await world?.close()
})

type Setup = { prefer?: Record<string, unknown>; prepare?: (page: Page) => Promise<unknown> }

async function openPlayer(slides: readonly SlideWish[], { prefer = {}, prepare }: Setup = {}) {
  const id = await world.makeManual(ana, slides, { transition: 'none' })
  const { page } = await world.visit(ana)
  await page.addInitScript(
    (kept) => localStorage.setItem('lanternist:player', kept),
    JSON.stringify(prefer),
  )
  await prepare?.(page)
  await page.goto(`/play/${id}`)
  return { page, id }
}

async function openWall(
  slides: readonly SlideWish[],
  settings: { intervalSeconds: number; shuffle?: boolean },
  prepare?: (page: Page) => Promise<unknown>,
) {
  const id = await world.makeManual(ana, slides)
  const body = {
    name: 'Hall',
    sessionIds: [id],
    settings: { transition: 'none' as const, ...settings },
  }
  const { frameUrl } = await ana.frames.create({ body })
  const { page } = await world.visit(null)
  await page.clock.install()
  await prepare?.(page)
  await page.goto(new URL(frameUrl).pathname)
  return page
}

/** Counts how often a film starts from its beginning. */
function countBeginnings(page: Page) {
  return page.addInitScript(() => {
    Object.assign(window, { beginnings: 0 })
    const count = ({ target }: Event) => {
      if (!(target instanceof HTMLVideoElement) || target.currentTime > 0.5) return
      Object.assign(window, { beginnings: Number(Reflect.get(window, 'beginnings')) + 1 })
    }
    document.addEventListener('playing', count, true)
  })
}

const beginnings = (page: Page) => page.evaluate<number>('window.beginnings')

test('a single looping film starts again and again', async () => {
  const { page } = await openPlayer([{ path: '/film.webm' }], {
    prefer: { isLooping: true },
    prepare: countBeginnings,
  })
  await expect.poll(() => beginnings(page)).toBeGreaterThan(2)
})

test('a single film starts again when it is played again', async () => {
  const { page } = await openPlayer([{ path: '/film.webm' }], { prepare: countBeginnings })
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  const before = await beginnings(page)
  await page.getByRole('button', { name: 'Play again' }).click()
  await expect.poll(() => beginnings(page)).toBeGreaterThan(before)
})

test('“previous” at the first slide restarts its film', async () => {
  const { page } = await openPlayer([{ path: '/long.webm' }, { path: '/0.jpg' }])
  await untilShown(page, '/long.webm')
  const film = page.locator('.player-frame.is-shown video')
  const timeS = () => film.evaluate((video: HTMLVideoElement) => video.currentTime)
  await expect.poll(timeS).toBeGreaterThan(0.2)
  await page.keyboard.press(' ')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(timeS).toBe(0)
})

/** Makes every film refuse to play, with or without sound, as a phone in battery-saving mode does. */
function refuseFilms(page: Page) {
  return page.addInitScript(() => {
    HTMLMediaElement.prototype.play = () =>
      Promise.reject(new DOMException('not now', 'NotAllowedError'))
  })
}

/** Makes films claim that they play, while they never move. */
function stallFilms(page: Page) {
  return page.addInitScript(() => {
    HTMLMediaElement.prototype.play = function () {
      Object.defineProperty(this, 'paused', { value: false, configurable: true })
      this.dispatchEvent(new Event('play'))
      return Promise.resolve()
    }
  })
}

/**
 * Advances the page's clock until `path` is shown. A timer may start only after a step, so it takes many
 * steps.
 */
async function passTimeUntilShown(page: Page, path: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(1000)
      return shownPath(page)
    })
    .toBe(path)
}

const filmThenPicture = [{ path: '/film.webm' }, { path: '/0.jpg', durationMs: stays }]

test('a film that a browser refuses to play is shown as a picture, and the show goes on', async () => {
  const { page } = await openPlayer(filmThenPicture, {
    prepare: async (opened) => {
      await refuseFilms(opened)
      await opened.clock.install()
    },
  })
  await untilShown(page, '/film.webm')
  await passTimeUntilShown(page, '/0.jpg')
  expect(await page.getByText('could not be shown').count()).toBe(0)
})

test('a film that stalls is skipped, and the show continues', async () => {
  const { page } = await openPlayer(filmThenPicture, {
    prepare: async (opened) => {
      await stallFilms(opened)
      await opened.clock.install()
    },
  })
  await untilShown(page, '/film.webm')
  await passTimeUntilShown(page, '/0.jpg')
  await page.getByText('Slide 1 could not be shown').waitFor()
})

test.each([
  ['refuses to play', refuseFilms],
  ['stalls on', stallFilms],
])('a wall continues after a film that its browser %s', async (_, prepare) => {
  const page = await openWall(filmThenPicture, { intervalSeconds: 5 }, prepare)
  await untilShown(page, '/film.webm')
  await passTimeUntilShown(page, '/0.jpg')
})

test('a room of one film in a loop plays it again and again', async () => {
  const settings = { intervalMin: 1, intervalMax: 1, transition: 'none' }
  const id = await world.makeManual(ana, [{ path: '/film.webm' }], settings)
  const { room } = await ana.rooms.open({ body: { sessionId: id, loop: true } })
  await ana.rooms.command({ params: { code: room.code }, body: { command: 'play' } })
  const { page } = await world.visit(null)
  await countBeginnings(page)
  await page.goto(`/tv/${room.code}`)
  await expect.poll(() => beginnings(page)).toBeGreaterThan(2)
})

test('a wall loads its next picture while one is shown', async () => {
  const asked: string[] = []
  const page = await openWall(numbered(3), { intervalSeconds: 60 }, async (opened) => {
    opened.on('request', (request) => asked.push(new URL(request.url()).pathname))
  })
  await untilShown(page, '/0.jpg')
  await expect.poll(() => asked).toContain('/1.jpg')
})

test('a shuffled session has another order each time that it is played', async () => {
  const { page, id } = await openPlayer(numbered(12, { durationMs: stays }), {
    prefer: { isShuffled: true },
    prepare: (opened) => opened.emulateMedia({ reducedMotion: 'reduce' }),
  })
  const readOrder = async () => {
    const order: string[] = []
    for (let slide = 1; slide <= 12; slide += 1) {
      await page.getByTestId('spoken').getByText(`Slide ${slide} of 12`).waitFor()
      const picture = page.locator('.player-frame.is-shown img').last()
      order.push((await picture.getAttribute('src')) ?? '')
      await page.keyboard.press('ArrowRight')
    }
    return order
  }
  const first = await readOrder()
  await page.goto(`/play/${id}`)
  const second = await readOrder()
  expect(second.toSorted()).toEqual(first.toSorted())
  expect(second).not.toEqual(first)
})

test('a shuffled wall has another order each time that it is loaded', async () => {
  const page = await openWall(numbered(12), { intervalSeconds: 3, shuffle: true })
  const readOrder = async (): Promise<string[]> => {
    const shown = await recordShown(page)
    await page.reload()
    for (let count = 1; count <= 12; count += 1) {
      await expect.poll(async () => (await shown()).length).toBeGreaterThanOrEqual(count)
      await page.clock.runFor(3000)
    }
    return (await shown()).slice(0, 12)
  }
  const first = await readOrder()
  const second = await readOrder()
  expect(new Set(first).size).toBe(12)
  expect(second).not.toEqual(first)
})

test('signing out removes captions and last positions from the device', async () => {
  const id = await world.makeFilled(ana, 3, { intervalMin: 60, intervalMax: 60 })
  const { page } = await world.visit(ana)
  await page.goto(`/play/${id}`)
  await page.locator('.burnt-words').waitFor()
  await page.keyboard.press('ArrowRight')
  await untilShown(page, '/1.jpg')
  const kept = () => page.evaluate(() => Object.keys(localStorage).join(' '))
  await expect.poll(kept).toMatch(/lanternist:caption:.*lanternist:places|places.*caption/s)
  await page.goto('/account')
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/\/login/)
  expect(await kept()).not.toMatch(/caption|places/)
})
