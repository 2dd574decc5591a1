/** The refusals of an enhancement, in the order of the contract. None of them is charged. */
import { afterEach, describe, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import type { EnhancementWorld } from '../support/enhancement-world.ts'
import { createEnhancementWorld, fileOf, pictureFile } from '../support/enhancement-world.ts'
import { eventually } from '../support/eventually.ts'
import { fillStorage, overQuota } from '../support/full-storage.ts'
import { insertPast, insertPending } from '../support/past-generations.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: EnhancementWorld
let ana: Person

useWorld(createEnhancementWorld, async (fresh) => {
  world = fresh
  ana = await world.enhancer('ana')
})

const low = async (person = ana) =>
  person.enhancement.generate({ form: { image: await pictureFile(), quality: 'low' } })

const insertGenerations = (count: number, change: Record<string, unknown> = {}) =>
  insertPast(world, 'ana', count, change)

test('a result that exceeds the storage quota is refused before the price is checked', async () => {
  const { generationId } = await low()
  await fillStorage(world, ana)
  const saving = () => ana.enhancement.saveResult({ body: { generationId } })
  expect(await refused(saving())).toMatchObject(overQuota)
  expect(await refused(low())).toMatchObject(overQuota)
  const poor = await world.enhancer('poor', 0)
  for (const _ of [1, 2]) await low(poor)
  expect(await refused(low(poor))).toMatchObject({ status: 402 })
  await fillStorage(world, poor)
  expect(await refused(low(poor))).toMatchObject(overQuota)
  // The picture fits but its result does not: the credits are refunded.
  const { balance } = await ana.credits.balance()
  const picture = await pictureFile()
  await fillStorage(world, ana, picture.size + 5)
  expect(await refused(low())).toMatchObject(overQuota)
  expect((await ana.credits.balance()).balance).toBe(balance)
})

describe('input that is no picture to enhance', () => {
  const png = { create: { width: 20, height: 20, channels: 3, background: 'red' } } as const
  const animation = () =>
    sharp(Buffer.alloc(20 * 40 * 3, 90).fill(200, 20 * 20 * 3), {
      raw: { width: 20, height: 40, channels: 3, pageHeight: 20 },
    })
  const cases: Record<string, () => Promise<{ image?: Blob; quality?: string }>> = {
    'no image': async () => ({ quality: 'low' }),
    'no quality': async () => ({ image: await pictureFile() }),
    'another quality': async () => ({ image: await pictureFile(), quality: 'best' }),
    'a declared GIF': async () => ({
      image: fileOf(await sharp(png).png().toBuffer(), 'image/gif'),
      quality: 'low',
    }),
    'no declared type': async () => ({
      image: fileOf(await sharp(png).png().toBuffer(), ''),
      quality: 'low',
    }),
    'a GIF that says PNG': async () => ({
      image: fileOf(await sharp(png).gif().toBuffer(), 'image/png'),
      quality: 'low',
    }),
    'an SVG that says PNG': async () => ({
      image: fileOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png'),
      quality: 'low',
    }),
    'a page that says JPEG': async () => ({
      image: fileOf(Buffer.from('<!doctype html><p>hello'), 'image/jpeg'),
      quality: 'high',
    }),
    'an empty file': async () => ({ image: fileOf(Buffer.alloc(0), 'image/png'), quality: 'low' }),
    'half a PNG': async () => {
      const whole = Buffer.from(
        await (await pictureFile({ width: 200, height: 200 })).arrayBuffer(),
      )
      return { image: fileOf(whole.subarray(0, whole.length / 2), 'image/png'), quality: 'low' }
    },
    'an animated WebP': async () => ({
      image: fileOf(await animation().webp({ loop: 0 }).toBuffer(), 'image/webp'),
      quality: 'low',
    }),
    'too many pixels': async () => ({
      image: fileOf(
        await sharp({ create: { ...png.create, width: 4000, height: 4000 } })
          .png()
          .toBuffer(),
        'image/png',
      ),
      quality: 'low',
    }),
    'a strip whose frame has too many': async () => ({
      image: fileOf(
        await sharp({ create: { ...png.create, width: 8000, height: 2 } })
          .png()
          .toBuffer(),
        'image/png',
      ),
      quality: 'low',
    }),
  }

  afterEach(async () => {
    expect(await world.movements('ana')).toEqual([])
    expect(await world.records('ana')).toEqual([])
    expect(world.asked).toEqual([])
  })

  test.each(Object.keys(cases))('is refused: %s', async (name) => {
    const form = (await cases[name]!()) as { image: Blob; quality: 'low' }
    const { status, body } = await refused(ana.enhancement.generate({ form }))
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', error: expect.stringMatching(/./) },
    })
  })

  test('is refused past 25 MB, whatever follows', async () => {
    const large = fileOf(new Uint8Array(25 * 1_048_576 + 1), 'image/png')
    const { status, body } = await refused(
      ana.enhancement.generate({ form: { image: large, quality: 'low' } }),
    )
    expect({ status, body }).toMatchObject({ status: 413, body: { code: 'FILE_TOO_LARGE' } })
    const form = new FormData()
    form.append('image', large)
    form.append('quality', 'low')
    const response = await ana.fetch('/api/enhance/generate', { method: 'POST', body: form })
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { code: 'FILE_TOO_LARGE' },
    ])
  })

  test('is refused without a form, or with a broken one', async () => {
    const send = async (type: string, body: string) => {
      const response = await ana.fetch('/api/enhance/generate', {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      })
      return [response.status, await response.json()]
    }
    expect(await send('application/json', '{"quality":"low"}')).toMatchObject([
      400,
      { code: 'INVALID_INPUT' },
    ])
    expect(await send('multipart/form-data; boundary=b', '--b\r\nhalf')).toMatchObject([
      400,
      { error: 'Bad Request' },
    ])
    const nul = { image: await pictureFile(), quality: 'a\u0000b' as 'low' }
    const { body } = await refused(ana.enhancement.generate({ form: nul }))
    expect(body).toMatchObject({ error: 'Bad Request' })
  })
})

describe('the limit of a day', () => {
  test('is thirty, until midnight in UTC', async () => {
    world.clock.set('2031-05-05T23:59:00Z')
    ana = await world.enhancer('ana2')
    await insertGenerations(30, { user_id: await world.idOf('ana2') })
    const { status, body } = await refused(low())
    expect({ status, body }).toEqual({
      status: 429,
      body: {
        error: 'No more enhancements today',
        code: 'DAILY_LIMIT_REACHED',
        used: 30,
        limit: 30,
        resetAt: '2031-05-06T00:00:00.000Z',
      },
    })
    expect(await world.movements('ana2')).toEqual([])
    world.clock.set('2031-05-06T00:00:01Z')
    expect((await low()).success).toBe(true)
  })

  test('does not count refunded failures, but counts running work', async () => {
    await insertGenerations(29)
    await insertGenerations(40, {
      status: 'failed',
      actual_provider: null,
      result_path: null,
      error_message: 'It failed',
    })
    world.behave({ provider_a: 'fails', provider_b: 'fails' })
    expect((await refused(low())).status).toBe(503)
    world.behave({ provider_a: 'works' })
    const held = world.holdProviders()
    const last = low()
    await eventually(async () => expect(held.entered()).toBe(1))
    expect((await refused(low())).body).toMatchObject({ code: 'DAILY_LIMIT_REACHED', used: 30 })
    held.release()
    await last
  })

  test('counts a high-quality work whose price was partly refunded', async () => {
    await insertGenerations(29)
    world.behave({ provider_b: 'fails' })
    const form = { image: await pictureFile(), quality: 'high' as const }
    expect((await ana.enhancement.generate({ form })).provider).toBe('provider_a')
    expect((await refused(low())).body).toMatchObject({ code: 'DAILY_LIMIT_REACHED' })
  })
})

test('three run at a time, and the next one starts when one is done', async () => {
  const held = world.holdProviders()
  const running = [low(), low(), low()]
  await eventually(async () => expect(held.entered()).toBe(3))
  const { status, body } = await refused(low())
  expect({ status, body }).toEqual({
    status: 429,
    body: {
      error: 'Too many enhancements at a time',
      code: 'CONCURRENT_LIMIT_REACHED',
      limit: 3,
    },
  })
  // Other accounts are not affected.
  const bo = await world.enhancer('bo')
  const other = low(bo)
  await eventually(async () => expect(held.entered()).toBe(4))
  held.release()
  await Promise.all([...running, other])
  await low()
  expect(await world.movements('ana')).toHaveLength(4)
})

test('without enough credits nothing is charged, and the response names the missing credits', async () => {
  const poor = await world.enhancer('poor', 0)
  await poor.enhancement.generate({ form: { image: await pictureFile(), quality: 'low' } })
  const { status, body } = await refused(
    poor.enhancement.generate({ form: { image: await pictureFile(), quality: 'high' } }),
  )
  expect({ status, body }).toEqual({
    status: 402,
    body: {
      error: 'Insufficient credits',
      code: 'INSUFFICIENT_CREDITS',
      required: 45,
      available: 25,
      current: 25,
      featureKey: 'image_enhance_high',
    },
  })
  expect(await world.records('poor')).toHaveLength(1)
})

test('errors are checked in the contract’s order', async () => {
  const bo = await world.as('bo')
  const codeOf = async (person: Person, image: Blob) => {
    const form = { image, quality: 'low' as const }
    const { body } = await refused(person.enhancement.generate({ form }))
    return (body as { code: string }).code
  }
  const [good, bad] = [await pictureFile(), fileOf(Buffer.from('x'), 'image/png')]
  expect(await codeOf(bo, bad)).toBe('CONSENT_REQUIRED')
  // From here on everything is wrong at once, and each step removes one reason.
  await world.ctx.db.updateTable('feature_pricing').set({ credits_required: 100_000 }).execute()
  await insertGenerations(27)
  await insertPending(world, 'ana', 3)
  expect(await codeOf(ana, bad)).toBe('INVALID_INPUT')
  expect(await codeOf(ana, good)).toBe('DAILY_LIMIT_REACHED')
  await world.ctx.db
    .deleteFrom('enhancement_generations')
    .where('status', '=', 'completed')
    .execute()
  expect(await codeOf(ana, good)).toBe('CONCURRENT_LIMIT_REACHED')
  await world.ctx.db.deleteFrom('enhancement_generations').execute()
  expect(await codeOf(ana, good)).toBe('INSUFFICIENT_CREDITS')
})

test('a busy node makes new work wait, and refuses it after a while', async () => {
  const { enhancers } = world.ctx
  const permits = await Promise.all(Array.from({ length: 6 }, () => enhancers.semaphore.acquire()))
  Object.assign(enhancers, { longestWaitMs: 50 })
  expect((await refused(low())).body).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
  Object.assign(enhancers, { longestWaitMs: 30_000 })
  // A call that will be refused does not wait first.
  const form = { image: fileOf(Buffer.from('x'), 'image/png'), quality: 'low' as const }
  expect(await refused(ana.enhancement.generate({ form }))).toMatchObject({ status: 400 })
  await insertPending(world, 'ana', 3)
  expect((await refused(low())).body).toMatchObject({ code: 'CONCURRENT_LIMIT_REACHED' })
  await world.ctx.db.deleteFrom('enhancement_generations').execute()
  const waiting = low()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await world.records('ana')).toEqual([])
  for (const release of permits) release()
  expect((await waiting).success).toBe(true)
})
