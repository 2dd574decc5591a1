/**
 * Ends a generation once: completed, or failed with its credits refunded. When both worker and sweep try,
 * the second changes nothing.
 */
import { z } from 'zod'
import type { ProviderName, Quality } from '../../../contract/enhancement.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { defineJob } from '../../jobs/job.ts'
import { endAbandoned } from '../../leases/lease.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { findPrice, findRefund, inAccountTurn, lockAccount, refund } from '../credits/credits.ts'
import { abandonFiles, claimFiles, recordOrigins, removeFiles } from '../files/files.ts'
import {
  deleteFailed,
  findAbandonedGenerations,
  findFailedBefore,
  setCompleted,
  setFailed,
  setRefunded,
} from './queries.ts'

/** A generation that was accepted and charged. */
export type Accepted = {
  readonly id: number
  readonly userId: string
  readonly quality: Quality
  readonly debitId: number | null
  readonly charged: number
}

/** Thrown when the generation has already ended, or its account was deleted. */
export class GenerationEnded extends Error {
  override name = 'GenerationEnded'
}

const failedKeptMs = 24 * 60 * 60 * 1000

/**
 * Completes a generation. Call it in the transaction that stores the response. Fails with
 * GenerationEnded.
 */
export function completeGeneration(
  ctx: Context,
  accepted: Accepted,
  made: {
    provider: ProviderName
    result: FileAddress
    origins: readonly FileAddress[]
    width: number
    height: number
    processingTimeMs: number
  },
): Promise<{ charged: number; balance: number }> {
  return inAccountTurn(ctx, accepted.userId, async (ctx) => {
    const balance = await lockAccount(ctx, accepted.userId)
    const { result, origins } = made
    const isOurs = await setCompleted(ctx, accepted.id, { ...made, resultPath: result.key })
    if (balance === null || !isOurs) throw new GenerationEnded()
    await claimFiles(ctx, [result])
    await recordOrigins(ctx, result, origins)
    const given = await giveBackDifference(ctx, accepted, made.provider)
    return given
      ? { charged: accepted.charged - given.amount, balance: given.balance }
      : { charged: accepted.charged, balance }
  })
}

/** Refunds the difference to the price of 'low' when provider_a did the work of a 'high' request. */
async function giveBackDifference(
  ctx: Context,
  { id, quality, debitId, charged }: Accepted,
  provider: ProviderName,
) {
  if (quality !== 'high' || provider !== 'provider_a' || debitId === null) return null
  const price = await findPrice(ctx, featureKeys.low)
  if (price === null || price >= charged) return null
  const given = await refund(ctx, debitId, 'Enhanced at low quality', charged - price)
  if (given) await setRefunded(ctx, id, { id: given.id, at: ctx.now() })
  return given
}

/** The feature whose price is charged for each quality. */
export const featureKeys = { low: 'image_enhance_low', high: 'image_enhance_high' } as const

/**
 * Fails a generation. Returns null if it had already ended. `refunded` is true when its credits were
 * refunded, now or before.
 */
export function failGeneration(
  ctx: Context,
  { id, userId }: { id: number; userId: string },
  message: string,
  { onlyAbandoned = false }: { onlyAbandoned?: boolean } = {},
): Promise<{ refunded: boolean } | null> {
  return inAccountTurn(ctx, userId, async (ctx) => {
    await lockAccount(ctx, userId)
    const failed = await setFailed(ctx, id, { message, onlyAbandoned })
    if (!failed) return null
    const { debitId } = failed
    if (debitId === null) return { refunded: false }
    await refund(ctx, debitId, 'The enhancement failed')
    // If the call's Idempotency-Key was released, its credits were already refunded.
    const standing = await findRefund(ctx, debitId)
    if (standing) await setRefunded(ctx, id, standing)
    return { refunded: standing !== undefined }
  })
}

/** Fails generations that no node works on: of all users, or of one. */
export async function failAbandoned(
  ctx: Context,
  { userId }: { userId: string | null },
): Promise<{ cleared: number; refunded: number }> {
  const abandoned = await findAbandonedGenerations(ctx, userId)
  const ended = await endAbandoned(ctx, abandoned, (generation) =>
    failGeneration(ctx, generation, 'The work was interrupted', { onlyAbandoned: true }),
  )
  const cleared = ended.filter((each) => each !== null)
  return { cleared: cleared.length, refunded: cleared.filter(({ refunded }) => refunded).length }
}

/** Deletes failed generations and their files after a day. */
export async function removeOldFailed(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - failedKeptMs)
  for (const { id } of await findFailedBefore(ctx, before)) {
    const files = await atomically(ctx, async (ctx) => {
      const paths = await deleteFailed(ctx, id)
      const named = paths.map((key): FileAddress => ({ bucket: 'user-media', key }))
      return abandonFiles(ctx, named)
    })
    await removeFiles(ctx, files)
  }
}

export const failStuckEnhancements = defineJob({
  name: 'fail-stuck-enhancements',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 50,
  schedule: '* * * * *',
  run: async (ctx) => void (await failAbandoned(ctx, { userId: null })),
})

export const sweepFailedEnhancements = defineJob({
  name: 'sweep-failed-enhancements',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 300,
  schedule: '41 * * * *',
  run: removeOldFailed,
})
