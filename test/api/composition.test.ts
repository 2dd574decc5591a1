/** Compositions as callers meet them: what they take, what they refuse, what they cost and leave. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { StorageUnreachable } from '../../src/server/platform/storage.ts'
import { sharp } from '../../src/server/platform/libvips.ts'
import type { PictureWorld } from '../support/picture-world.ts'
import { createPictureWorld } from '../support/picture-world.ts'
import {
  blue,
  colourAt,
  dataUri,
  green,
  noise,
  pixelsOf,
  plain,
  red,
  signpost,
} from '../support/pictures.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: PictureWorld
let ana: Person
let first: Buffer
let second: Buffer

const dayMs = 24 * 3_600_000

beforeAll(async () => {
  world = await createPictureWorld()
  first = await plain(200, 400, red)
  second = await plain(300, 400, blue, 'jpeg')
})
beforeEach(async () => {
  await world.reset()
  ana = await world.rich('ana')
})
afterAll(() => world.close())

type Change = {
  layout?: 'auto' | 'side-by-side' | 'top-bottom'
  saveToVault?: boolean
  first?: string
  second?: string
  headers?: Record<string, string>
}

const compose = (person: Person, change: Change = {}) => {
  const { first: one = dataUri(first), second: other = dataUri(second), headers, ...rest } = change
  const body = { babeImageUrl: one, cockImageUrl: other, ...rest }
  return person.images.compose({ body, ...(headers && { headers }) })
}

const upload = (person: Person, bytes: Buffer, which: 'uploadFirst' | 'uploadSecond') =>
  person.images[which]({ form: { image: new Blob([new Uint8Array(bytes)]) } })

describe('a composition', () => {
  test('is made of a data URI and of an address, and can be seen by whoever has its own', async () => {
    const made = await compose(ana, { second: world.publish('/second.jpg', second) })
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
  ] as const)('of %j and %j, %s, lies %s', async (one, other, layout, made) => {
    const answer = await compose(ana, {
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

  test('shows a turned photograph upright and tells nothing about it', async () => {
    const turned = await signpost(300, 400, { orientation: 6 })
    const made = await compose(ana, { first: dataUri(turned, 'image/jpeg') })
    const bytes = await world.bytesAt(made.imageUrl)
    const pixels = await pixelsOf(bytes)
    expect(made.dimensions).toEqual({ width: 600, height: 400 })
    expect([colourAt(pixels, 10, 10), colourAt(pixels, 290, 10)]).toEqual(['red', 'green'])
    expect(await sharp(bytes).metadata()).not.toHaveProperty('exif')
  })

  test('takes the largest and the smallest sides there may be', async () => {
    const made = await compose(ana, {
      first: dataUri(await plain(4000, 4000, red, 'jpeg')),
      second: dataUri(await plain(200, 200, blue)),
    })
    expect(made.dimensions).toEqual({ width: 400, height: 200 })
  })

  test('goes into the vault when asked, with its record, and costs the same', async () => {
    const before = await world.balanceOf(ana)
    const made = await compose(ana, { saveToVault: true })
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

  test('remembers the files of ours that it was made of', async () => {
    const one = await upload(ana, first, 'uploadFirst')
    const other = await upload(ana, second, 'uploadSecond')
    const change = { first: one.imageUrl, second: `http://lanternist.test${other.imageUrl}` }
    const keys = [one.imageUrl, other.imageUrl].map((url) => world.fileAt(url).key).toSorted()
    for (const saveToVault of [false, true]) {
      const made = await compose(ana, { ...change, saveToVault })
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
    ['nothing there', () => `${world.publish('/x', first)}-not`, 400, /not to be found/],
    ['no such file of ours', () => '/media/user-media/users/1/a.jpg?s=x', 400, /not to be found/],
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
  ]

  test.each(cases)('%s is refused and costs nothing', async (_, make, status, words) => {
    const before = await world.balanceOf(ana)
    const address = await make()
    for (const change of [{ first: address }, { second: address }]) {
      const answer = await refused(compose(ana, change))
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

  test('fields that are missing or wrong are named', async () => {
    const body = { babeImageUrl: dataUri(first), layout: 'diagonal' }
    const answer = await refused(ana.images.compose({ body: body as never }))
    expect(answer.status).toBe(400)
    expect(answer.message).toMatch(/cockImageUrl is required/)
    expect(answer.message).toMatch(/layout must be one of/)
  })
})

describe('the price', () => {
  test('is taken once, and a repeat with the same key is the same answer', async () => {
    const before = await world.balanceOf(ana)
    const headers = { 'idempotency-key': 'one-composition' }
    const made = await compose(ana, { headers })
    expect(await compose(ana, { headers })).toEqual(made)
    expect(await world.balanceOf(ana)).toBe(before - 20)
    expect(await world.ownKeys()).toHaveLength(1)
    const conflict = await refused(compose(ana, { headers, layout: 'top-bottom' }))
    expect([conflict.status, conflict.body]).toMatchObject([409, { code: 'IDEMPOTENCY_CONFLICT' }])
  })

  test('that cannot be paid is 402, before anything is fetched', async () => {
    const poor = await world.as('poor')
    for (let spent = 0; spent < 2; spent += 1) await compose(poor)
    expect(await world.balanceOf(poor)).toBe(10)
    const answer = await refused(compose(poor, { first: 'http://192.168.0.1/1.jpg' }))
    expect([answer.status, answer.body]).toMatchObject([
      402,
      { code: 'INSUFFICIENT_CREDITS', required: 20, current: 10 },
    ])
    expect(await world.balanceOf(poor)).toBe(10)
  })

  test('is not taken where the result cannot be stored, and a new try works', async () => {
    const before = await world.balanceOf(ana)
    const put = vi
      .spyOn(world.ctx.storage, 'put')
      .mockRejectedValue(new StorageUnreachable('no disk'))
    const headers = { 'idempotency-key': 'stored-later' }
    const response = await ana.fetch('/api/babecock/generate', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ babeImageUrl: dataUri(first), cockImageUrl: dataUri(second) }),
    })
    put.mockRestore()
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { code: 'STORAGE_UNREACHABLE' },
    ])
    expect(await world.balanceOf(ana)).toBe(before)
    await compose(ana, { headers })
    expect(await world.balanceOf(ana)).toBe(before - 20)
  })

  test('is not taken, and nothing is left, where the effect cannot be written', async () => {
    const before = await world.balanceOf(ana)
    await world.ctx.db.schema.alterTable('temporary_results').renameTo('gone').execute()
    const body = { babeImageUrl: dataUri(first), cockImageUrl: dataUri(second) }
    const response = await ana.fetch('/api/babecock/generate', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await world.ctx.db.schema.alterTable('gone').renameTo('temporary_results').execute()
    expect(response.status).toBe(500)
    expect(await world.balanceOf(ana)).toBe(before)
    world.clock.advance(dayMs + 1000)
    await world.sweep()
    expect(await world.ownKeys()).toEqual([])
  })
})

describe('an upload', () => {
  test('is kept for a day, in either place', async () => {
    for (const which of ['uploadFirst', 'uploadSecond'] as const) {
      const uploaded = await upload(ana, first, which)
      expect(uploaded).toMatchObject({ width: 200, height: 400 })
      expect((await world.bytesAt(uploaded.imageUrl)).equals(first)).toBe(true)
      world.clock.advance(dayMs - 60_000)
      await world.sweep()
      expect((await world.bytesAt(uploaded.imageUrl)).length).toBe(first.length)
      world.clock.advance(120_000)
      await world.sweep()
      expect((await world.visitor().fetch(uploaded.imageUrl)).status).toBe(404)
    }
  })

  test.each(['uploadFirst', 'uploadSecond'] as const)(
    '%s refuses what is no picture',
    async (to) => {
      const text = await refused(upload(ana, Buffer.from('hello'), to))
      expect([text.status, text.body]).toMatchObject([400, { code: 'INVALID_INPUT' }])
      const tiny = await refused(upload(ana, await plain(100, 100, green), to))
      expect([tiny.status, tiny.message]).toEqual([400, expect.stringContaining('100 × 100')])
      const huge = await refused(upload(ana, Buffer.alloc(20 * 1_048_576 + 1), to))
      expect([huge.status, huge.body]).toMatchObject([413, { code: 'FILE_TOO_LARGE' }])
      const none = await refused(ana.images[to]({ form: {} }))
      expect([none.status, none.message]).toEqual([400, 'Validation failed: image is required'])
      expect(await world.ownKeys()).toEqual([])
    },
  )

  test.each(['uploadFirst', 'uploadSecond'] as const)(
    '%s refuses a form that breaks off',
    async (to) => {
      const form = {
        image: new Blob([new Uint8Array(first)]),
        ...Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`field${n}`, 'x'])),
      }
      const answer = await refused(ana.images[to]({ form }))
      expect([answer.status, answer.body]).toMatchObject([400, { error: 'Bad Request' }])
    },
  )
})

describe('a remix', () => {
  const remix = (
    person: Person,
    imageUrl: string,
    change: { layout?: 'auto' | 'side-by-side' | 'top-bottom'; swap?: boolean } = {},
  ) => person.images.remix({ body: { imageUrl, ...change } })

  test.each([false, true])('swaps and turns; kept in the vault: %s', async (saveToVault) => {
    const { imageUrl } = await compose(ana, { saveToVault })
    const before = await world.balanceOf(ana)
    const swapped = await remix(ana, imageUrl, { swap: true })
    expect(swapped).toMatchObject({ layout: 'side-by-side', dimensions: { width: 500 } })
    expect(await world.balanceOf(ana)).toBe(before - 10)
    const pixels = await pixelsOf(await world.bytesAt(swapped.imageUrl))
    expect([colourAt(pixels, 5, 5), colourAt(pixels, 495, 395)]).toEqual(['blue', 'red'])
    expect(await world.originsOf(swapped.imageUrl)).toEqual([world.fileAt(imageUrl).key])

    const turned = await remix(ana, swapped.imageUrl, { layout: 'top-bottom', swap: true })
    expect(turned).toMatchObject({
      layout: 'top-bottom',
      dimensions: { width: 200, height: 400 + 267 },
    })
    const turnedPixels = await pixelsOf(await world.bytesAt(turned.imageUrl))
    expect(colourAt(turnedPixels, 100, 390)).toBe('red')
    expect(colourAt(turnedPixels, 100, 410)).toBe('blue')
    const back = await remix(ana, turned.imageUrl, { layout: 'auto' })
    expect(back.layout).toBe('side-by-side')
  })

  test('that would change nothing, or of nothing of one’s own, is refused and free', async () => {
    const { imageUrl } = await compose(ana)
    const uploaded = await upload(ana, first, 'uploadFirst')
    const covered = await ana.images.censor({
      body: {
        imageUrl: dataUri(first),
        regions: [{ x: 0, y: 0, width: 1, height: 1 }],
        mode: 'bar',
        strength: 1,
      },
    })
    const bea = await world.rich('bea')
    const before = [await world.balanceOf(ana), await world.balanceOf(bea)]
    for (const [person, url, change] of [
      [ana, imageUrl, {}],
      [ana, imageUrl, { layout: 'side-by-side' }],
      [ana, imageUrl, { layout: 'auto' }],
      [ana, uploaded.imageUrl, { swap: true }],
      [ana, covered.imageUrl, { swap: true }],
      [ana, dataUri(first).slice(0, 3000), { swap: true }],
      [ana, `${imageUrl}x`, { swap: true }],
      [ana, 'https://pictures.example/1.jpg', { swap: true }],
      [bea, imageUrl, { swap: true }],
    ] as const) {
      const answer = await refused(remix(person, url, change))
      expect([answer.status, answer.body]).toMatchObject([400, { code: 'INVALID_INPUT' }])
    }
    expect([await world.balanceOf(ana), await world.balanceOf(bea)]).toEqual(before)
  })
})

describe('saving a result', () => {
  const save = (person: Person, imageUrl: string, name?: string) =>
    person.images.save({ body: { imageUrl, ...(name && { name }) } })

  test('keeps it for good, once, under its name, and costs nothing', async () => {
    const made = await compose(ana)
    const before = await world.balanceOf(ana)
    const saved = await save(ana, made.imageUrl, 'Evening and morning')
    expect(await save(ana, made.imageUrl)).toEqual(saved)
    expect(await world.balanceOf(ana)).toBe(before)
    const { files } = await ana.vault.list()
    expect(files).toMatchObject([
      { id: saved.mediaId, name: 'Evening and morning', category: 'babecock', url: saved.url },
    ])
    expect(await world.originsOf(saved.url)).toEqual([world.fileAt(made.imageUrl).key])
    world.clock.advance(dayMs + 1000)
    await world.sweep()
    expect((await world.visitor().fetch(made.imageUrl)).status).toBe(404)
    const bytes = await world.bytesAt(saved.url)
    expect((await sharp(bytes).metadata()).width).toBe(500)
    // The saved one can still be laid out anew.
    const remixed = await ana.images.remix({ body: { imageUrl: saved.url, swap: true } })
    expect(remixed.dimensions).toEqual({ width: 500, height: 400 })
  })

  test('two at once make one item', async () => {
    const { imageUrl } = await compose(ana)
    const saved = await Promise.all([save(ana, imageUrl), save(ana, imageUrl), save(ana, imageUrl)])
    expect(new Set(saved.map(({ mediaId }) => mediaId)).size).toBe(1)
    expect((await ana.vault.list()).totalCount).toBe(1)
    expect((await world.ownKeys()).filter((key) => key.includes('/Babecocks/'))).toHaveLength(1)
  })

  test('is refused for what has gone, what is no result, and what is another’s', async () => {
    const made = await compose(ana)
    const uploaded = await upload(ana, first, 'uploadFirst')
    const kept = await compose(ana, { saveToVault: true })
    const bea = await world.rich('bea')
    for (const [person, url] of [
      [bea, made.imageUrl],
      [ana, uploaded.imageUrl],
      [ana, kept.imageUrl],
      [ana, 'https://pictures.example/1.jpg'],
      [ana, made.imageUrl.replace(/s=.*/, 's=AAAAAAAAAAAAAAAAAAAAAAAA')],
    ] as const) {
      const answer = await refused(save(person, url))
      expect([answer.status, answer.body]).toMatchObject([400, { code: 'INVALID_INPUT' }])
    }
    world.clock.advance(dayMs + 1000)
    await world.sweep()
    expect((await refused(save(ana, made.imageUrl))).status).toBe(400)
    expect((await bea.vault.list()).totalCount).toBe(0)
  })

  test('a name must be one', async () => {
    const { imageUrl } = await compose(ana)
    const answer = await refused(save(ana, imageUrl, 'x'.repeat(101)))
    expect([answer.status, answer.message]).toEqual([400, expect.stringContaining('name')])
  })
})
