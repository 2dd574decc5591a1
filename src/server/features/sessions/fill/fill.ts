/**
 * Fills a session from its subfeeds. A fill has a number, so a fill that was overtaken, or runs again
 * after its node died, changes nothing twice.
 */
import { isOwnSource } from '../../../../contract/sources.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { endAbandoned } from '../../../leases/lease.ts'
import { refund } from '../../credits/credits.ts'
import type { FeedMedia } from '../../feeds/feeds.ts'
import { gatherMedia, normaliseMediaUrl } from '../../feeds/feeds.ts'
import { findShowableSlides, lockExistingVaultMedia } from '../../vault/vault.ts'
import { emitEvent } from '../events/events.ts'
import type { NewSlide } from '../slides/slide-columns.ts'
import {
  deleteUntouchedFeedSlides,
  findSlides,
  insertSlides,
  recountSlides,
} from '../slides/slide-queries.ts'
import { renumberSlides } from '../slides/vault-slide-queries.ts'
import type { Fill } from './fill-queries.ts'
import {
  findFill,
  findStuckFills,
  setFillEarned,
  setFillStatus,
  takeFillDebit,
} from './fill-queries.ts'
import { settleRefresh } from './refresh-days.ts'

export const maxSlides = 25

export async function runFill(ctx: Context, fill: Fill): Promise<void> {
  const wanted = await findFill(ctx, fill)
  if (!wanted) return
  await atomically(ctx, async (ctx) => {
    if (await setFillStatus(ctx, fill, 'filling'))
      await emitEvent(ctx, fill.sessionId, 'fill', {
        status: 'filling',
        done: 0,
        total: maxSlides,
      })
  })
  const { userId, subfeeds, ageVerified: withNsfw } = wanted
  const gathered = await gatherMedia(ctx, { userId, subfeeds, withNsfw, max: maxSlides })
  const media = await showVaultMedia(ctx, userId, gathered.media)
  await atomically(ctx, async (ctx) => {
    const left = await lockExistingVaultMedia(ctx, userId, vaultIdsOf(media))
    const there = media.filter(({ vaultMediaId: id }) => id === undefined || left.has(id))
    await finishFill(ctx, fill, there, gathered.complaint)
  })
}

/** Replaces vault files by the versions that others may see. Leaves out files that have no such version. */
async function showVaultMedia(
  ctx: Context,
  userId: string,
  media: readonly FeedMedia[],
): Promise<FeedMedia[]> {
  const shown = await findShowableSlides(ctx, userId, vaultIdsOf(media))
  return media.flatMap((item) => {
    if (item.vaultMediaId === undefined) return item
    const slide = shown.get(item.vaultMediaId)
    return slide ? { ...item, ...slide } : []
  })
}

function vaultIdsOf(media: readonly FeedMedia[]): number[] {
  return media.flatMap(({ vaultMediaId }) => vaultMediaId ?? [])
}

/** Fails fills that no worker will finish, as if their feeds had been empty. */
export async function failStuckFills(ctx: Context): Promise<void> {
  await endAbandoned(ctx, await findStuckFills(ctx), (fill) =>
    atomically(ctx, (ctx) => finishFill(ctx, fill, [], 'The fill was interrupted')),
  )
}

async function finishFill(
  ctx: Context,
  fill: Fill,
  media: readonly FeedMedia[],
  complaint: string | null,
): Promise<void> {
  if (!(await setFillStatus(ctx, fill, 'filling'))) return
  if (media.length > 0) {
    await setFillEarned(ctx, fill.sessionId)
    await deleteUntouchedFeedSlides(ctx, fill.sessionId)
    await renumberSlides(ctx, fill.sessionId)
  }
  const kept = await findSlides(ctx, fill.sessionId)
  const taken = new Set(kept.map(({ mediaUrl }) => normaliseMediaUrl(mediaUrl ?? '')))
  const fresh = media.filter(({ mediaUrl }) => !taken.has(normaliseMediaUrl(mediaUrl)))
  await insertSlides(ctx, fill.sessionId, fresh.map(slideOfMedia), kept.length)
  await recountSlides(ctx, fill.sessionId)
  const count = kept.length + fresh.length
  const status = media.length > 0 || complaint === null ? 'ready' : 'failed'
  await setFillStatus(ctx, fill, status, complaint)
  await settleRefresh(ctx, fill, status)
  // Zero slides can also mean that the owner may not see any of the media.
  if (count === 0) await payBack(ctx, fill.sessionId)
  await emitEvent(ctx, fill.sessionId, 'fill', {
    status,
    done: fresh.length,
    total: maxSlides,
    error: complaint,
  })
  await emitEvent(ctx, fill.sessionId, 'done', { status, mediaCount: count })
  await ctx.publisher.publishFilled(ctx, fill.sessionId)
}

async function payBack(ctx: Context, sessionId: number): Promise<void> {
  const debitId = await takeFillDebit(ctx, sessionId)
  if (debitId !== null) await refund(ctx, debitId, 'The session could not be filled')
}

export function slideOfMedia(media: FeedMedia): NewSlide {
  const { postId, postUrl, author, attribution, licence, focus, ...shown } = media
  const slide = { ...shown, feedPostId: postId, authorFocus: focus }
  // Media from the owner's own sources need no credit, and others must not see where they are stored.
  if (isOwnSource(media.source)) return slide
  const credit = { author: author || attribution || null, licence, url: postUrl }
  return { ...slide, feedPostUrl: postUrl, credit }
}
