/** Creates sessions of chosen slides, and edits slides. */
import { isWebAddress } from '../../../../contract/addresses.ts'
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { requireScope } from '../../../http/access.ts'
import type { SignedInUser, Visitor } from '../../../http/caller.ts'
import { requireMediaAddress } from '../../../http/media/media-url.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { mediaTypeOf } from '../../feeds/feeds.ts'
import { removeFiles } from '../../files/files.ts'
import type { VaultSlide } from '../../vault/vault.ts'
import { findOwnMediaAt, findVaultSlides, lockVaultMedia } from '../../vault/vault.ts'
import { lockOwn, requireOwn } from '../access.ts'
import { findSkipped, isBeingCopied } from '../fill/imported-queries.ts'
import type { SessionView } from '../queries.ts'
import { findSession, insertSession } from '../queries.ts'
import { prepareSession } from '../session-endpoints.ts'
import { shareInCommunity } from '../share-in-community.ts'
import { abandonOwnFiles } from './own-files.ts'
import type { NewSlide, Slide } from './slide-columns.ts'
import {
  deleteSlidesExcept,
  findSlides,
  insertSlidesAt,
  insertSlides,
  recountSlides,
  updateSlide,
  updateSlides,
} from './slide-queries.ts'

type ManualSlide = Call<typeof api.sessions.createManual>['body']['slides'][number]

export async function createManualSession(
  ctx: Context,
  call: Call<typeof api.sessions.createManual>,
) {
  const { user, body } = call
  refuseUnreadable(user, body.slides)
  requireMediaAddresses(ctx, body.slides)
  const chosen = await inVault(ctx, user.id, body.slides)
  const shown = chosen.flatMap(({ mediaId }) => mediaId ?? [])
  const fromVault = await findVaultSlides(ctx, user.id, shown)
  return atomically(ctx, async (ctx) => {
    const prepared = await prepareSession(ctx, user.id, body)
    const id = await insertSession(ctx, prepared)
    await lockVaultMedia(ctx, user.id, shown)
    const slides = chosen.map((slide) => slideOf(slide, fromVault))
    await insertSlides(ctx, id, slides)
    const made = await readWhole(ctx, id)
    if (body.shareToCommunity) await shareInCommunity(ctx, call, made.session)
    return made
  })
}

export async function replaceSlides(
  ctx: Context,
  { user, visitor, params, body }: Call<typeof api.sessions.replaceMedia>,
) {
  refuseUnreadable(user, body.slides)
  requireMediaAddresses(ctx, body.slides)
  const chosen = await inVault(ctx, user.id, body.slides)
  const shown = chosen.flatMap(({ id, mediaId }) => (id === undefined && mediaId) || [])
  if (shown.length > 0) await requireOwn(ctx, user.id, params.id)
  const fromVault = await findVaultSlides(ctx, user.id, shown)
  const { dropped, answer } = await atomically(ctx, async (ctx) => {
    const session = await lockOwn(ctx, user.id, params.id)
    refuseStale(visitor, session)
    await lockVaultMedia(ctx, user.id, shown)
    const kept = chosen.flatMap(({ id }) => id ?? [])
    const known = new Set((await findSlides(ctx, session.id)).map(({ id }) => id))
    if (new Set(kept).size !== kept.length || kept.some((id) => !known.has(id)))
      throw problem.mediaNotFound()
    const dropped = await abandonOwnFiles(ctx, session.id, { keptSlides: kept })
    await deleteSlidesExcept(ctx, session.id, kept)
    await updateSlides(
      ctx,
      session.id,
      chosen.flatMap(({ id, caption, durationMs }, position) =>
        id === undefined ? [] : [{ id, caption, durationMs, position }],
      ),
    )
    await insertSlidesAt(
      ctx,
      session.id,
      chosen.flatMap((slide, position) =>
        slide.id === undefined ? [{ ...slideOf(slide, fromVault), position }] : [],
      ),
    )
    return { dropped, answer: await readWhole(ctx, session.id) }
  })
  await removeFiles(ctx, dropped)
  return answer
}

export function changeSlide(
  ctx: Context,
  { user, visitor, params, body }: Call<typeof api.sessions.updateMedia>,
) {
  return atomically(ctx, async (ctx) => {
    const session = await lockOwn(ctx, user.id, params.id)
    refuseStale(visitor, session)
    const changed = await updateSlide(ctx, { id: params.mediaId, sessionId: session.id }, body)
    if (!changed) throw problem.mediaNotFound()
    await recountSlides(ctx, session.id)
    return changed
  })
}

/**
 * Refuses a key that may not read the vault. The response contains the address of each file, so such a
 * key could list the vault by counting ids.
 */
function refuseUnreadable(
  user: SignedInUser,
  slides: readonly { readonly mediaId?: number | undefined }[],
): void {
  if (slides.some(({ mediaId }) => mediaId !== undefined)) requireScope(user, 'media:read')
}

function requireMediaAddresses(
  ctx: Context,
  slides: readonly Pick<ManualSlide, 'mediaUrl' | 'feedPost'>[],
): void {
  for (const { mediaUrl, feedPost } of slides) {
    requireMediaAddress(ctx, 'mediaUrl', mediaUrl)
    requireMediaAddress(ctx, 'feedPost', feedPost?.media_url)
    requireMediaAddress(ctx, 'thumbnail', feedPost?.thumbnail)
  }
}

/**
 * Sets the id of files in the caller's vault that are named by their address, so that both ways work
 * the same.
 */
async function inVault<S extends Pick<ManualSlide, 'mediaUrl' | 'mediaId'>>(
  ctx: Context,
  userId: string,
  slides: readonly S[],
): Promise<S[]> {
  const addresses = slides.flatMap(({ mediaUrl }) => mediaUrl ?? [])
  const ownMedia = await findOwnMediaAt(ctx, userId, addresses)
  return slides.map((slide) => {
    const mediaId = slide.mediaUrl === undefined ? undefined : ownMedia.get(slide.mediaUrl)
    return mediaId === undefined ? slide : { ...slide, mediaId }
  })
}

/** Returns the session after its slides have changed. */
export async function readWhole(ctx: Context, id: number) {
  await recountSlides(ctx, id)
  const session = await findSession(ctx, id)
  if (!session) throw problem.sessionNotFound()
  return {
    session,
    media: await findSlides(ctx, id),
    skipped: await findSkipped(ctx, id),
    isCopying: await isBeingCopied(ctx, id),
  }
}

/** Compares If-Match, quoted or bare, with the session's updatedAt. */
function refuseStale(visitor: Visitor, session: SessionView): void {
  const seen = visitor.header('if-match')?.replace(/^(W\/)?"(.*)"$/, '$2')
  if (seen === undefined || seen === '*' || seen === session.updatedAt) return
  throw problem.staleSession({
    message: 'The session was changed in the meantime',
    updatedAt: session.updatedAt,
  })
}

function slideOf(slide: ManualSlide, fromVault: ReadonlyMap<number, VaultSlide>): NewSlide {
  const { feedPost } = slide
  const mediaUrl = feedPost?.media_url ?? slide.mediaUrl ?? ''
  return {
    mediaUrl,
    thumbnail: feedPost?.thumbnail ?? null,
    caption: slide.caption ?? null,
    type: feedPost?.is_video ? 'video' : mediaTypeOf(mediaUrl),
    title: feedPost?.title ?? null,
    feedPostId: feedPost?.id ?? null,
    feedPostUrl: feedPost?.url || null,
    subfeed: feedPost?.subfeed ?? null,
    alt: feedPost?.alt ?? null,
    credit: feedPost ? creditOf(feedPost) : null,
    durationMs: slide.durationMs ?? null,
    nsfw: feedPost?.nsfw ?? false,
    ...(slide.mediaId === undefined ? {} : fromVault.get(slide.mediaId)),
  }
}

function creditOf({ author, licence, url }: NonNullable<ManualSlide['feedPost']>): Slide['credit'] {
  return { author: author || null, licence: licence ?? null, url: isWebAddress(url) ? url : null }
}
