/** Prices of compositions, their uploads (kept for a day), remixes, and saved results. */
import { describe, expect, test, vi } from 'vitest'
import { ApiProblem } from '../../src/client/client.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { StorageUnreachable } from '../../src/server/platform/storage/storage.ts'
import type { PictureWorld } from '../support/picture-world.ts'
import { compose, createPictureWorld, upload } from '../support/picture-world.ts'
import { blue, colourAt, dataUri, green, pixelsOf, plain, red } from '../support/pictures.ts'
import { plainJpeg, privateJpeg } from '../support/sample-media.ts'
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

describe('the price', () => {
  test('is charged once, and a repeat with the same key gets the same response', async () => {
    const before = await world.balanceOf(ana)
    const headers = { 'idempotency-key': 'one-composition' }
    const made = await make(ana, {}, headers)
    expect(await make(ana, {}, headers)).toEqual(made)
    expect(await world.balanceOf(ana)).toBe(before - 20)
    expect(await world.ownKeys()).toHaveLength(1)
    const conflict = await refused(make(ana, { layout: 'top-bottom' }, headers))
    expect([conflict.status, conflict.body]).toMatchObject([409, { code: 'IDEMPOTENCY_CONFLICT' }])
  })

  test('that cannot be paid is 402, before anything is downloaded', async () => {
    const poor = await world.as('poor')
    for (let spent = 0; spent < 2; spent += 1) await make(poor)
    expect(await world.balanceOf(poor)).toBe(10)
    const answer = await refused(make(poor, { first: 'http://192.168.0.1/1.jpg' }))
    expect([answer.status, answer.body]).toMatchObject([
      402,
      { code: 'INSUFFICIENT_CREDITS', required: 20, current: 10 },
    ])
    expect(await world.balanceOf(poor)).toBe(10)
  })

  test('is charged to concurrent calls as long as the credits last', async () => {
    const poor = await world.as('poor')
    const calls = Array.from({ length: 4 }, () => make(poor).catch((error: ApiProblem) => error))
    const outcomes = await Promise.all(calls)
    const refusals = outcomes.filter((outcome) => outcome instanceof ApiProblem)
    expect(refusals.map(({ status }) => status)).toEqual([402, 402])
    expect(await world.balanceOf(poor)).toBe(10)
    expect(await world.ownKeys()).toHaveLength(2)
  })

  test('is not charged if the result cannot be stored, and a new try works', async () => {
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
    await make(ana, {}, headers)
    expect(await world.balanceOf(ana)).toBe(before - 20)
  })

  test('is not charged, and nothing is left, if the row cannot be written', async () => {
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
  test('is kept for a day, in both places', async () => {
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
    '%s refuses an invalid picture',
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
    '%s refuses a truncated picture',
    async (to) => {
      for (const whole of [await privateJpeg(), await plainJpeg()]) {
        const cut = whole.subarray(0, whole.length / 2)
        const answer = await refused(upload(ana, cut, to))
        expect([answer.status, answer.body]).toMatchObject([400, { code: 'INVALID_INPUT' }])
        expect(answer.message).toBe('The picture is damaged and cannot be read')
      }
      expect(await world.ownKeys()).toEqual([])
    },
  )

  test.each(['uploadFirst', 'uploadSecond'] as const)('%s refuses a truncated form', async (to) => {
    const form = {
      image: new Blob([new Uint8Array(first)]),
      ...Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`field${n}`, 'x'])),
    }
    const answer = await refused(ana.images[to]({ form }))
    expect([answer.status, answer.body]).toMatchObject([400, { error: 'Bad Request' }])
  })
})

describe('a remix', () => {
  const remix = (
    person: Person,
    imageUrl: string,
    change: { layout?: 'auto' | 'side-by-side' | 'top-bottom'; swap?: boolean } = {},
  ) => person.images.remix({ body: { imageUrl, ...change } })

  test.each([false, true])(
    'swaps and changes the layout; saved to the vault: %s',
    async (saveToVault) => {
      const { imageUrl } = await make(ana, { saveToVault })
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
    },
  )

  test('without a change, or of another account’s composition, is refused and free', async () => {
    const { imageUrl } = await make(ana)
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

  test('saves it for good, once, under its name, and costs nothing', async () => {
    const made = await make(ana)
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
    // The saved composition can still be remixed.
    const remixed = await ana.images.remix({ body: { imageUrl: saved.url, swap: true } })
    expect(remixed.dimensions).toEqual({ width: 500, height: 400 })
  })

  test('two concurrent saves create one item', async () => {
    const { imageUrl } = await make(ana)
    const saved = await Promise.all([save(ana, imageUrl), save(ana, imageUrl), save(ana, imageUrl)])
    expect(new Set(saved.map(({ mediaId }) => mediaId)).size).toBe(1)
    expect((await ana.vault.list()).totalCount).toBe(1)
    expect((await world.ownKeys()).filter((key) => key.includes('/Babecocks/'))).toHaveLength(1)
  })

  test('is refused for expired results, for other files, and for another account’s results', async () => {
    const made = await make(ana)
    const uploaded = await upload(ana, first, 'uploadFirst')
    const kept = await make(ana, { saveToVault: true })
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

  test('the name must be valid', async () => {
    const { imageUrl } = await make(ana)
    const answer = await refused(save(ana, imageUrl, 'x'.repeat(101)))
    expect([answer.status, answer.message]).toEqual([400, expect.stringContaining('name')])
  })
})
