/** Prices and grants, which administrators set (contract 4.7, 4.10, 9). */
import { describe, expect, test } from 'vitest'
import { spend } from '../../src/server/features/credits/ledger/spending.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: World
let ana: Person
let admin: Person
let anaId: string

useWorld(createWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
  anaId = (await ana.accounts.currentUser()).id
  admin = world.visitor()
  await admin.accounts.devSignIn()
})

describe('prices', () => {
  test('are public, without the disabled ones', async () => {
    const prices = await world.visitor().credits.pricing()
    const byKey = Object.fromEntries(
      prices.map((price) => [price.featureKey, price.creditsRequired]),
    )
    expect(byKey).toEqual({
      smart_caption: 10,
      caption_rewrite: 10,
      caption_batch_rewrite: 8,
      babecock_generate: 20,
      babecock_remix: 10,
      hypnococks_generate: 25,
      session_create: 25,
      session_slide_view: 1,
      image_censor: 5,
      image_enhance_low: 25,
      image_enhance_high: 45,
    })
    const { items } = await admin.credits.listPrices()
    const disabled = items.filter(({ isActive }) => !isActive)
    expect(disabled.map(({ featureKey }) => featureKey)).toEqual([
      'manual_session_create',
      'session_import',
      'session_play',
    ])
  })

  test('administrators create, change and disable them; it takes effect at once and is logged', async () => {
    const body = { featureKey: 'new_feature', displayName: 'New', creditsRequired: 3 }
    expect(await admin.credits.createPrice({ body })).toMatchObject({ ...body, isActive: true })
    expect((await refused(admin.credits.createPrice({ body }))).body).toMatchObject({
      code: 'ALREADY_EXISTS',
    })
    const charge = { featureKey: 'new_feature', description: 'New' }
    expect(await spend(world.ctx, anaId, charge)).toMatchObject({ charged: 3 })
    const params = { featureKey: 'new_feature' }
    await admin.credits.changePrice({ params, body: { creditsRequired: 4 } })
    expect(await spend(world.ctx, anaId, charge)).toMatchObject({ charged: 4 })
    await admin.credits.disablePrice({ params })
    await expect(spend(world.ctx, anaId, charge)).rejects.toMatchObject({
      failure: { status: 503 },
      body: { code: 'FEATURE_PRICING_MISSING', featureKey: 'new_feature' },
    })
    expect(await refused(admin.credits.createPrice({ body }))).toMatchObject({
      status: 400,
      body: { code: 'ALREADY_EXISTS' },
    })
    const restored = await admin.credits.changePrice({ params, body: { isActive: true } })
    expect(restored).toMatchObject({ creditsRequired: 4, isActive: true })
    expect(await spend(world.ctx, anaId, charge)).toMatchObject({ charged: 4 })
    const log = await world.ctx.db
      .selectFrom('activity_log')
      .selectAll()
      .where('action', '=', 'admin_changed')
      .execute()
    expect(log).toHaveLength(4)
    await world.ctx.db
      .deleteFrom('feature_pricing')
      .where('feature_key', '=', 'new_feature')
      .execute()
  })

  test('other accounts cannot change them, and unknown ones are not found', async () => {
    const params = { featureKey: 'image_censor' }
    const body = { featureKey: 'mine', displayName: 'Mine', creditsRequired: 0 }
    for (const call of [
      () => ana.credits.listPrices(),
      () => ana.credits.createPrice({ body }),
      () => ana.credits.changePrice({ params, body: { creditsRequired: 0 } }),
      () => ana.credits.disablePrice({ params }),
      () => ana.credits.grant({ params: { id: anaId }, body: { amount: 1000, reason: 'Me' } }),
    ])
      expect((await refused(call())).status).toBe(403)
    expect(
      (await refused(admin.credits.changePrice({ params, body: { creditsRequired: -1 } }))).status,
    ).toBe(400)
    const wrong = { featureKey: 'Not A Key' }
    expect((await refused(admin.credits.disablePrice({ params: wrong }))).message).toBe(
      'Invalid ID',
    )
    const nobody = { params: { id: 'no one!' }, body: { amount: 1, reason: 'x' } }
    expect((await refused(admin.credits.grant(nobody))).message).toBe('Invalid ID')
    const unknown = { featureKey: 'unknown' }
    expect((await refused(admin.credits.changePrice({ params: unknown, body: {} }))).status).toBe(
      404,
    )
    expect((await refused(admin.credits.disablePrice({ params: unknown }))).status).toBe(404)
  })
})

describe('a grant', () => {
  test('adds credits with its reason and is logged', async () => {
    const params = { id: anaId }
    const granted = await admin.credits.grant({ params, body: { amount: 100, reason: 'A prize' } })
    expect(granted).toEqual({ balance: 150 })
    const [newest] = (await ana.credits.transactions()).transactions
    expect(newest).toMatchObject({
      amount: 100,
      type: 'grant',
      description: 'A prize',
      metadata: { grantedBy: 'dev-user-1' },
    })
    expect(
      (
        await refused(
          admin.credits.grant({ params: { id: 'nobody' }, body: { amount: 1, reason: 'x' } }),
        )
      ).status,
    ).toBe(404)
  })

  test.each([
    '-5',
    '0',
    '1.5',
    '1000001',
    '9007199254740993',
    '9223372036854775808',
    '"1e3"',
    '"10"',
    'null',
    '1e400',
  ])('of %s is refused', async (amount) => {
    const response = await admin.fetch(`/api/admin/users/${anaId}/grant`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"amount":${amount},"reason":"x"}`,
    })
    expect(response.status).toBe(400)
    expect((await ana.credits.balance()).balance).toBe(50)
  })
})
