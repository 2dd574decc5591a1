/** Animations through the API: frames, durations, text, refusals and prices. */
import { describe, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import type { PictureWorld } from '../support/picture-world.ts'
import { createPictureWorld } from '../support/picture-world.ts'
import {
  blue,
  clear,
  colourAt,
  dataUri,
  green,
  isAbout,
  noise,
  pixelsOf,
  plain,
  red,
  signpost,
} from '../support/pictures.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: PictureWorld
let ana: Person
let pictures: string[]

useWorld(createPictureWorld, async (fresh) => {
  world = fresh
  const drawn = [
    await plain(300, 200, red),
    await plain(200, 300, green),
    await plain(256, 256, blue),
  ]
  pictures = drawn.map((bytes) => dataUri(bytes))
  ana = await world.rich('ana')
})

type Body = Parameters<Person['images']['animate']>[0]['body']

const animate = (change: Partial<Body> = {}, headers: Record<string, string> = {}) =>
  ana.images.animate({
    body: { imageUrls: pictures, frameMs: 200, effect: 'cut', size: 128, format: 'gif', ...change },
    headers,
  })

async function framesOf(url: string) {
  const bytes = await world.bytesAt(url)
  const {
    pages = 1,
    delay = [],
    loop,
    format,
    pageHeight,
    width,
  } = await sharp(bytes, {
    animated: true,
  }).metadata()
  // Each frame can be decoded without the others.
  const frames = await Promise.all(
    Array.from({ length: pages }, (_, page) => pixelsOf(bytes, page)),
  )
  return { frames, delay, loop, format, width, pageHeight }
}

describe.each(['gif', 'webp'] as const)('%s', (format) => {
  test('a cut shows each picture for the requested time, in an endless loop', async () => {
    const made = await animate({ format })
    expect(made).toEqual({
      success: true,
      imageUrl: expect.stringMatching(new RegExp(`/Temporary/[^/]+\\.${format}\\?s=`)),
      frames: 3,
      durationMs: 600,
      dimensions: { width: 128, height: 128 },
    })
    const seen = await framesOf(made.imageUrl)
    expect(seen).toMatchObject({ delay: [200, 200, 200], loop: 0, format, width: 128 })
    expect(seen.pageHeight).toBe(128)
    expect(seen.frames.map((frame) => colourAt(frame, 64, 64))).toEqual(['red', 'green', 'blue'])
  })

  test('a crossfade shows the frames between two pictures', async () => {
    const made = await animate({ format, effect: 'crossfade', imageUrls: pictures.slice(0, 2) })
    const { frames, delay } = await framesOf(made.imageUrl)
    expect([made.frames, made.durationMs]).toEqual([frames.length, 400])
    expect(delay.reduce((sum, ms) => sum + ms, 0)).toBe(400)
    expect(frames).toHaveLength(6)
    expect(delay).toEqual([100, 50, 50, 100, 50, 50])
    const middle = (share: number) =>
      red.map((value, channel) => value + (green[channel]! - value) * share)
    for (const [place, share] of [0, 1 / 3, 2 / 3, 1, 2 / 3, 1 / 3].entries()) {
      const [r, g, b] = middle(share) as [number, number, number]
      expect(isAbout(frames[place]!.at(64, 64), [r, g, b], 20), `frame ${place}`).toBe(true)
    }
  })

  test('a zoom goes towards the middle', async () => {
    const post = dataUri(await signpost(256, 256, { format: 'png' }))
    const imageUrls = [post, pictures[2]!]
    const made = await animate({ format, effect: 'zoom', imageUrls, frameMs: 400 })
    const { frames } = await framesOf(made.imageUrl)
    expect(made).toMatchObject({ frames: frames.length, durationMs: 800 })
    // The colours meet in the middle in every frame.
    for (const frame of frames.slice(0, made.frames / 2)) {
      expect(colourAt(frame, 40, 40)).toBe('red')
      expect(colourAt(frame, 88, 40)).toBe('green')
      expect(colourAt(frame, 40, 88)).toBe('blue')
    }
  })

  test('a zoom of a picture with details has all its frames', async () => {
    const imageUrls = [1, 2].map((seed) => noise(200, 200, 'png', seed))
    const made = await animate({
      format,
      effect: 'zoom',
      imageUrls: (await Promise.all(imageUrls)).map((bytes) => dataUri(bytes)),
      frameMs: 400,
    })
    expect(made).toMatchObject({ frames: 10, durationMs: 800 })
    expect((await framesOf(made.imageUrl)).delay).toEqual(Array.from({ length: 10 }, () => 80))
  })

  test('frame times that the format cannot store are rounded, and the response reports them', async () => {
    const made = await animate({ format, frameMs: 45 })
    const { delay } = await framesOf(made.imageUrl)
    const total = delay.reduce((sum, ms) => sum + ms, 0)
    expect(made.durationMs).toBe(total)
    expect(Math.abs(total - 135)).toBeLessThanOrEqual(5)
  })

  test('equal consecutive pictures are shown for their full time', async () => {
    const made = await animate({ format, imageUrls: [pictures[0]!, pictures[0]!, pictures[1]!] })
    const { frames, delay } = await framesOf(made.imageUrl)
    expect([made.frames, made.durationMs]).toEqual([frames.length, 600])
    expect(delay.reduce((sum, ms) => sum + ms, 0)).toBe(600)
  })

  test.each(['cut', 'crossfade', 'zoom'] as const)(
    'a %s without any movement is refused',
    async (effect) => {
      const before = await world.balanceOf(ana)
      const same = [pictures[0]!, pictures[0]!]
      const answer = await refused(animate({ format, effect, imageUrls: same, frameMs: 80 }))
      expect([answer.status, answer.body]).toMatchObject([
        400,
        {
          code: 'INVALID_INPUT',
          message: 'The animation would not move: all pictures are the same',
        },
      ])
      expect(await world.balanceOf(ana)).toBe(before)
      expect(await world.ownKeys()).toEqual([])
    },
  )
})

test('text is visible in every frame, together with the pictures', async () => {
  const made = await animate({ text: 'Look & <b>listen</b>', size: 256 })
  const without = await animate({ size: 256 })
  const { frames } = await framesOf(made.imageUrl)
  const bare = (await framesOf(without.imageUrl)).frames
  expect(frames.map((frame) => colourAt(frame, 128, 40))).toEqual(['red', 'green', 'blue'])
  for (const [place, frame] of frames.entries()) {
    const bright = (data: Buffer) => data.filter((_, n) => n % 4 === 1 && data[n]! > 235).length
    expect(bright(frame.data) - bright(bare[place]!.data)).toBeGreaterThan(300)
  }
})

test('transparent parts are black, and rotated pictures are upright', async () => {
  const half = dataUri(await clear(300, 300, [200, 0, 0], 0.5))
  const turned = dataUri(await signpost(300, 400, { orientation: 8 }), 'image/jpeg')
  const made = await animate({ imageUrls: [half, turned], format: 'webp', size: 300 })
  const { frames } = await framesOf(made.imageUrl)
  expect(isAbout(frames[0]!.at(150, 150), [100, 0, 0], 15)).toBe(true)
  expect([colourAt(frames[1]!, 20, 20), colourAt(frames[1]!, 280, 20)]).toEqual(['red', 'green'])
})

test('twenty-four pictures of mixed kinds and addresses', async () => {
  const photo = world.publish('/photo.jpg', await noise(500, 400))
  const imageUrls = Array.from({ length: 24 }, (_, n) => (n % 4 === 0 ? photo : pictures[n % 3]!))
  const made = await animate({ imageUrls, effect: 'crossfade', frameMs: 100 })
  expect([made.frames, made.durationMs]).toEqual([48, 2400])
})

test('it is saved to the vault on request, and can be saved later', async () => {
  const kept = await animate({ saveToVault: true })
  expect(kept.imageUrl).toMatch(/\/HypnoCocks\/[^/]+\.gif\?s=/)
  const made = await animate({ format: 'webp' })
  const saved = await ana.images.save({ body: { imageUrl: made.imageUrl } })
  const { files } = await ana.vault.list()
  expect(files.toSorted((one, other) => one.id - other.id)).toMatchObject([
    { id: kept.mediaId, name: 'Animation', category: 'hypnococks', type: 'gif', durationMs: 600 },
    { id: saved.mediaId, category: 'hypnococks', width: 128, height: 128, durationMs: 600 },
  ])
})

test('it costs 25 once, even if it is repeated, and stores its sources', async () => {
  const before = await world.balanceOf(ana)
  const uploaded = await ana.images.uploadFirst({
    form: { image: new Blob([new Uint8Array(await plain(300, 300, red))]) },
  })
  const imageUrls = [uploaded.imageUrl, pictures[1]!]
  const headers = { 'idempotency-key': 'one-animation' }
  const made = await animate({ imageUrls }, headers)
  expect(await animate({ imageUrls }, headers)).toEqual(made)
  expect(await world.balanceOf(ana)).toBe(before - 25)
  expect(await world.originsOf(made.imageUrl)).toEqual([world.fileAt(uploaded.imageUrl).key])
})

describe('what is refused, and costs nothing', () => {
  test.each([
    ['one picture', { imageUrls: ['x'] }, /imageUrls must have at least 2/],
    ['too many', { imageUrls: Array.from({ length: 25 }, () => 'x') }, /at most 24/],
    ['too fast', { frameMs: 39 }, /frameMs must be at least 40/],
    ['too slow', { frameMs: 2001 }, /frameMs must be at most 2000/],
    ['too small', { size: 127 }, /size must be at least 128/],
    ['too large', { size: 1025 }, /size must be at most 1024/],
    ['too many words', { text: 'x'.repeat(201) }, /text must have at most 200/],
    ['an unknown effect', { effect: 'spin' as 'cut' }, /effect must be one of/],
    ['an unknown format', { format: 'mp4' as 'gif' }, /format must be one of/],
  ])('%s', async (_, change, words) => {
    const before = await world.balanceOf(ana)
    const answer = await refused(animate(change))
    expect([answer.status, answer.message]).toEqual([400, expect.stringMatching(words)])
    expect(await world.balanceOf(ana)).toBe(before)
  })

  test.each([
    ['words that do not fit', 'W'.repeat(200), 'The text is too long for the picture'],
    ['words that the font lacks', '你好', 'The text has characters that cannot be drawn'],
  ])('%s', async (_, text, message) => {
    const before = await world.balanceOf(ana)
    const answer = await refused(animate({ text }))
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'INVALID_INPUT', message }])
    expect(await world.balanceOf(ana)).toBe(before)
  })

  test('an unreadable picture, and one that is too large, are named by their number', async () => {
    const before = await world.balanceOf(ana)
    const cut = dataUri((await noise(300, 300)).subarray(0, 30_000))
    const broken = await refused(animate({ imageUrls: [...pictures, cut] }))
    expect([broken.status, broken.body]).toMatchObject([
      400,
      { code: 'INVALID_INPUT', message: 'Picture 4 is damaged and cannot be read' },
    ])
    const huge = world.publish('/huge', Buffer.alloc(20 * 1_048_576 + 1))
    const large = await refused(animate({ imageUrls: [pictures[0]!, huge] }))
    expect([large.status, large.body]).toMatchObject([
      413,
      { code: 'FILE_TOO_LARGE', message: 'Picture 2 is larger than 20 MB' },
    ])
    expect(await world.balanceOf(ana)).toBe(before)
    expect(await world.ownKeys()).toEqual([])
  })
})
