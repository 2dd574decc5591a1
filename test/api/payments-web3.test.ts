/** Payments by a submitted transfer, on a real chain that the test starts. */
import { expect, test } from 'vitest'
import { reserveTransfer } from '../../src/server/features/payments/transfers.ts'
import type { ChainWorld } from '../support/chain-world.ts'
import { createChainWorld } from '../support/chain-world.ts'
import type { Chain } from '../support/chain.ts'
import { describeOnChain } from '../support/native-packages.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: ChainWorld
let chain: Chain
let ana: Person
let bo: Person

useWorld(createChainWorld, async (fresh) => {
  world = fresh
  ;({ chain } = world)
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  await world.setTier(ana, 'joi_curious')
})

const begin = (person: Person = ana, body?: object) => world.begin(person, body)
const watch = () => world.watch()
const balanceOf = (person: Person) => world.balanceOf(person)

describeOnChain('a transfer to make', () => {
  test('names chain, token, recipient and an amount that is unique to this payment', async () => {
    const { made, amount } = await begin()
    expect(made.transfer).toEqual({
      chainId: 31_337,
      token: chain.token.toLowerCase(),
      recipient: chain.recipient.toLowerCase(),
      amount: String(amount),
      decimals: 6,
      reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(amount > 14_990_000n && amount < 15_000_000n).toBe(true)
    const others = await Promise.all(Array.from({ length: 20 }, () => begin(bo, { tier: 'vip' })))
    expect(new Set(others.map(({ amount }) => amount)).size).toBe(20)
  })

  test('is limited to fewer than twenty per account', async () => {
    for (let count = 0; count < 20; count += 1) await begin(bo, { tier: 'vip' })
    const refusal = await refused(begin(bo, { tier: 'vip' }))
    expect(refusal).toMatchObject({ status: 503, body: { code: 'PAYMENT_METHOD_UNAVAILABLE' } })
    await begin(ana, { tier: 'vip' })
  })

  test('gets another amount if one is in use, and is refused when none is left', async () => {
    const ids: number[] = []
    for (let count = 0; count < 3; count += 1) ids.push((await begin()).made.paymentId)
    await world.ctx.db.deleteFrom('payment_transfers').execute()
    const terms = { minAmount: 5n, maxAmount: 6n, head: 0 }
    const web3 = { ...world.ctx.payments.web3!, begin: async () => terms }
    const order = { reference: '', title: '', description: '', priceCents: 1 }
    const reserve = (id: number) => reserveTransfer(world.ctx, web3, id, order)
    await reserve(ids[0]!)
    await reserve(ids[1]!)
    await expect(reserve(ids[2]!)).rejects.toThrow('Too many payments')
    const rows = await world.ctx.db.selectFrom('payment_transfers').select('amount').execute()
    expect(rows.map(({ amount }) => amount).toSorted()).toEqual(['5', '6'])
  })

  test('cannot start while the chain cannot be read', async () => {
    for (const outage of ['hangs up', 'server error', 'nonsense', 'redirect'] as const) {
      chain.door.setOutage(outage)
      const body = { tier: 'vip', method: 'web3' } as const
      const refusal = await refused(ana.payments.create({ body }))
      expect(refusal).toMatchObject({ status: 503, body: { code: 'PAYMENT_METHOD_UNAVAILABLE' } })
    }
    expect((await ana.payments.list()).items.every(({ status }) => status === 'failed')).toBe(true)
  })
})

describeOnChain('a transfer that was submitted', () => {
  test('completes after three confirmations, and is credited once', async () => {
    const { amount, submit, status } = await begin()
    const hash = await chain.transfer(amount)
    expect(await submit(hash)).toMatchObject({ status: 'confirming', txHash: hash })
    await chain.mine(1)
    await watch()
    expect([await status(), await balanceOf(ana)]).toEqual(['confirming', 50])
    await chain.mine(1)
    await watch()
    await watch()
    expect(await submit(hash)).toMatchObject({ status: 'completed', txHash: hash })
    expect([await status(), await balanceOf(ana)]).toEqual(['completed', 300])
  })

  test('with enough confirmations completes at once, also ten times', async () => {
    const { amount, submit, status } = await begin()
    const hash = await chain.transfer(amount)
    await chain.mine(2)
    await Promise.all([...Array.from({ length: 10 }, () => submit(hash)), watch()])
    expect([await status(), await balanceOf(ana)]).toEqual(['completed', 300])
  })

  test('before it is on the chain waits, and is followed from then on', async () => {
    const { amount, submit, status } = await begin()
    await chain.client.setAutomine(false)
    const hash = await chain.transfer(amount)
    expect(await submit(hash)).toMatchObject({ status: 'pending' })
    await watch()
    expect(await status()).toBe('pending')
    await chain.client.setAutomine(true)
    await chain.mine(3)
    await watch()
    expect([await status(), await balanceOf(ana)]).toEqual(['completed', 300])
  })

  test('of less is underpaid and credits nothing; the right amount then completes it', async () => {
    const { amount, submit, status } = await begin()
    expect(await submit(await chain.transfer(amount - 5000n))).toMatchObject({
      status: 'underpaid',
    })
    await chain.mine(3)
    await watch()
    expect([await status(), await balanceOf(ana)]).toEqual(['underpaid', 50])
    await chain.transfer(amount)
    await chain.mine(3)
    await watch()
    expect([await status(), await balanceOf(ana)]).toEqual(['completed', 300])
  })

  test('of less, submitted before it was mined, becomes underpaid by itself', async () => {
    const { amount, submit, status } = await begin()
    await chain.client.setAutomine(false)
    await submit(await chain.transfer(amount - 5000n))
    await chain.client.setAutomine(true)
    await chain.mine(1)
    await watch()
    expect(await status()).toBe('underpaid')
  })

  test('of more is refused: it could belong to another payment', async () => {
    const { amount, submit, status } = await begin()
    const refusal = await refused(submit(await chain.transfer(amount + 1n)))
    expect(refusal).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(await status()).toBe('pending')
  })

  test('of another token, to another recipient, or reverted is refused', async () => {
    const { amount, submit, status } = await begin()
    const token = chain.otherToken
    const wrong = [
      await chain.transfer(amount, { token }),
      await chain.transfer(amount, { to: chain.stranger }),
      await chain.transfer(10n ** 30n),
    ]
    await chain.mine(3)
    const words: unknown[] = []
    for (const hash of wrong) words.push((await refused(submit(hash))).body)
    await watch()
    const error = { error: 'Validation Error', code: 'INVALID_INPUT' }
    const elsewhere = 'The transaction does not transfer the token to the recipient'
    expect(words).toEqual([
      { ...error, message: elsewhere },
      { ...error, message: elsewhere },
      { ...error, message: 'The transaction failed on the chain' },
    ])
    expect([await status(), await balanceOf(ana)]).toEqual(['pending', 50])
  })

  test('from before the payment is refused', async () => {
    const { amount, submit, made } = await begin()
    const hash = await chain.transfer(amount)
    await world.ctx.db
      .updateTable('payment_transfers')
      .set({ from_block: 1_000_000 })
      .where('payment_id', '=', made.paymentId)
      .execute()
    expect((await refused(submit(hash))).status).toBe(400)
  })
})

describeOnChain('one transaction', () => {
  test('pays for one payment: another’s cannot be claimed, before or after', async () => {
    const mine = await begin(ana, { tier: 'vip' })
    const theirs = await begin(bo, { tier: 'vip' })
    const hash = await chain.transfer(mine.amount)
    await chain.mine(3)
    expect((await refused(theirs.submit(hash))).status).toBe(400)
    await mine.submit(hash)
    expect((await refused(theirs.submit(hash))).status).toBe(400)
    expect([await mine.status(), await theirs.status()]).toEqual(['completed', 'pending'])
    expect([await balanceOf(ana), await balanceOf(bo)]).toEqual([5000, 50])
  })

  test('with two transfers pays only for the first claimed one', async () => {
    const [mine, theirs] = [await begin(ana, { tier: 'vip' }), await begin(bo, { tier: 'vip' })]
    const hash = await chain.transferEach([mine.amount, theirs.amount])
    await chain.mine(3)
    await mine.submit(hash)
    const refusal = await refused(theirs.submit(hash))
    expect(refusal).toMatchObject({ status: 400, body: { code: 'ALREADY_EXISTS' } })
    await watch()
    expect([await mine.status(), await theirs.status()]).toEqual(['completed', 'pending'])
  })

  test('that two payments claim at once goes to one of them', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [mine, theirs] = [await begin(ana, { tier: 'vip' }), await begin(bo, { tier: 'vip' })]
      const hash = await chain.transferEach([mine.amount, theirs.amount])
      await chain.mine(2)
      const outcomes = await Promise.allSettled([mine.submit(hash), theirs.submit(hash)])
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    }
  })
})
