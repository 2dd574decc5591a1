/** Transfers that are matched by their amount, on a real chain with reorganisations and outages. */
import { expect, test } from 'vitest'
import { createWeb3 } from '../../src/server/features/payments/adapters/web3.ts'
import type { Chain as PaymentChain } from '../../src/server/features/payments/payment-method.ts'
import { ProviderUnavailable } from '../../src/server/features/payments/payment-method.ts'
import { watchTransfers } from '../../src/server/features/payments/web3-watcher.ts'
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

describeOnChain('a transfer without a submitted transaction', () => {
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

  test('is found once, even if it was made twice', async () => {
    const { amount, status } = await begin()
    await chain.transfer(amount)
    await chain.transfer(amount)
    await chain.mine(3)
    await watch()
    await watch()
    expect([await status(), await balanceOf(ana)]).toEqual(['completed', 300])
  })

  test('is found after the payment expired, for 30 days', async () => {
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

  test('is found in more blocks than a node scans at once', async () => {
    const { amount, status } = await begin()
    await chain.mine(12)
    await chain.transfer(amount)
    await chain.mine(13)
    const web3 = { ...world.ctx.payments.web3!, blocksAtOnce: 5 }
    await watchTransfers({ ...world.ctx, payments: { ...world.ctx.payments, web3 } })
    expect(await status()).toBe('completed')
  })

  test('is not searched twice on a settled chain', async () => {
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

describeOnChain('a chain reorganisation', () => {
  test('returns a payment to pending; the transfer counts when it is back', async () => {
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

  test('and puts the same transfer into a later block starts the confirmations again', async () => {
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

  test('by anvil_reorg of the blocks above keeps the transfer', async () => {
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

describeOnChain('a node outage', () => {
  test('loses nothing: submitted and other transfers are found when it is back', async () => {
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

  test('between two checks of a transfer keeps it confirming', async () => {
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

  test('a node of another chain than the settings, or without the token, is not used', async () => {
    const order = { reference: '', title: '', description: '', priceCents: 1999 }
    const settings = {
      rpcUrl: chain.settings.WEB3_RPC_URL,
      chainId: 31_337,
      token: chain.token,
      recipient: chain.recipient,
      confirmations: 3,
    }
    const begin = (change: object) => createWeb3({ ...settings, ...change }, { fetch }).begin(order)
    expect((await begin({})).minAmount).toBe(19_990_001n)
    await expect(begin({ chainId: 1 })).rejects.toThrow(ProviderUnavailable)
    await expect(begin({ token: chain.stranger })).rejects.toThrow(ProviderUnavailable)
  })
})
