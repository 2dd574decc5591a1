/** Playing a session. Whoever plays pays for slides with AI captions, each once in a play. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { problem } from '../../problem.ts'
import { summariseCredits } from '../credits/credits.ts'
import { inAccountTurn, spend } from '../credits/spending.ts'
import { requireReadable } from './access.ts'
import { findOwnPlay, insertPlay, insertViews } from './play-queries.ts'

export async function playSession(ctx: Context, call: Call<typeof api.sessions.play>) {
  const session = await requireReadable(ctx, call, call.params.id)
  const playId = await insertPlay(ctx, { sessionId: session.id, userId: call.user.id })
  return { playId, credits: await balanceOf(ctx, call.user.id) }
}

export function viewSlides(
  ctx: Context,
  { user, params, body, settle }: Call<typeof api.sessions.view>,
) {
  return settle(async (ctx) => {
    const play = await findOwnPlay(ctx, params.playId, user.id)
    if (!play) throw problem.playNotFound()
    return inAccountTurn(ctx, user.id, async (ctx) => {
      const { sessionId } = play
      const view = { playId: params.playId, sessionId, mediaIds: body.mediaIds }
      const shown = await insertViews(ctx, view)
      if (!play.isCharged || shown === 0)
        return { charged: 0, balance: await balanceOf(ctx, user.id) }
      const { charged, balance } = await spend(ctx, user.id, {
        featureKey: 'session_slide_view',
        description: shown === 1 ? 'One slide shown' : `${shown} slides shown`,
        quantity: shown,
        metadata: { playId: params.playId, sessionId },
      })
      return { charged, balance }
    })
  })
}

async function balanceOf(ctx: Context, userId: string): Promise<number> {
  const summary = await summariseCredits(ctx, userId)
  return summary?.balance ?? 0
}
