/** A world with a blockchain, two users who pay by transfer, and the transfer watcher. */
import type { Hex } from 'viem'
import { expect } from 'vitest'
import type { Chain } from './chain.ts'
import { rpcKey, startChain } from './chain.ts'
import type { PaymentWorld } from './payment-world.ts'
import { createPaymentWorld } from './payment-world.ts'
import { recordingWorldLog } from './recording-log.ts'
import type { Person } from './world.ts'

export type ChainWorld = PaymentWorld & {
  readonly chain: Chain
  /** Starts a payment by transfer, by default for a package. */
  readonly begin: (person: Person, body?: object) => Promise<TransferPayment>
  /** Runs the watcher once, as its job. */
  readonly watch: () => Promise<void>
  readonly balanceOf: (person: Person) => Promise<number>
}

type TransferPayment = {
  readonly made: Awaited<ReturnType<Person['payments']['create']>>
  readonly amount: bigint
  readonly status: () => Promise<string>
  readonly submit: (txHash: Hex) => ReturnType<Person['payments']['submitTransaction']>
}

export async function createChainWorld(): Promise<ChainWorld> {
  const { log, lines } = recordingWorldLog()
  const chain = await startChain()
  const world = await createPaymentWorld(chain.settings, { log })
  return {
    ...world,
    chain,
    async begin(person, body = { packageId: 'starter' }) {
      const made = await person.payments.create({ body: { ...body, method: 'web3' } as never })
      const params = { id: String(made.paymentId) }
      return {
        made,
        amount: BigInt(made.transfer?.amount ?? 0),
        status: () => world.statusOf(person, made.paymentId),
        submit: (txHash) => person.payments.submitTransaction({ params, body: { txHash } }),
      }
    },
    async watch() {
      await world.ctx.queue.send(world.ctx.db, 'watch-transfers', {}, {})
      await world.runJobs()
    },
    balanceOf: async (person) => (await person.credits.balance()).balance,
    async reset() {
      await world.reset()
      chain.door.setOutage('none')
    },
    /** Closes the world and checks that no log line contains the node's key. */
    async close() {
      await world.close()
      await chain.close()
      expect(lines.filter((line) => line.includes(rpcKey))).toEqual([])
      expect(lines.length).toBeGreaterThan(0)
    },
  }
}
