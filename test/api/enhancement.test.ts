/** Enhancing a picture, seen by its owner (contract 4.6). */
import { describe, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import type { EnhancementWorld } from '../support/enhancement-world.ts'
import { createEnhancementWorld, fileOf, pictureFile } from '../support/enhancement-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: EnhancementWorld
let ana: Person

useWorld(createEnhancementWorld, async (fresh) => {
  world = fresh
  ana = await world.enhancer('ana')
})

const fetchBytes = async (url: string) => {
  const response = await world.visitor().fetch(url)
  expect(response.status).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

describe('consent', () => {
  test('is given once, and the first one is kept', async () => {
    const bo = await world.as('bo')
    expect(await bo.enhancement.consentStatus()).toEqual({
      accepted: false,
      version: 1,
      acceptedAt: null,
    })
    const given = await bo.enhancement.giveConsent({ body: { version: 1 } })
    world.clock.advance(60_000)
    expect(await bo.enhancement.giveConsent({ body: { version: 1 } })).toEqual(given)
    expect(await bo.enhancement.consentStatus()).toEqual(given)
  })

  test('to another version of the policy does not count', async () => {
    const bo = await world.as('bo')
    const body = { version: 2 } as never
    expect((await refused(bo.enhancement.giveConsent({ body }))).status).toBe(400)
    expect((await bo.enhancement.consentStatus()).accepted).toBe(false)
  })

  test('is checked first, before the picture is read', async () => {
    const bo = await world.as('bo')
    const form = { quality: 'splendid' as never, image: fileOf(Buffer.from('no'), 'text/plain') }
    const { status, body } = await refused(bo.enhancement.generate({ form }))
    expect({ status, body }).toMatchObject({ status: 403, body: { code: 'CONSENT_REQUIRED' } })
  })
})

describe('an enhanced picture', () => {
  test.each(['jpeg', 'png', 'webp'] as const)(
    'is twice as large, as %s, and costs its price',
    async (format) => {
      const image = await pictureFile({ width: 50, height: 37, format })
      const answer = await ana.enhancement.generate({ form: { image, quality: 'low' } })
      expect(answer).toMatchObject({
        success: true,
        quality: 'low',
        provider: 'provider_a',
        creditsCharged: 25,
        creditsRemaining: 1025,
      })
      const { width, height, ...made } = await sharp(await fetchBytes(answer.resultUrl)).metadata()
      expect([width, height, made.format]).toEqual([100, 74, format])
    },
  )

  test('leaves a record with its three files, each in its folder', async () => {
    const sent = await pictureFile({ width: 64, height: 40, format: 'jpeg' })
    const { generationId, processingTimeMs } = await ana.enhancement.generate({
      form: { image: sent, quality: 'high' },
    })
    const [record] = await world.records('ana')
    expect(record).toMatchObject({
      id: generationId,
      status: 'completed',
      quality: 'high',
      requested_provider: 'provider_b',
      actual_provider: 'provider_b',
      processing_time_ms: processingTimeMs,
      error_message: null,
      credit_charged: true,
      refunded_at: null,
      refund_transaction_id: null,
      result_width: 128,
      result_height: 80,
    })
    const folder = `users/${await world.idOf('ana')}/enhance`
    const read = async (path: string | null) => {
      const chunks = await world.ctx.storage
        .read('user-media', path ?? '')
        .then((file) => file.toArray())
      return Buffer.concat(chunks as Buffer[])
    }
    expect(record?.original_path).toContain(`${folder}/original/`)
    expect(record?.provider_path).toContain(`${folder}/provider/`)
    expect(record?.result_path).toContain(`${folder}/result/`)
    expect(await read(record!.original_path)).toEqual(Buffer.from(await sent.arrayBuffer()))
    // Of the providers' sizes, 64 × 43 (3:2) is closest to 64 × 40.
    const provider = await sharp(await read(record!.provider_path)).metadata()
    expect([provider.width, provider.height, provider.format]).toEqual([64, 43, 'png'])
    const unclaimed = await world.ctx.db.selectFrom('unclaimed_files').selectAll().execute()
    expect(unclaimed).toEqual([])
    const origins = await world.ctx.db
      .selectFrom('file_origins')
      .selectAll()
      .where('key', 'like', `${folder}/%`)
      .execute()
    const made = origins.map(({ key, origin_key }) => `${key} of ${origin_key}`).toSorted()
    expect(made).toEqual(
      [
        `${record!.provider_path} of ${record!.original_path}`,
        `${record!.result_path} of ${record!.original_path}`,
        `${record!.result_path} of ${record!.provider_path}`,
      ].toSorted(),
    )
  })

  test('is upright, without camera metadata', async () => {
    const noted = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { resultUrl } = await ana.enhancement.generate({
      form: { image: fileOf(noted, 'image/jpg'), quality: 'low' },
    })
    const { width, height, exif, orientation } = await sharp(await fetchBytes(resultUrl)).metadata()
    expect({ width, height, exif, orientation }).toEqual({ width: 40, height: 80 })
  })
})

describe('the order of providers', () => {
  const enhance = async (quality: 'low' | 'high') => {
    world.asked.length = 0
    const form = { image: await pictureFile(), quality }
    const { provider, creditsCharged } = await ana.enhancement.generate({ form })
    return { asked: [...world.asked], provider, creditsCharged }
  }

  test('follows from the quality, and the other provider is the fallback', async () => {
    expect(await enhance('low')).toMatchObject({ asked: ['provider_a'], creditsCharged: 25 })
    expect(await enhance('high')).toMatchObject({ asked: ['provider_b'], creditsCharged: 45 })
    world.behave({ provider_a: 'fails' })
    expect(await enhance('low')).toEqual({
      asked: ['provider_a', 'provider_b'],
      provider: 'provider_b',
      creditsCharged: 25,
    })
  })

  test('can be reversed for high quality by a setting, which then costs less', async () => {
    await world.ctx.db
      .insertInto('settings')
      .values({ key: 'enhancementPrimary', value: '"provider_a"', updated_at: new Date() })
      .execute()
    expect(await enhance('high')).toEqual({
      asked: ['provider_a'],
      provider: 'provider_a',
      creditsCharged: 25,
    })
    world.behave({ provider_a: 'fails' })
    expect(await enhance('high')).toEqual({
      asked: ['provider_a', 'provider_b'],
      provider: 'provider_b',
      creditsCharged: 45,
    })
    const records = await world.records('ana')
    expect(records.map((record) => record.requested_provider)).toEqual(['provider_a', 'provider_a'])
  })

  test('a high enhancement by provider_a is charged as low, by one refund of the difference', async () => {
    world.behave({ provider_b: 'is unavailable' })
    // The price of a low one counts even while it is not on offer.
    await world.ctx.db
      .updateTable('feature_pricing')
      .set({ is_active: false })
      .where('feature_key', '=', 'image_enhance_low')
      .execute()
    const answer = await ana.enhancement.generate({
      form: { image: await pictureFile(), quality: 'high' },
    })
    expect(answer).toMatchObject({
      quality: 'high',
      provider: 'provider_a',
      creditsCharged: 25,
      creditsRemaining: 1025,
    })
    const [spend, refund, ...more] = await world.movements('ana')
    expect([spend?.amount, refund?.amount, refund?.refundOf, more]).toEqual([
      -45,
      20,
      spend?.id,
      [],
    ])
    const [record] = await world.records('ana')
    expect(record).toMatchObject({
      status: 'completed',
      requested_provider: 'provider_b',
      actual_provider: 'provider_a',
      refund_transaction_id: refund?.id,
    })
    expect(record?.refunded_at).not.toBeNull()
  })

  test('without a difference between the prices nothing is refunded', async () => {
    await world.ctx.db
      .updateTable('feature_pricing')
      .set({ credits_required: 10 })
      .where('feature_key', '=', 'image_enhance_high')
      .execute()
    world.behave({ provider_b: 'fails' })
    expect(await enhance('high')).toMatchObject({ provider: 'provider_a', creditsCharged: 10 })
    expect(await world.movements('ana')).toHaveLength(1)
  })

  test('lists the available providers', async () => {
    expect(await ana.enhancement.status()).toEqual({
      provider_a: { available: true },
      provider_b: { available: true },
    })
    world.behave({ provider_b: 'is away' })
    expect((await ana.enhancement.status()).provider_b).toEqual({ available: false })
    expect(await enhance('high')).toEqual({
      asked: ['provider_a'],
      provider: 'provider_a',
      creditsCharged: 25,
    })
  })
})

test('free work leaves no trace in the ledger', async () => {
  await world.ctx.db.updateTable('feature_pricing').set({ credits_required: 0 }).execute()
  const form = { image: await pictureFile(), quality: 'low' as const }
  expect(await ana.enhancement.generate({ form })).toMatchObject({ creditsCharged: 0 })
  world.behave({ provider_a: 'fails', provider_b: 'fails' })
  expect((await refused(ana.enhancement.generate({ form }))).status).toBe(503)
  expect(await world.movements('ana')).toEqual([])
  expect((await world.records('ana')).map((record) => record.credit_charged)).toEqual([
    false,
    false,
  ])
})
