/** Compositions through the API: accepted and refused input. */
import { describe, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import type { PictureWorld } from '../support/picture-world.ts'
import { compose, createPictureWorld, upload } from '../support/picture-world.ts'
import {
  blue,
  colourAt,
  dataUri,
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
let first: Buffer
let second: Buffer

const dayMs = 24 * 3_600_000

useWorld(createPictureWorld, async (fresh) => {
  world = fresh
  first = await plain(200, 400, red)
  second = await plain(300, 400, blue, 'jpeg')
  ana = await world.rich('ana')
})

type Change = Partial<Parameters<typeof compose>[1]>

/** Composes the same two pictures by default: 500 × 400, red and blue. */
const make = (person: Person, change: Change = {}, headers = {}) =>
  compose(person, { first: dataUri(first), second: dataUri(second), ...change }, headers)

describe('a composition', () => {
  test('is made from a data URI and an address, and is visible to everyone with its address', async () => {
    const made = await make(ana, { second: world.publish('/second.jpg', second) })
    expect(made).toEqual({
      success: true,
      imageUrl: expect.stringMatching(/^\/media\/user-media\/users\/[^/]+\/Temporary\/.*\.jpg\?s=/),
      layout: 'side-by-side',
      dimensions: { width: 500, height: 400 },
    })
    const pixels = await pixelsOf(await world.bytesAt(made.imageUrl))
    expect([pixels.width, pixels.height]).toEqual([500, 400])
    expect([colourAt(pixels, 5, 5), colourAt(pixels, 495, 395)]).toEqual(['red', 'blue'])
  })

  test.each([
    [[300, 400], [300, 500], 'auto', 'side-by-side'],
    [[300, 300], [400, 400], 'auto', 'side-by-side'],
    [[400, 300], [500, 300], 'auto', 'top-bottom'],
    [[400, 300], [300, 400], 'auto', 'side-by-side'],
    [[400, 300], [500, 300], 'side-by-side', 'side-by-side'],
    [[300, 400], [300, 500], 'top-bottom', 'top-bottom'],
  ] as const)('of %j and %j, %s, has the layout %s', async (one, other, layout, made) => {
    const answer = await make(ana, {
      first: dataUri(await plain(one[0], one[1], red)),
      second: dataUri(await plain(other[0], other[1], blue)),
      layout,
    })
    expect(answer.layout).toBe(made)
    const pixels = await pixelsOf(await world.bytesAt(answer.imageUrl))
    expect({ width: pixels.width, height: pixels.height }).toEqual(answer.dimensions)
    expect(colourAt(pixels, 3, 3)).toBe('red')
    expect(colourAt(pixels, pixels.width - 3, pixels.height - 3)).toBe('blue')
  })

  test('rotates a photograph upright and removes its metadata', async () => {
    const turned = await signpost(300, 400, { orientation: 6 })
    const made = await make(ana, { first: dataUri(turned, 'image/jpeg') })
    const bytes = await world.bytesAt(made.imageUrl)
    const pixels = await pixelsOf(bytes)
    expect(made.dimensions).toEqual({ width: 600, height: 400 })
    expect([colourAt(pixels, 10, 10), colourAt(pixels, 290, 10)]).toEqual(['red', 'green'])
    expect(await sharp(bytes).metadata()).not.toHaveProperty('exif')
  })

  test('of an animation with a rotated first page is upright', async () => {
    const pages = [await plain(400, 250, red), await plain(400, 250, blue)]
    const turned = await sharp(pages, { join: { animated: true } })
      .withMetadata({ orientation: 6 })
      .webp({ delay: [50, 50] })
      .toBuffer()
    const image = new Blob([new Uint8Array(turned)])
    const uploaded = await ana.images.uploadFirst({ form: { image } })
    expect(uploaded).toMatchObject({ width: 250, height: 400 })
    for (const address of [uploaded.imageUrl, dataUri(turned, 'image/webp')]) {
      const made = await make(ana, { first: address })
      expect(made).toMatchObject({ dimensions: { width: 550, height: 400 } })
    }
  })

  test('accepts the largest and the smallest sides', async () => {
    const made = await make(ana, {
      first: dataUri(await plain(4000, 4000, red, 'jpeg')),
      second: dataUri(await plain(200, 200, blue)),
    })
    expect(made.dimensions).toEqual({ width: 400, height: 200 })
  })

  test('is saved to the vault on request, with its record, for the same price', async () => {
    const before = await world.balanceOf(ana)
    const made = await make(ana, { saveToVault: true })
    expect(await world.balanceOf(ana)).toBe(before - 20)
    expect(made.imageUrl).toMatch(/\/Babecocks\/[^/]+\.jpg\?s=/)
    const { files, categories } = await ana.vault.list()
    expect(files).toHaveLength(1)
    expect(files[0]).toMatchObject({
      id: made.mediaId,
      name: 'Composition',
      category: 'babecock',
      width: 500,
      height: 400,
      url: made.imageUrl,
      isShared: false,
    })
    expect(files[0]?.size).toBe((await world.bytesAt(made.imageUrl)).length)
    expect(categories).toMatchObject({ babecock: 1 })
    world.clock.advance(2 * dayMs)
    await world.sweep()
    expect((await world.bytesAt(made.imageUrl)).length).toBeGreaterThan(0)
  })

  test('stores which of our files it was made from', async () => {
    const one = await upload(ana, first, 'uploadFirst')
    const other = await upload(ana, second, 'uploadSecond')
    const change = { first: one.imageUrl, second: `http://lanternist.test${other.imageUrl}` }
    const keys = [one.imageUrl, other.imageUrl].map((url) => world.fileAt(url).key).toSorted()
    for (const saveToVault of [false, true]) {
      const made = await make(ana, { ...change, saveToVault })
      expect(await world.originsOf(made.imageUrl)).toEqual(keys)
    }
  })
})

describe('bad input', () => {
  const small = () => plain(199, 400, red)
  const cases: [string, () => Promise<string> | string, number, RegExp][] = [
    ['no address', () => 'picture.jpg', 400, /http\(s\) address/],
    ['another scheme', () => 'ftp://pictures.example/1.jpg', 400, /http\(s\) address/],
    ['a file', () => 'file:///etc/passwd', 400, /http\(s\) address/],
    ['userinfo', () => 'http://a:b@pictures.example/1.jpg', 400, /address|host/],
    ['a private host', () => 'http://192.168.0.1/1.jpg', 400, /host that is not allowed/],
    ['loopback', () => 'http://127.0.0.1:1/1.jpg', 400, /host that is not allowed/],
    ['nothing there', () => `${world.publish('/x', first)}-not`, 400, /was not found/],
    ['no such file of ours', () => '/media/user-media/users/1/a.jpg?s=x', 400, /was not found/],
    ['a data URI without base64', () => 'data:image/png,abc', 400, /data URI/],
    ['an empty data URI', () => 'data:image/png;base64,', 400, /must be a JPEG/],
    ['no picture', () => dataUri(Buffer.from('hello, I am text')), 400, /must be a JPEG/],
    ['HTML', () => world.publish('/h', Buffer.from('<html>'), 'text/html'), 400, /must be a JPEG/],
    ['SVG', () => dataUri(Buffer.from('<svg xmlns="x"/>'), 'image/svg+xml'), 400, /must be a JPEG/],
    [
      'a GIF',
      async () => dataUri(await sharp(first).gif().toBuffer(), 'image/gif'),
      400,
      /must be a JPEG/,
    ],
    ['too small', async () => dataUri(await small()), 400, /199 × 400 pixels; .* 200 to 4000/],
    ['too large', async () => dataUri(await plain(4001, 300, red)), 400, /4001 × 300/],
    ['cut off', async () => dataUri((await noise(300, 300)).subarray(0, 30_000)), 400, /damaged/],
    [
      'more than 20 MB, as an address',
      () => world.publish('/huge', Buffer.alloc(20 * 1_048_576 + 1)),
      413,
      /larger than 20 MB/,
    ],
    [
      'more than 20 MB, as a data URI',
      () => dataUri(Buffer.alloc(20 * 1_048_576 + 1)),
      413,
      /larger than 20 MB/,
    ],
    [
      'far more than 20 MB, as a data URI',
      () => dataUri(Buffer.alloc(35 * 1_048_576)),
      413,
      /larger than 20 MB/,
    ],
  ]

  test.each(cases)('%s is refused and costs nothing', async (_, picture, status, words) => {
    const before = await world.balanceOf(ana)
    const address = await picture()
    for (const change of [{ first: address }, { second: address }]) {
      const answer = await refused(make(ana, change))
      const code = status === 413 ? 'FILE_TOO_LARGE' : 'INVALID_INPUT'
      expect([answer.status, answer.body]).toMatchObject([status, { code }])
      expect(answer.message).toMatch(words)
      expect(answer.message).toMatch('first' in change ? /first|One of/ : /second|One of/)
    }
    expect(await world.balanceOf(ana)).toBe(before)
    expect(await world.ctx.db.selectFrom('credit_holds').selectAll().execute()).toEqual([])
    expect(await world.ownKeys()).toEqual([])
  })

  test('a body with more than two large pictures is 413', async () => {
    const response = await ana.fetch('/api/babecock/generate', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ babeImageUrl: 'x'.repeat(57 * 1_048_576) }),
    })
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { code: 'FILE_TOO_LARGE' },
    ])
  })

  test('missing and wrong fields are named', async () => {
    const body = { babeImageUrl: dataUri(first), layout: 'diagonal' }
    const answer = await refused(ana.images.compose({ body: body as never }))
    expect(answer.status).toBe(400)
    expect(answer.message).toMatch(/cockImageUrl is required/)
    expect(answer.message).toMatch(/layout must be one of/)
  })
})
