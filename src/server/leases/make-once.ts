/** Work that all nodes do only once, such as writing a caption: one does it, the others wait for its result. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import type { Lease } from './lease.ts'
import { releaseLease, withLease } from './lease.ts'

const lookAgainMs = 200

type Work<Result> = {
  /** Returns the stored result, or undefined if it is to be made. */
  readonly find: () => Promise<Result | undefined>
  /** Returns null if another holds the lease, or the result was just stored. */
  readonly acquire: () => Promise<Lease | null>
  /** Makes and stores the result. Returns undefined if another node has taken over. */
  readonly make: (lease: Lease) => Promise<Result | undefined>
  readonly longestWaitMs: number
}

/** Returns the stored result, makes it, or waits for the node that does. Returns undefined after that wait. */
export async function makeOnce<Result>(
  ctx: Context,
  { find, acquire, make, longestWaitMs }: Work<Result>,
): Promise<Result | undefined> {
  const deadlineMs = performance.now() + longestWaitMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    const lease = await acquire()
    const made = lease ? await withLease(ctx, lease, () => makeHeld(ctx, lease, make)) : undefined
    if (made !== undefined) return made
    if (performance.now() > deadlineMs) return undefined
    await sleep(lookAgainMs)
  }
}

async function makeHeld<Result>(
  ctx: Context,
  lease: Lease,
  make: Work<Result>['make'],
): Promise<Result | undefined> {
  try {
    return await make(lease)
  } catch (error) {
    // If even this fails, the lease expires.
    await releaseLease(ctx, lease).catch((failed: unknown) =>
      ctx.log.warn(
        { event: 'lease_left', err: failed },
        'failed to release a lease, it will expire',
      ),
    )
    throw error
  }
}
