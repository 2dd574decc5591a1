/** Refusals of every paid endpoint, and its answer to a call that is sent again. */
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/api.ts'
import { holdCredits, releaseHold } from '../../src/server/features/credits/ledger/holds.ts'
import { findUnbalanced } from '../../src/server/features/credits/ledger/queries.ts'
import { insertCommunitySession } from '../support/community-rows.ts'
import { pictureFile } from '../support/enhancement-world.ts'
import { eventually } from '../support/eventually.ts'
import { blue, dataUri, plain, red } from '../support/pictures.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: SessionWorld
let ana: Person

useWorld(createSessionWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
  await world.grant('ana', 500)
})

type PaidCall = (variant: 'one' | 'other', headers: Record<string, string>) => Promise<unknown>

/** A call for each paid endpoint, prepared for every test. */
const paidCalls: Record<string, () => Promise<PaidCall>> = {
  'captions.generateManual': async () => {
    const image = await picture()
    return async (variant, headers) => {
      const context = { index: 0, total: 1, sessionTitle: variant }
      const answer = await ana.captions.generateManual({ body: { image, context }, headers })
      // It is charged after the answer is sent.
      await eventually(async () => {
        expect(await world.ctx.db.selectFrom('credit_holds').select('id').execute()).toEqual([])
      })
      return answer
    }
  },
  'captions.rewrite': async () => (variant, headers) =>
    ana.captions.rewrite({ body: { caption: `Look at the bay, ${variant}.` }, headers }),
  'captions.rewriteBatch': async () => (variant, headers) =>
    ana.captions.rewriteBatch({
      body: { captions: [{ index: 0, caption: 'Look at the bay.' }], instruction: variant },
      headers,
    }),
  'captions.captionSession': async () => {
    const id = await world.makeFilled(ana)
    const { media } = await ana.sessions.read({ params: { id } })
    return (variant, headers) => {
      const mediaIds = [media[variant === 'one' ? 0 : 1]!.id]
      return ana.captions.captionSession({ body: { sessionId: Number(id), mediaIds }, headers })
    }
  },
  'community.save': async () => {
    const { id: ownerId } = await ana.accounts.currentUser()
    const ids = {
      one: await insertCommunitySession(world.ctx, ownerId),
      other: await insertCommunitySession(world.ctx, ownerId),
    }
    return (variant, headers) => ana.community.save({ params: { id: ids[variant] }, headers })
  },
  'enhancement.generate': async () => {
    await ana.enhancement.giveConsent({ body: { version: 1 } })
    const images = { one: await pictureFile({ seed: 1 }), other: await pictureFile({ seed: 2 }) }
    return (variant, headers) =>
      ana.enhancement.generate({ form: { image: images[variant], quality: 'low' }, headers })
  },
  'sessions.create': async () => (variant, headers) =>
    ana.sessions.create({ body: { title: variant, subfeeds: 'city' }, headers }),
  'sessions.update': async () => {
    const ids = await refundedSessions()
    const body = { subfeeds: 'night' }
    return (variant, headers) =>
      ana.sessions.update({ params: { id: ids[variant] }, body, headers })
  },
  'sessions.refill': async () => {
    const ids = await refundedSessions()
    return (variant, headers) => ana.sessions.refill({ params: { id: ids[variant] }, headers })
  },
  'sessions.view': async () => {
    const id = await world.makeFilled(ana, { captionTheme: 'custom' })
    const { media } = await ana.sessions.read({ params: { id } })
    const { playId } = await ana.sessions.play({ params: { id } })
    const params = { playId: String(playId) }
    return (variant, headers) => {
      const mediaIds = [media[variant === 'one' ? 0 : 1]!.id]
      return ana.sessions.view({ params, body: { mediaIds }, headers })
    }
  },
  'images.compose': async () => {
    const [first, second] = [await picture(), await picture()]
    return (variant, headers) =>
      ana.images.compose({
        body: { babeImageUrl: first, cockImageUrl: second, layout: layoutOf[variant] },
        headers,
      })
  },
  'images.remix': async () => {
    const body = { babeImageUrl: await picture(), cockImageUrl: await picture() }
    const { imageUrl } = await ana.images.compose({ body })
    return (variant, headers) =>
      ana.images.remix({ body: { imageUrl, swap: true, layout: layoutOf[variant] }, headers })
  },
  'images.animate': async () => {
    const imageUrls = [await picture(), await picture(blue)]
    return (variant, headers) =>
      ana.images.animate({
        body: { imageUrls, frameMs: 100, effect: 'cut', size: 128, format: 'gif', text: variant },
        headers,
      })
  },
  'images.censor': async () => {
    const imageUrl = await picture()
    return (variant, headers) =>
      ana.images.censor({
        body: {
          imageUrl,
          regions: [{ x: 0, y: 0, width: 0.5, height: 0.5 }],
          mode: 'bar',
          strength: variant === 'one' ? 1 : 2,
        },
        headers,
      })
  },
}

/** Makes two sessions whose first fill failed and was refunded, so that the next fills cost credits. */
async function refundedSessions() {
  world.feed.fail('*', 'unreachable')
  const ids = { one: await world.makeFilled(ana), other: await world.makeFilled(ana) }
  world.feed.reset()
  return ids
}

const layoutOf = { one: 'side-by-side', other: 'top-bottom' } as const

async function picture(colour = red): Promise<string> {
  return dataUri(await plain(200, 200, colour))
}

const paid = endpoints.filter(({ endpoint }) => endpoint.price)

test('every endpoint with a price is in this list', () => {
  expect(Object.keys(paidCalls).toSorted()).toEqual(paid.map(({ name }) => name).toSorted())
})

describe.each(paid)('$name', ({ name, endpoint }) => {
  const price = endpoint.price ?? ''
  const setPrice = (change: {
    is_active?: boolean
    is_premium_only?: boolean
    credits_required?: number
  }) =>
    world.ctx.db
      .updateTable('feature_pricing')
      .set(change)
      .where('feature_key', '=', price)
      .execute()
  const balance = async () => (await ana.credits.balance()).balance

  test('is refused without credits, without a tier and without a price, and takes nothing', async () => {
    const call = await paidCalls[name]!()
    const before = await balance()
    await setPrice({ credits_required: 100_000 })
    expect((await refused(call('one', {}))).body).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      required: 100_000,
      featureKey: price,
    })
    await setPrice({ credits_required: 1, is_premium_only: true })
    expect((await refused(call('one', {}))).body).toMatchObject({
      code: 'PREMIUM_ONLY',
      featureKey: price,
    })
    await setPrice({ is_premium_only: false, is_active: false })
    expect((await refused(call('one', {}))).body).toMatchObject({
      code: 'FEATURE_PRICING_MISSING',
      featureKey: price,
    })
    expect(await balance()).toBe(before)
  })

  test('is free and open to every tier while the site has no credits', async () => {
    const call = await paidCalls[name]!()
    const { transactions: before } = await ana.credits.transactions()
    await setPrice({ credits_required: 100_000, is_premium_only: true })
    await world.turnCredits('off')
    await call('one', {})
    expect((await ana.credits.transactions()).transactions).toEqual(before)
    expect(await balance()).toBe(before[0]?.balanceAfter)
    await world.turnCredits('on')
    expect(await balance()).toBe(before[0]?.balanceAfter)
  })

  test('does not take credits that a running caption holds', async () => {
    const call = await paidCalls[name]!()
    const { id } = await ana.accounts.currentUser()
    const caption = { featureKey: 'smart_caption', description: 'A caption that is being written' }
    const hold = await holdCredits(world.ctx, id, caption)
    const whole = await balance()
    await setPrice({ credits_required: whole })
    const left = name === 'enhancement.generate' ? 'available' : 'current'
    expect((await refused(call('one', {}))).body).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      required: whole,
      [left]: whole - 10,
    })
    expect(await balance()).toBe(whole)
    await releaseHold(world.ctx, hold)
    await call('one', {})
    expect(await balance()).toBe(0)
    expect(await findUnbalanced(world.ctx)).toEqual([])
  })

  test('answers by its key: repeated, in conflict, running, interrupted', async () => {
    const call = await paidCalls[name]!()
    const headers = { 'idempotency-key': 'key-1' }
    const first = await call('one', headers)
    const after = await balance()
    expect(await call('one', headers)).toEqual(first)
    expect(await balance()).toBe(after)
    expect((await refused(call('other', headers))).body).toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
    const keys = world.ctx.db.updateTable('idempotency_keys').set({ status: null, body: null })
    const [past, future] = [-60_000, 60_000].map((ms) => new Date(world.clock.now().getTime() + ms))
    await keys.set({ charged: false, lease_until: future! }).execute()
    expect((await refused(call('one', headers))).body).toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
    })
    await keys.set({ charged: true, lease_until: past! }).execute()
    expect((await refused(call('one', headers))).body).toMatchObject({ code: 'INTERRUPTED' })
    const bad = { 'idempotency-key': 'x'.repeat(201) }
    expect((await refused(call('one', bad))).status).toBe(400)
  })
})
