/**
 * Rewrites captions. Credits are charged in the transaction that stores the response, so failures cost
 * nothing.
 */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import type { Call } from '../../../http/route.ts'
import { forEachLimit } from '../../../platform/concurrency/semaphore.ts'
import {
  holdCredits,
  inAccountTurn,
  releaseHold,
  releaseHoldOrLog,
  spendHold,
} from '../../credits/credits.ts'
import { requireOwn } from '../../sessions/sessions.ts'
import { asProblem, refuseUnverified, refuseWithoutProvider } from '../caption-problems.ts'
import { forSession } from '../playback/playback.ts'
import type { CaptionOrder } from '../provider/caption-provider.ts'
import { plainVoice } from '../provider/voices.ts'

type BatchCall = Call<typeof api.captions.rewriteBatch>

const batchAtOnce = 6
// A hundred captions need half of it. A provider that hangs must not block the caller for longer.
const batchBudgetMs = 60_000

export async function rewriteCaption(ctx: Context, call: Call<typeof api.captions.rewrite>) {
  refuseWithoutProvider(ctx)
  const { user, body, settle } = call
  const charge = { featureKey: 'caption_rewrite', description: 'Caption rewritten' }
  const hold = await holdCredits(ctx, user.id, charge)
  try {
    const { caption, instruction, context } = body
    const rewritten = await ctx.captions.write({
      purpose: 'rewrite',
      voice: plainVoice(),
      material: {
        caption,
        instruction,
        sessionTitle: context?.sessionTitle,
        previousCaptions: context?.previousCaptions ?? [],
        nextCaptions: context?.nextCaptions ?? [],
      },
      picture: null,
    })
    return await settle((ctx) =>
      inAccountTurn(ctx, user.id, async (ctx) => {
        await spendHold(ctx, hold, 1)
        return { caption: rewritten }
      }),
    )
  } catch (error) {
    await releaseHoldOrLog(ctx, hold)
    throw asProblem(ctx, error, { namesModel: false })
  }
}

export async function rewriteCaptions(ctx: Context, call: BatchCall) {
  refuseWithoutProvider(ctx)
  const { user, body, settle } = call
  const manner = await mannerOf(ctx, call)
  const count = body.captions.length
  const hold = await holdCredits(ctx, user.id, {
    featureKey: 'caption_batch_rewrite',
    description: count === 1 ? 'One caption rewritten' : 'Captions rewritten',
    quantity: count,
  })
  try {
    const written = await rewriteAll(ctx, body, manner)
    const captions = body.captions.map(({ index, caption }, n) => ({
      index,
      caption: written[n] ?? caption,
    }))
    const failed = body.captions.flatMap(({ index }, n) => (written[n] === null ? [index] : []))
    const quantity = count - failed.length
    return await settle((ctx) =>
      inAccountTurn(ctx, user.id, async (ctx) => {
        if (quantity === 0) await releaseHold(ctx, hold)
        const { charged } = quantity === 0 ? { charged: 0 } : await spendHold(ctx, hold, quantity)
        return { captions, creditsCharged: charged, failed }
      }),
    )
  } catch (error) {
    await releaseHoldOrLog(ctx, hold)
    throw asProblem(ctx, error, { namesModel: false })
  }
}

type Manner = Pick<CaptionOrder, 'voice' | 'material'>

/** Returns the voice of the session, if one is named. */
async function mannerOf(ctx: Context, { user, body }: BatchCall): Promise<Manner> {
  if (!body.sessionId) return { voice: plainVoice(), material: {} }
  const session = await requireOwn(ctx, user.id, body.sessionId)
  const manner = forSession(ctx, session, { title: null, subfeed: session.subfeeds[0] ?? null })
  refuseUnverified(user, manner.voice)
  return {
    voice: manner.voice,
    material: { wish: manner.material.wish, sessionTitle: session.title },
  }
}

/** Returns null for each caption that failed. */
async function rewriteAll(
  ctx: Context,
  { captions, instruction }: BatchCall['body'],
  { voice, material }: Manner,
): Promise<(string | null)[]> {
  const signal = AbortSignal.timeout(batchBudgetMs)
  const written: (string | null)[] = captions.map(() => null)
  await forEachLimit(captions.entries(), batchAtOnce, async ([n, { caption }]) => {
    const order: CaptionOrder = {
      purpose: 'rewrite',
      voice,
      material: { ...material, caption, instruction },
      picture: null,
    }
    written[n] = await ctx.captions.write(order, { signal }).catch((error: unknown) => {
      ctx.log.warn(
        { event: 'caption_failed', err: error },
        'failed to rewrite a caption of a batch',
      )
      return null
    })
  })
  return written
}
