/**
 * Captions in the editor. Credits are held before and collected after the response was sent, so that a
 * failed debit never withholds a caption. The hold counts in concurrent calls.
 */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import type { Hold } from '../../credits/credits.ts'
import {
  collectHold,
  writeOffHold,
  holdCredits,
  markHoldOwed,
  releaseHoldOrLog,
} from '../../credits/credits.ts'
import type { PictureMessages } from '../caption-pictures.ts'
import { readCaptionPicture } from '../caption-pictures.ts'
import { asProblem, refuseWithoutProvider } from '../caption-problems.ts'
import type { Material } from '../provider/caption-provider.ts'
import { plainVoice } from '../provider/voices.ts'
import { writeAbout } from '../write-about.ts'

type ManualCall = Call<typeof api.captions.generateManual>

const words: PictureMessages = { field: 'image', animation: () => problem.animationNotSupported() }

export async function generateManualCaption(ctx: Context, call: ManualCall) {
  refuseWithoutProvider(ctx)
  const { user, body, settle } = call
  const charge = { featureKey: 'smart_caption', description: 'Smart caption' }
  const hold = await holdCredits(ctx, user.id, charge)
  try {
    const picture = await readCaptionPicture(ctx, body.image, words)
    const material = materialOf(body.context)
    const order = { purpose: 'manual', voice: plainVoice(), material } as const
    const caption = await writeAbout(ctx, picture, order)
    const settled = await settle(async (ctx) => {
      await markHoldOwed(ctx, hold)
      return { caption }
    })
    return settled.followedBy(({ wasSent }) => endHold(ctx, hold, wasSent))
  } catch (error) {
    await releaseHoldOrLog(ctx, hold)
    throw asProblem(ctx, error, { namesModel: false })
  }
}

/**
 * Collects the hold if the response was sent or has an Idempotency-Key: with a key, a caller who
 * disconnected can get the caption again. Otherwise the caption is lost and costs nothing.
 */
function endHold(ctx: Context, hold: Hold, wasSent: boolean): Promise<void> {
  return wasSent || ctx.claim !== null ? collectHold(ctx, hold) : writeOffHold(ctx, hold)
}

function materialOf(context: ManualCall['body']['context']): Material {
  return {
    sessionTitle: context.sessionTitle,
    position: { index: context.index, total: context.total },
    previousCaptions: context.previousCaptions ?? [],
    nextCaptions: context.nextCaptions ?? [],
    steering: context.userSteering,
    stage: context.sessionStage,
  }
}
