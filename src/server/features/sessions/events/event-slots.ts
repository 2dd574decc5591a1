/**
 * Limits the event streams of an account across all nodes: each stream holds one of the account's
 * numbered slots. The slots of a node are a lease that the node renews. After the lease has expired,
 * other nodes may take the slots and the node ends its streams.
 */
import type { Context } from '../../../context.ts'
import type { Slot } from './event-stream-queries.ts'
import {
  deleteNode,
  deleteSilentNodes,
  deleteSlots,
  insertNode,
  takeSlot,
  touchNode,
} from './event-stream-queries.ts'

/** Contract, section 8. */
export const slotsOfAccount = 50

export type StreamSlots = {
  /** Takes a free slot. Returns null if the account has no free one. */
  acquire(userId: string): Promise<Slot | null>
  release(slots: readonly Slot[]): Promise<void>
  /** Renews the lease. Call it well within a minute while streams are open. */
  renew(): Promise<void>
  close(): Promise<void>
}

export function createStreamSlots(
  ctx: Pick<Context, 'db' | 'newId'>,
  { onLost }: { onLost: (nodeId: string) => void },
): StreamSlots {
  let registration: Promise<string> | null = null

  /** Registers under a new id each time: other nodes may have taken the slots of the old one. */
  async function register(): Promise<string> {
    const nodeId = ctx.newId()
    await insertNode(ctx, nodeId)
    return nodeId
  }

  function registered(): Promise<string> {
    const running = (registration ??= register())
    running.catch(() => {
      if (registration === running) registration = null
    })
    return running
  }

  function lose(nodeId: string): void {
    registration = null
    onLost(nodeId)
  }

  return {
    async acquire(userId) {
      // Try again when another stream took the slot, a dead node was removed, or this node must
      // register again.
      for (let tries = 0; tries < slotsOfAccount; tries += 1) {
        const nodeId = await registered()
        const attempt = await takeSlot(ctx, { userId, nodeId, slots: slotsOfAccount })
        if (attempt.slot !== null) return { userId, nodeId, slot: attempt.slot }
        if (!attempt.isNodeKnown) lose(nodeId)
        else if (!attempt.isFree && (await deleteSilentNodes(ctx)) === 0) return null
      }
      return null
    },
    async release(slots) {
      await deleteSlots(ctx, slots)
    },
    async renew() {
      if (!registration) return
      const nodeId = await registration
      if (!(await touchNode(ctx, nodeId))) lose(nodeId)
      await deleteSilentNodes(ctx)
    },
    async close() {
      if (registration) await deleteNode(ctx, await registration)
      registration = null
    },
  }
}
