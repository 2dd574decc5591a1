/**
 * Results of the picture tools: charged in the transaction that inserts their row, and kept for a day
 * or in the vault. A hold reserves the price while a tool works, so that no work stays unpaid.
 */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { Settle } from '../../http/caller.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { Problem, problem } from '../../http/problem.ts'
import type { Settled } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import { holdCredits, releaseHoldOrLog, spendHold } from '../credits/credits.ts'
import {
  copyUnclaimed,
  ownFileAt,
  recordOrigins,
  removeFiles,
  storeUnclaimed,
} from '../files/files.ts'
import { refuseOverQuota } from '../quota/quota.ts'
import type { Kept, SavedSource } from '../vault/vault.ts'
import { findSavedFile, nameInVault, newVaultFile } from '../vault/vault.ts'
import { isHiddenFile } from '../visibility/visibility.ts'
import type { FoundResult, TemporaryResult, Tool } from './queries.ts'
import { findResult, insertResult, lockResult, markSaved } from './queries.ts'

export const temporaryLifeMs = 24 * 60 * 60 * 1000

/** A tool's result before it is stored. */
export type Made = TemporaryResult & {
  readonly bytes: Uint8Array
  readonly extension: 'jpg' | 'png' | 'gif' | 'webp'
  /** The stored files that it was made from. */
  readonly origins: readonly FileAddress[]
}

export type Delivered = { readonly imageUrl: string; readonly mediaId?: number }

type Order = {
  readonly featureKey: string
  readonly description: string
  readonly saveToVault: boolean
}

type Work<M extends Made, Body> = {
  readonly make: () => Promise<M>
  readonly answer: (made: M, delivered: Delivered) => Body
}

const shelfOf: Readonly<Record<Tool, SavedSource>> = {
  composition: 'babecock',
  animation: 'hypnococks',
  censoring: 'upload',
}

const nameOf: Readonly<Record<Tool, string>> = {
  composition: 'Composition',
  animation: 'Animation',
  censoring: 'Censored picture',
}

/** Makes a result and charges for it. A refused or failed request costs nothing. */
export async function chargeFor<M extends Made, Body>(
  ctx: Context,
  { user, settle }: { user: { id: string }; settle: Settle },
  { featureKey, description, saveToVault }: Order,
  { make, answer }: Work<M, Body>,
): Promise<Settled<Body>> {
  await refuseOverQuota(ctx, user.id)
  const hold = await holdCredits(ctx, user.id, { featureKey, description })
  try {
    const made = await make()
    const fileSize = made.bytes.length
    const file = await store(ctx, user.id, made, { saveToVault })
    return await settle((ctx) =>
      atomically(ctx, async (ctx) => {
        await spendHold(ctx, hold, 1)
        return answer(made, await nameResult(ctx, user.id, made, { file, fileSize, saveToVault }))
      }),
    ).catch(async (error: unknown) => {
      // Only a Problem proves that nothing was committed. After other errors the sweep decides.
      if (error instanceof Problem) await removeFiles(ctx, [file])
      throw error
    })
  } catch (error) {
    await releaseHoldOrLog(ctx, hold)
    throw error
  }
}

/** Stores a user's file for a day. The storage may reuse the memory of `bytes`. */
export async function storeForADay(
  ctx: Context,
  userId: string,
  bytes: Uint8Array,
  extension: string,
): Promise<FileAddress> {
  const key = `users/${userId}/Temporary/${ctx.newId()}.${extension}`
  const file: FileAddress = { bucket: 'user-media', key }
  const removeAfter = new Date(ctx.now().getTime() + temporaryLifeMs)
  await storeUnclaimed(ctx, file, bytes, { removeAfter, givenAway: true })
  return file
}

/** Saves a temporary result to the caller's vault. Saving it again returns the same item. */
export async function saveResult(ctx: Context, { user, body }: Call<typeof api.images.save>) {
  const from = ownFileAt(ctx, body.imageUrl)
  const result = from && (await findResult(ctx, user.id, from))
  if (!from || !result || (await isHiddenFile(ctx, from))) throw notAResult()
  const known = await findSaved(ctx, user.id, result)
  if (known) return known
  const source = shelfOf[result.tool]
  const [, extension = ''] = /\.([a-z]+)$/.exec(from.key) ?? []
  const to = newVaultFile(ctx, { userId: user.id, source, extension })
  const fileSize = await copyResult(ctx, from, to)
  try {
    return await atomically(ctx, async (ctx) => {
      const held = await lockResult(ctx, user.id, from)
      if (!held) throw notAResult()
      const { name = nameOf[held.tool] } = body
      const kept =
        (await findSaved(ctx, user.id, held)) ??
        (await nameInVault(ctx, { ...storedAs(user.id, held, to, [from]), name, fileSize }))
      await markSaved(ctx, from, kept.mediaId)
      return kept
    })
  } finally {
    // Removes the file only if nothing has claimed it.
    await removeFiles(ctx, [to])
  }
}

async function copyResult(ctx: Context, from: FileAddress, to: FileAddress): Promise<number> {
  const stored = await ctx.storage.stat(from.bucket, from.key)
  if (!stored) throw notAResult()
  await copyUnclaimed(ctx, from, to).catch((error: unknown) => {
    throw error instanceof FileMissing ? notAResult() : error
  })
  return stored.size
}

async function findSaved(
  ctx: Context,
  userId: string,
  { mediaId }: FoundResult,
): Promise<Kept | null> {
  return mediaId === null ? null : findSavedFile(ctx, userId, mediaId)
}

async function store(
  ctx: Context,
  userId: string,
  { tool, bytes, extension }: Made,
  { saveToVault }: Pick<Order, 'saveToVault'>,
): Promise<FileAddress> {
  if (!saveToVault) return storeForADay(ctx, userId, bytes, extension)
  const file = newVaultFile(ctx, { userId, source: shelfOf[tool], extension })
  await storeUnclaimed(ctx, file, bytes, { givenAway: true })
  return file
}

async function nameResult(
  ctx: Context,
  userId: string,
  made: Made,
  { file, fileSize, saveToVault }: { file: FileAddress; fileSize: number; saveToVault: boolean },
): Promise<Delivered> {
  if (saveToVault) {
    const { mediaId, url } = await nameInVault(ctx, {
      ...storedAs(userId, made, file, made.origins),
      name: nameOf[made.tool],
      fileSize,
    })
    return { imageUrl: url, mediaId }
  }
  await insertResult(ctx, userId, file, made)
  await recordOrigins(ctx, file, made.origins)
  return { imageUrl: mediaUrlOf(ctx, file) }
}

function storedAs(
  userId: string,
  { tool, width, height, durationMs, layout, seam }: TemporaryResult,
  file: FileAddress,
  origins: readonly FileAddress[],
) {
  const metadata = layout === null ? { tool } : { tool, layout, seam }
  return { userId, source: shelfOf[tool], file, width, height, durationMs, metadata, origins }
}

export function notAResult() {
  return problem.invalidPicture({ message: 'This is not one of your temporary results' })
}
