/** Payments by a transfer, on a real chain that the test starts. */
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findUnbalanced } from '../../src/server/features/credits/queries.ts'
import { createWeb3 } from '../../src/server/features/payments/adapters/web3.ts'
import type { Chain as PaymentChain } from '../../src/server/features/payments/payment-method.ts'
import { ProviderUnavailable } from '../../src/server/features/payments/payment-method.ts'
import { reserveTransfer } from '../../src/server/features/payments/transfers.ts'
import { watchTransfers } from '../../src/server/features/payments/web3-watcher.ts'
import type { Chain } from '../support/chain.ts'
import { rpcKey, startChain } from '../support/chain.ts'
import type { PaymentWorld } from '../support/payment-world.ts'
import { createPaymentWorld } from '../support/payment-world.ts'
import { recordingWorldLog } from '../support/recording-log.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let chain: Chain
let world: PaymentWorld
let ana: Person
let bo: Person
const { log, lines } = recordingWorldLog()

beforeAll(async () => {
  chain = await startChain()
  world = await createPaymentWorld(chain.settings, { log })
})
beforeEach(async () => {
  await world.reset()
  chain.door.setOutage('none')
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  await world.setTier(ana, 'joi_curious')
})
afterAll(async () => {
  expect(await findUnbalanced(world.ctx)).toEqual([])
  expect(lines.filter((line) => line.includes(rpcKey))).toEqual([])
  expect(lines.length).toBeGreaterThan(0)
  await world.close()
  await chain.close()
})

const balanceOf = async (person: Person) => (await person.credits.balance()).balance

async function begin(person: Person = ana, body: object = { packageId: 'starter' }) {
  const made = await person.payments.create({ body: { ...body, method: 'web3' } as never })
  const params = { id: String(made.paymentId) }
  return {
    made,
    amount: BigInt(made.transfer?.amount ?? 0),
    status: () => world.statusOf(person, made.paymentId),
    submit: (txHash: Hex) => person.payments.submitTransaction({ params, body: { txHash } }),
  }
}

const watch = async () => {
  await world.ctx.queue.send(world.ctx.db, 'watch-transfers', {}, {})
  await world.runJobs()
}

describe('a transfer to make', () => {
  test('names chain, token, recipient and an amount that is only this payment’s', async () => {
    const { made, amount } = await begin()
    expect(made.transfer).toEqual({
      chainId: 31_337,
      token: chain.token.toLowerCase(),
      recipient: chain.recipient.toLowerCase(),
      amount: String(amount),
      reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(amount > 14_990_000n && amount < 15_000_000n).toBe(true)
    const others = await Promise.all(Array.from({ length: 20 }, () => begin(bo, { tier: 'vip' })))
    expect(new Set(others.map(({ amount }) => amount)).size).toBe(20)
  })

  test('takes another amount where one is in use, and is refused when none is left', async () => {
    const ids: number[] = []
    for (let count = 0; count < 3; count += 1) ids.push((await begin()).made.paymentId)
    await world.ctx.db.deleteFrom('payment_transfers').execute()
    const terms = { leastAmount: 5n, mostAmount: 6n, head: 0 }
    const web3 = { ...world.ctx.payments.web3!, begin: async () => terms }
    const order = { reference: '', title: '', description: '', priceCents: 1 }
    const reserve = (id: number) => reserveTransfer(world.ctx, web3, id, order)
    await reserve(ids[0]!)
    await reserve(ids[1]!)
    await expect(reserve(ids[2]!)).rejects.toThrow('Too many payments')
    const rows = await world.ctx.db.selectFrom('payment_transfers').select('amount').execute()
    expect(rows.map(({ amount }) => amount).toSorted()).toEqual(['5', '6'])
  })

  test('cannot be begun while the chain cannot be read', async () => {
    for (const outage of ['hangs up', 'server error', 'nonsense', 'redirect'] as const) {
      chain.door.setOutage(outage)
      const body = { tier: 'vip', method: 'web3' } as const
      const refusal = await refused(ana.payments.create({ body }))
      expect(refusal).toMatchObject({ status: 503, body: { code: 'PAYMENT_METHOD_UNAVAILABLE' } })
    }
    expect((await ana.payments.list()).items.every(({ status }) => status === 'failed')).toBe(true)
  })
})

describe('a transfer that was submitted', () => {
  test('counts once three blocks confirm it, and is credited once', async () => {
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

  test('with enough blocks on it already is completed at once, ten times over too', async () => {
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

  test('of more is refused: it could be anybody’s', async () => {
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

describe('one transaction', () => {
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

  test('with two transfers in it pays for the first that is claimed only', async () => {
    const [mine, theirs] = [await begin(ana, { tier: 'vip' }), await begin(bo, { tier: 'vip' })]
    const hash = await chain.transferEach([mine.amount, theirs.amount])
    await chain.mine(3)
    await mine.submit(hash)
    const refusal = await refused(theirs.submit(hash))
    expect(refusal).toMatchObject({ status: 400, body: { code: 'ALREADY_EXISTS' } })
    await watch()
    expect([await mine.status(), await theirs.status()]).toEqual(['completed', 'pending'])
  })

  test('that two claim at the same moment goes to one of them', async () => {
    const pairs = Array.from({ length: 5 }, async () => {
      const [mine, theirs] = [await begin(ana, { tier: 'vip' }), await begin(bo, { tier: 'vip' })]
      const hash = await chain.transferEach([mine.amount, theirs.amount])
      await chain.mine(2)
      const outcomes = await Promise.allSettled([mine.submit(hash), theirs.submit(hash)])
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    })
    await Promise.all(pairs)
  })
})

describe('a transfer that nobody submits', () => {
  test('is found by its amount', async () => {
    const [mine, theirs] = [await begin(), await begin(bo, { tier: 'joi_curious' })]
    await chain.transfer(mine.amount)
    await watch()
    expect([await mine.status(), await theirs.status()]).toEqual(['confirming', 'pending'])
    await chain.transfer(theirs.amount)
    await chain.mine(3)
    await watch()
    expect([await mine.status(), await theirs.status()]).toEqual(['completed', 'completed'])
    expect([await balanceOf(ana), await balanceOf(bo)]).toEqual([300, 1000])
  })

  test('is found once, even where it was made twice', async () => {
    const { amount, status } = await begin()
    await chain.transfer(amount)
    await chain.transfer(amount)
    await chain.mine(3)
    await watch()
    await watch()
    expect([await status(), await balanceOf(ana)]).toEqual(['completed', 300])
  })

  test('is found after the payment ran out, for 30 days', async () => {
    const [late, tooLate] = [await begin(), await begin()]
    const runJob = async (name: string) => {
      await world.ctx.queue.send(world.ctx.db, name, {}, {})
      await world.runJobs()
    }
    const days = (count: number) => world.clock.advance(count * 86_400_000)
    days(6)
    await runJob('expire-payments')
    expect(await late.status()).toBe('expired')
    await chain.transfer(late.amount)
    await chain.mine(3)
    await runJob('watch-transfers')
    expect(await late.status()).toBe('completed')
    days(25)
    await runJob('expire-payments')
    const hash = await chain.transfer(tooLate.amount)
    await chain.mine(3)
    await runJob('watch-transfers')
    days(-31)
    expect((await refused(tooLate.submit(hash))).body).toMatchObject({ code: 'INVALID_INPUT' })
    expect([await tooLate.status(), await balanceOf(ana)]).toEqual(['expired', 300])
  })

  test('is found in more blocks than a node looks through at once', async () => {
    const { amount, status } = await begin()
    await chain.mine(12)
    await chain.transfer(amount)
    await chain.mine(13)
    const web3 = { ...world.ctx.payments.web3!, blocksAtOnce: 5 }
    await watchTransfers({ ...world.ctx, payments: { ...world.ctx.payments, web3 } })
    expect(await status()).toBe('completed')
  })

  test('is not looked for twice where the chain is settled', async () => {
    const { status } = await begin()
    await chain.mine(30)
    await watch()
    const stretches: number[] = []
    const web3: PaymentChain = {
      ...world.ctx.payments.web3!,
      findTransfers: async ({ from, to }) => {
        stretches.push(to - from + 1)
        return []
      },
    }
    await watchTransfers({ ...world.ctx, payments: { ...world.ctx.payments, web3 } })
    expect(stretches).toEqual([6])
    expect(await status()).toBe('pending')
  })
})

describe('a chain that changes its mind', () => {
  test('takes a payment back to where it was; the transfer counts when it is there again', async () => {
    const { amount, status } = await begin()
    const snapshot = await chain.client.snapshot()
    const hash = await chain.transfer(amount)
    await chain.mine(1)
    await watch()
    expect(await status()).toBe('confirming')
    await chain.client.revert({ id: snapshot })
    await chain.mine(2)
    await watch()
    expect(await status()).toBe('pending')
    expect((await ana.payments.list()).items[0]?.txHash).toBeUndefined()
    const again = await chain.transfer(amount)
    await watch()
    expect([await status(), await balanceOf(ana)]).toEqual(['confirming', 50])
    await chain.mine(2)
    await watch()
    expect([await status(), await balanceOf(ana)]).toEqual(['completed', 300])
    expect(hash).toMatch(/^0x/)
    expect(again).toMatch(/^0x/)
  })

  test('and puts the same transfer into a later block begins to count anew', async () => {
    const { amount, status } = await begin()
    const snapshot = await chain.client.snapshot()
    await chain.transfer(amount)
    await chain.mine(1)
    await watch()
    await chain.client.revert({ id: snapshot })
    await chain.mine(1)
    await chain.transfer(amount)
    await watch()
    expect([await status(), await balanceOf(ana)]).toEqual(['confirming', 50])
    await chain.mine(1)
    await watch()
    expect([await status(), await balanceOf(ana)]).toEqual(['confirming', 50])
    await chain.mine(1)
    await watch()
    expect([await status(), await balanceOf(ana)]).toEqual(['completed', 300])
  })

  test('by anvil_reorg of the blocks above leaves the transfer where it is', async () => {
    const { amount, status } = await begin()
    await chain.transfer(amount)
    await chain.mine(1)
    await watch()
    await chain.client.request({ method: 'anvil_reorg', params: [1, []] } as never)
    await watch()
    expect(await status()).toBe('confirming')
    await chain.mine(2)
    await watch()
    expect(await status()).toBe('completed')
  })
})

describe('a node that does not answer', () => {
  test('loses nothing: what was submitted and what was not is found when it is back', async () => {
    const [told, untold] = [await begin(), await begin(bo, { tier: 'vip' })]
    const hash = await chain.transfer(told.amount)
    await chain.transfer(untold.amount)
    for (const outage of ['hangs up', 'server error', 'nonsense'] as const) {
      chain.door.setOutage(outage)
      expect(await told.submit(hash)).toMatchObject({ status: 'pending' })
      await watch()
    }
    await chain.mine(3)
    expect([await told.status(), await untold.status()]).toEqual(['pending', 'pending'])
    chain.door.setOutage('none')
    await watch()
    expect([await told.status(), await untold.status()]).toEqual(['completed', 'completed'])
    expect([await balanceOf(ana), await balanceOf(bo)]).toEqual([300, 5000])
  })

  test('between two looks at a transfer leaves it confirming', async () => {
    const { amount, status } = await begin()
    await chain.transfer(amount)
    await watch()
    chain.door.setOutage('hangs up')
    await watch()
    expect(await status()).toBe('confirming')
    chain.door.setOutage('none')
    await chain.mine(2)
    await watch()
    expect(await status()).toBe('completed')
  })

  test('of another chain than the settings say, or without the token, is not used', async () => {
    const order = { reference: '', title: '', description: '', priceCents: 1999 }
    const settings = {
      rpcUrl: chain.settings.WEB3_RPC_URL,
      chainId: 31_337,
      token: chain.token,
      recipient: chain.recipient,
      confirmations: 3,
    }
    const begin = (change: object) => createWeb3({ ...settings, ...change }, { fetch }).begin(order)
    expect((await begin({})).leastAmount).toBe(19_990_001n)
    await expect(begin({ chainId: 1 })).rejects.toThrow(ProviderUnavailable)
    await expect(begin({ token: chain.stranger })).rejects.toThrow(ProviderUnavailable)
  })
})
