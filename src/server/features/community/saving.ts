/**
 * Saves a publication as one's own session. The media is copied first. Then one transaction charges,
 * inserts the session and claims the copies. If it fails, the copies are removed.
 */
import { posix } from 'node:path'
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import type { Settle, SignedInUser } from '../../http/caller.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { problem } from '../../http/problem.ts'
import { Settled } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import { inAccountTurn, refuseUnaffordable, spend } from '../credits/credits.ts'
import {
  claimFiles,
  copyAllUnclaimed,
  measureCopies,
  publicName,
  recordCopies,
  removeFiles,
  withPublicNames,
} from '../files/files.ts'
import type { FileCopy } from '../files/files.ts'
import { refuseBlockedHashes } from '../moderation/moderation.ts'
import { refuseOverQuota } from '../quota/quota.ts'
import { insertImported, takeSessionId } from '../sessions/sessions.ts'
import { ownFile, sessionFolder } from '../vault/vault.ts'
import { refuseUnverified } from './adult-publications.ts'
import { publishedFile } from './copying.ts'
import type { PublishedSession } from './save-queries.ts'
import { findPublished, findSaved, insertSave, lockPublished } from './save-queries.ts'

type Save = Call<typeof api.community.save>

const featureKey = 'session_create'

export function saveCommunitySession(ctx: Context, { user, params, settle }: Save) {
  // In turn, so that only the first of many concurrent calls copies files.
  return ctx.turns.inTurn(`save:${user.id}:${params.id}`, async () => {
    try {
      return await save(ctx, user, params.id, settle)
    } catch (error) {
      // It was republished or withdrawn during the copy. The second try finds out.
      if (!(error instanceof FileMissing)) throw error
      return save(ctx, user, params.id, settle).catch(refuseMissing)
    }
  })
}

/** Gives a publication to a user, without a charge. */
export async function savePublished(ctx: Context, userId: string, id: number): Promise<void> {
  const settle: Settle = async (work) => new Settled(await work(ctx))
  await save(ctx, { id: userId, ageVerified: false, isGift: true }, id, settle)
}

type Taker = Pick<SignedInUser, 'id' | 'ageVerified'> & { readonly isGift?: boolean }

async function save(ctx: Context, user: Taker, id: number, settle: Settle) {
  const published = await findPublished(ctx, id)
  requireSavable(user, published)
  const saved = await findSaved(ctx, id, user.id)
  if (saved !== null) return settle(async () => answer(saved, { reused: true }))
  const sessionId = await takeSessionId(ctx)
  const copies = copiesOf(user.id, sessionId, published)
  const sizes = await measureCopies(ctx, copies)
  await refuseOverQuota(
    ctx,
    user.id,
    sizes.reduce((sum, { size }) => sum + size, 0),
  )
  if (!user.isGift) await refuseUnaffordable(ctx, user.id, { featureKey })
  await refuseBlockedHashes(ctx, async () =>
    published.slides.map(({ perceptualHashes }) => perceptualHashes),
  )
  await copyAllUnclaimed(ctx, copies, sizes)
  const files = copies.map(({ to }) => to)
  try {
    const settled = await settle((ctx) =>
      inAccountTurn(ctx, user.id, (ctx) => write(ctx, user, published, { sessionId, copies })),
    )
    if (settled.body.reused) await removeFiles(ctx, files)
    return settled
  } catch (error) {
    await removeFiles(ctx, files)
    throw error
  }
}

/** The reserved id of the new session, and the copied files. */
type Copy = { readonly sessionId: number; readonly copies: readonly FileCopy[] }

function copiesOf(userId: string, sessionId: number, published: PublishedSession): FileCopy[] {
  const keys = [
    ...published.slides.flatMap(({ fileKey, thumbnailKey }) => [fileKey, thumbnailKey]),
    published.coverKey,
  ].filter((key) => key !== null)
  return keys.map((key) => ({ from: publishedFile(key), to: copiedFile(userId, sessionId, key) }))
}

async function write(
  ctx: Context,
  user: Taker,
  published: PublishedSession,
  { sessionId, copies }: Copy,
) {
  requireSavable(user, (await lockPublished(ctx, published.id)) ?? null)
  const saved = await findSaved(ctx, published.id, user.id)
  if (saved !== null) return answer(saved, { reused: true })
  if (!user.isGift)
    await spend(ctx, user.id, {
      featureKey,
      description: `Session “${published.title}”`,
      metadata: { communityId: published.id, sessionId },
    })
  await insertOwn(ctx, user.id, sessionId, published)
  await insertSave(ctx, { communityId: published.id, userId: user.id, sessionId })
  await claimFiles(
    ctx,
    copies.map(({ to }) => to),
  )
  await recordCopies(ctx, copies)
  return answer(sessionId, { reused: false })
}

async function insertOwn(
  ctx: Context,
  userId: string,
  sessionId: number,
  { id, coverKey, thumbnail, slides, ...settings }: PublishedSession,
): Promise<void> {
  const ownKey = (key: string | null) => key && copiedFile(userId, sessionId, key).key
  const url = (key: string | null) => key && mediaUrlOf(ctx, ownFile(key))
  const cover = ownKey(coverKey)
  const session = {
    ...settings,
    // Leave out private feeds of the publisher, which no other account can use.
    subfeeds: settings.subfeeds.filter((name) => publicName(ctx, name) === name),
    id: sessionId,
    userId,
    thumbnail: url(cover) ?? thumbnail,
    thumbnailGiven: cover !== null,
    ownThumbnailKey: cover,
    isPublic: false,
    isFavorite: false,
    importSource: 'community',
    importUrl: `community:${id}`,
  }
  const ownSlides = slides.map(({ fileKey, thumbnailKey, ...slide }) => {
    const [ownFileKey, ownThumbnailKey] = [ownKey(fileKey), ownKey(thumbnailKey)]
    return {
      ...withPublicNames(ctx, slide),
      mediaUrl: url(ownFileKey) ?? '',
      thumbnail: url(ownThumbnailKey),
      ownFileKey,
      ownThumbnailKey,
    }
  })
  await insertImported(ctx, session, ownSlides)
}

function requireSavable<
  P extends Pick<PublishedSession, 'status' | 'isHidden' | 'nsfw' | 'isAdult'>,
>(user: Taker, published: P | null): asserts published is P {
  if (published?.status === 'withdrawn') throw problem.withdrawn()
  if (published?.status !== 'published' || published.isHidden) throw problem.notPublic()
  refuseUnverified(user, published)
}

function copiedFile(userId: string, sessionId: number, publishedKey: string): FileAddress {
  return ownFile(`${sessionFolder(userId, sessionId)}${posix.basename(publishedKey)}`)
}

function answer(sessionId: number, { reused }: { reused: boolean }) {
  return { success: true as const, sessionId, reused }
}

function refuseMissing(error: unknown): never {
  if (!(error instanceof FileMissing)) throw error
  throw problem.storageUnreachable({
    message: 'The session’s media cannot be copied at the moment',
  })
}
