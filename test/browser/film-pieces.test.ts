/** HLS films in a real Chromium: they play wherever slides do, and hostile ones are skipped. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { pictures } from '../support/fake-feed.ts'
import { makeFilmInPieces, openFilmHost, textOf } from '../support/film-in-pieces.ts'
import type { PlayerWorld } from '../support/player-world.ts'
import { createPlayerWorld, untilShown } from '../support/player-world.ts'
import type { Person } from '../support/world.ts'

type Film = ReadonlyMap<string, Buffer | 'endless'>

let host: Awaited<ReturnType<typeof openFilmHost>>
/** A host that no setting names. */
let other: Awaited<ReturnType<typeof openFilmHost>>
let world: PlayerWorld
let ana: Person
let good: Film
let count = 0

beforeAll(async () => {
  host = await openFilmHost()
  other = await openFilmHost()
  good = await makeFilmInPieces(2)
  other.put('film', good)
  world = await createPlayerWorld({
    FEEDS: 'demo,bluesky',
    BLUESKY_URL: host.origin,
  })
  ana = await world.as('ana')
})

afterEach(async () => {
  await Promise.all(world.browser.contexts().map((context) => context.close()))
})

afterAll(async () => {
  await world?.close()
  host?.close()
  other?.close()
})

/** Makes a session of a film and a picture. */
async function makeSession(film: Film): Promise<number> {
  const name = `film${(count += 1)}`
  const [first, second] = pictures('films', 2)
  if (!first || !second) throw new Error('no posts')
  world.feed.put('films', [
    {
      ...first,
      type: 'video',
      mediaUrl: host.put(name, film),
      thumbnail: world.site.url('/9.jpg'),
    },
    { ...second, mediaUrl: world.site.url('/0.jpg'), thumbnail: null },
  ])
  return world.makeFilled(ana, 1, { subfeeds: 'films', intervalMin: 60, intervalMax: 60 })
}

/** Makes the browser claim that it plays no HLS itself. */
async function playsNone(page: Page): Promise<void> {
  await page.addInitScript(() => {
    HTMLMediaElement.prototype.canPlayType = () => ''
  })
}

async function untilItRuns(page: Page): Promise<void> {
  const film = page.locator('.player-frame.is-shown video').last()
  await film.waitFor({ state: 'attached' })
  await expect
    .poll(() => film.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0.2)
}

describe('a film in pieces', () => {
  test('plays to its end in the show, and its player code is loaded only then', async () => {
    const id = await makeSession(good)
    const { page, errors } = await world.visit(ana)
    await playsNone(page)
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
    await page.goto(`/play/${id}`)
    await untilItRuns(page)
    await untilShown(page, '/0.jpg')
    expect(scripts.some((path) => /\/hls/.test(path))).toBe(true)
    expect(host.asked).toContain(`/film${count}/piece1.m4s`)
    expect(errors).toEqual([])

    const pictured = await world.makeFilled(ana, 2)
    scripts.length = 0
    await page.goto(`/play/${pictured}`)
    await untilShown(page, '/0.jpg')
    expect(scripts.filter((path) => /hls|film-pieces/.test(path))).toEqual([])
  })

  test('plays in a browser that supports it natively', async () => {
    const id = await makeSession(good)
    const { page } = await world.visit(ana)
    await page.goto(`/play/${id}`)
    await untilItRuns(page)
    await untilShown(page, '/0.jpg')
  })

  test('plays for visitors, by a link and on other sites, and in the editor', async () => {
    const id = await makeSession(good)
    const params = { id: String(id) }
    const { shareCode } = await ana.sharing.shareSession({ params, body: { access: 'anyone' } })
    const visitor = await world.visit(null)
    await playsNone(visitor.page)
    for (const path of [`/shared/${shareCode}/play`, `/embed/${shareCode}`]) {
      await visitor.page.goto(path)
      const begin = visitor.page.getByRole('button', { name: 'Play', exact: true })
      if (path.startsWith('/embed/')) await begin.click()
      await untilItRuns(visitor.page)
    }
    const { page, errors } = await world.visit(ana)
    await playsNone(page)
    await page.goto(`/sessions/${id}/edit`)
    await page.getByRole('button', { name: 'Play the film' }).click()
    await expect
      .poll(() =>
        page
          .locator('video')
          .first()
          .evaluate((film: HTMLVideoElement) => film.currentTime),
      )
      .toBeGreaterThan(0.2)
    expect(errors).toEqual([])
  })
})

test('a film in pieces plays on the screens of a room and on a frame', async () => {
  const id = await makeSession(good)
  const { room } = await ana.rooms.open({ body: { sessionId: id, loop: true } })
  const { frameUrl } = await ana.frames.create({ body: { name: 'Hall', sessionIds: [id] } })
  const { page, errors } = await world.visit(null)
  await playsNone(page)
  await page.goto(`/tv/${room.code}`)
  await ana.rooms.command({ params: { code: room.code }, body: { command: 'play' } })
  await untilItRuns(page)
  await page.goto(new URL(frameUrl, world.url).pathname)
  await untilItRuns(page)
  expect(errors).toEqual([])
})

describe('a playlist that', () => {
  const elsewhere = () => `${other.origin}/film`
  const hostile: Record<string, () => Record<string, Buffer | 'endless'>> = {
    'leads to another host for its kinds': () => ({
      'playlist.m3u8': textOf('#EXT-X-STREAM-INF:BANDWIDTH=1', `${elsewhere()}/pieces.m3u8`),
    }),
    'leads to another host for its pieces': () => ({
      'pieces.m3u8': ended(`#EXT-X-MAP:URI="${elsewhere()}/head.mp4"`, '#EXTINF:1,', 'piece0.m4s'),
    }),
    'leads to another host for a key': () => ({
      'pieces.m3u8': ended(
        '#EXT-X-MAP:URI="head.mp4"',
        `#EXT-X-KEY:METHOD=AES-128,URI="${elsewhere()}/key"`,
        '#EXTINF:1,',
        'piece0.m4s',
      ),
    }),
    'names itself': () => ({
      'pieces.m3u8': textOf('#EXT-X-STREAM-INF:BANDWIDTH=1', 'pieces.m3u8'),
    }),
    'has no end': () => ({
      'pieces.m3u8': textOf(
        '#EXT-X-TARGETDURATION:1',
        '#EXT-X-MAP:URI="head.mp4"',
        '#EXTINF:1,',
        'piece0.m4s',
      ),
    }),
    'is sent without end': () => ({ 'playlist.m3u8': 'endless' }),
    'is none': () => ({ 'playlist.m3u8': Buffer.from('<!doctype html><title>Hello</title>') }),
  }

  test.each(Object.keys(hostile))(
    '%s is skipped, and no other address is requested',
    async (kind) => {
      const before = other.asked.length
      const changed = Object.entries(hostile[kind]?.() ?? {})
      const id = await makeSession(new Map([...good, ...changed]))
      const { page } = await world.visit(ana)
      await playsNone(page)
      await page.goto(`/play/${id}`)
      await untilShown(page, '/0.jpg')
      expect(other.asked).toHaveLength(before)
    },
  )
})

function ended(...lines: readonly string[]): Buffer {
  return textOf('#EXT-X-TARGETDURATION:1', ...lines, '#EXT-X-ENDLIST')
}
