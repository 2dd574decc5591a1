/**
 * How many event streams an account may have open, on all nodes together: each holds one of its
 * numbered slots. The slots of a node are a lease that the node renews; when it has run out, others
 * may take them, and the node lets its streams go.
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
  /** Null where the account has no more. */
  acquire(userId: string): Promise<Slot | null>
  release(slots: readonly Slot[]): Promise<void>
  /** To be called well within a minute, while there are streams. */
  renew(): Promise<void>
  close(): Promise<void>
}

export function createStreamSlots(
  ctx: Pick<Context, 'db' | 'newId'>,
  { onLost }: { onLost: (nodeId: string) => void },
): StreamSlots {
  let registration: Promise<string> | null = null

  /** Under a new name each time: the slots of the old one may be others' by now. */
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
      // Each turn means that another stream got a slot, a dead node was found, or we register anew.
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
