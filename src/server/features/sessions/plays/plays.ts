/** Plays of a session. The player pays for slides with AI captions, once for each slide in a play. */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import type { Visitor } from '../../../http/caller.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { inAccountTurn, spend, summariseCredits } from '../../credits/credits.ts'
import { findOpenToAnyone, openShare } from '../../share-links/share-links.ts'
import { requireReadable } from '../access.ts'
import { findOwnPlay, insertPlay, insertViews, isGuestPlay } from './play-queries.ts'

export async function playSession(ctx: Context, call: Call<typeof api.sessions.play>) {
  const session = await requireReadable(ctx, call, call.params.id)
  const userId = call.user?.id ?? null
  const playId = await insertPlay(ctx, { sessionId: session.id, userId })
  return { playId, credits: userId === null ? null : await balanceOf(ctx, userId) }
}

export function viewSlides(
  ctx: Context,
  { user, visitor, params, body, settle }: Call<typeof api.sessions.view>,
) {
  if (!user) return settle((ctx) => acknowledgeViews(ctx, visitor, params.playId))
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

/** Stores no views: a visitor without an account pays nothing. */
async function acknowledgeViews(ctx: Context, visitor: Visitor, playId: number) {
  const share = await findOpenToAnyone(ctx, visitor.header('x-share-code'))
  if (!share || !(await isGuestPlay(ctx, playId, share.sessionId))) throw problem.playNotFound()
  await openShare(ctx, visitor, share.code)
  return { charged: 0, balance: null }
}

async function balanceOf(ctx: Context, userId: string): Promise<number> {
  const summary = await summariseCredits(ctx, userId)
  return summary?.balance ?? 0
}
