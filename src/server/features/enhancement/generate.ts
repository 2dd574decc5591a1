/**
 * Enhances a picture. It is checked and charged before the work begins, and refunded once when there is
 * no result (contract 4.6). A lease holds the generation's row while this node works on it, so that a
 * sweep can end generations of a crashed node.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { api } from '../../../contract/api.ts'
import type { ProviderName, Quality } from '../../../contract/enhancement.ts'
import { paidProblems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { Problem, problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { keepRenewed } from '../../leases/lease.ts'
import type { Release } from '../../platform/concurrency/semaphore.ts'
import { StorageUnreachable } from '../../platform/storage/storage.ts'
import type { Spent } from '../credits/credits.ts'
import { inAccountTurn, lockAccount, spend } from '../credits/credits.ts'
import { removeFiles } from '../files/files.ts'
import { refuseOverQuota } from '../quota/quota.ts'
import type { Accepted } from './endings.ts'
import { completeGeneration, failGeneration, featureKeys, GenerationEnded } from './endings.ts'
import { UnsafePicture } from './enhancer.ts'
import { filesOf, storeInputs, storeResult } from './generation-files.ts'
import { enhanceByOrder, NothingMade, providerOrder } from './providers-in-order.ts'
import { insertGeneration, leaseOf } from './queries.ts'
import type { JudgedPicture } from './upload-input.ts'
import { judgeUpload } from './upload-input.ts'
import { refuseOverLimits } from './usage.ts'

type GenerateCall = Call<typeof api.enhancement.generate>

/** Generates an enhancement. The route calls `requireConsent` before it reads the picture. */
export async function generate(ctx: Context, call: GenerateCall) {
  const release = ctx.enhancers.semaphore.tryAcquire() ?? (await waitForPermit(ctx, call))
  try {
    const judged = await judgeUpload(ctx, call.form.file)
    return await enhance(ctx, call, judged)
  } finally {
    release()
  }
}

/**
 * Checks everything before it waits for a permit, so that a caller does not wait only to be refused. The
 * result of the check is not kept in memory.
 */
async function waitForPermit(ctx: Context, { user, form }: GenerateCall): Promise<Release> {
  const { semaphore, longestWaitMs } = ctx.enhancers
  await judgeUpload(ctx, form.file)
  await refuseOverLimits(ctx, user.id)
  return semaphore.acquire({ signal: AbortSignal.timeout(longestWaitMs) }).catch(() => {
    throw problem.providerUnavailable()
  })
}

async function enhance(ctx: Context, { user, form, settle }: GenerateCall, judged: JudgedPicture) {
  const { quality } = form.fields
  await refuseOverQuota(ctx, user.id, judged.picture.bytes.length)
  const order = await providerOrder(ctx, quality)
  const accepted = await accept(ctx, user.id, quality, order[0])
  const stopRenewing = keepRenewed(ctx, leaseOf(accepted.id))
  const files = filesOf(ctx, accepted, judged.frame.format)
  try {
    const startedAtMs = performance.now()
    await storeInputs(ctx, accepted, files, judged)
    const enhanced = await withStop(ctx, (stop) =>
      enhanceByOrder(ctx, judged.frame, {
        order,
        budgetMs: ctx.enhancers.budgetMs[quality],
        stop,
      }),
    )
    const { provider, picture } = enhanced
    await storeResult(ctx, files, picture.bytes)
    const processingTimeMs = Math.round(performance.now() - startedAtMs)
    return await settle(async (ctx) => {
      const { charged, balance } = await completeGeneration(ctx, accepted, {
        provider,
        result: files.result,
        origins: [files.original, files.provider],
        width: picture.width,
        height: picture.height,
        processingTimeMs,
      })
      return {
        success: true as const,
        resultUrl: mediaUrlOf(ctx, files.result),
        generationId: accepted.id,
        quality,
        provider,
        processingTimeMs,
        creditsCharged: charged,
        creditsRemaining: balance,
      }
    })
  } catch (error) {
    await failGeneration(ctx, accepted, reasonOf(error)).catch((failure: unknown) =>
      ctx.log.error(
        { event: 'generation_left', err: failure, id: accepted.id },
        'failed to end a failed enhancement, the sweep will end it',
      ),
    )
    // Removes only files that no row names: a completed generation keeps its files.
    await removeFiles(ctx, Object.values(files))
    throw answerTo(error)
  } finally {
    stopRenewing()
  }
}

/** Checks limits and charges credits in one transaction that locks the account across nodes. */
function accept(
  ctx: Context,
  userId: string,
  quality: Quality,
  requestedProvider: ProviderName,
): Promise<Accepted> {
  return inAccountTurn(ctx, userId, async (ctx) => {
    if ((await lockAccount(ctx, userId)) === null) throw problem.unauthorized()
    await refuseOverLimits(ctx, userId)
    const { debitId, charged } = await charge(ctx, userId, quality)
    const generation = { userId, quality, requestedProvider, debitId }
    return { id: await insertGeneration(ctx, generation), userId, quality, debitId, charged }
  })
}

/** Charges the credits. Missing credits are a different problem in this endpoint. */
async function charge(ctx: Context, userId: string, quality: Quality): Promise<Spent> {
  const featureKey = featureKeys[quality]
  const description = quality === 'high' ? 'Fine enhancement' : 'Enhancement'
  try {
    return await spend(ctx, userId, { featureKey, description })
  } catch (error) {
    if (!(error instanceof Problem && error.failure === paidProblems.insufficientCredits))
      throw error
    const [required, current] = [Number(error.body['required']), Number(error.body['current'])]
    throw problem.enhancementUnaffordable({ required, available: current, current, featureKey })
  }
}

/** Aborts the work some time after the node starts to stop. */
async function withStop<T>(ctx: Context, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const done = new AbortController()
  const endSoon = () => {
    sleep(ctx.enhancers.stopGraceMs, null, { signal: done.signal, ref: false }).then(
      () => stop.abort(new Error('the service stops')),
      () => {},
    )
  }
  if (ctx.stopping.aborted) endSoon()
  ctx.stopping.addEventListener('abort', endSoon, { once: true, signal: done.signal })
  try {
    return await work(stop.signal)
  } finally {
    done.abort()
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NothingMade) return error.message
  if (error instanceof UnsafePicture) return 'A provider refused the picture'
  if (error instanceof StorageUnreachable) return 'The files could not be stored'
  return 'The work was interrupted'
}

function answerTo(error: unknown): unknown {
  if (error instanceof NothingMade || error instanceof GenerationEnded)
    return problem.providerUnavailable()
  if (error instanceof UnsafePicture) return problem.safetyRejected()
  if (error instanceof StorageUnreachable)
    return problem.storageUnreachable({ message: 'Files cannot be reached at the moment' })
  return error
}
