/**
 * Storage quotas of accounts (contract, section 15). Every file of a user passes `countFiles` before it
 * is claimed. It is checked there under a lock of the account.
 */
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { problem } from '../../http/problem.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { readTier } from '../credits/credits.ts'
import { readSettings } from '../settings/settings.ts'
import { deleteStored, lockStorage, putStored, sumStored } from './queries.ts'

export type SizedFile = { readonly file: FileAddress; readonly size: number }

const bytesPerMb = 1_048_576

/**
 * Folders that do not count: derived files, temporary files of an import or export, profile pictures
 * and thumbnails, and the small pictures and the cover of a saved or imported session.
 */
const uncountedFolders =
  /^(?:Profile|Thumbnails|derived|imports|exports|enhance\/provider|manual-sessions\/[^/]+\/(?:cover\.[^/]*|[^/]*-(?:320|640|1280)\.webp)$)/

/** Returns the account in whose quota the file counts, or null if it counts in none. */
export function ownerOfCounted({ bucket, key }: FileAddress): string | null {
  const [, userId = null, rest = ''] = /^users\/([^/]+)\/(.+)$/.exec(key) ?? []
  return bucket === 'user-media' && !uncountedFolders.test(rest) ? userId : null
}

/** Returns null if the quota is unlimited. */
export async function readQuotaBytes(ctx: Context, userId: string): Promise<number | null> {
  const [{ quotaMb }, account] = [await readSettings(ctx), await readTier(ctx, userId)]
  const megabytes = quotaMb[account?.tier ?? 'free']
  return megabytes === 0 ? null : megabytes * bytesPerMb
}

/** Counts files of known size, all or none. Fails with the contract's `quotaExceeded`. */
export async function countFiles(ctx: Context, files: readonly SizedFile[]): Promise<void> {
  for (const [userId, sized] of byOwner(files)) {
    const quotaBytes = await readQuotaBytes(ctx, userId)
    await atomically(ctx, async (ctx) => {
      if (quotaBytes !== null) {
        await lockStorage(ctx, userId)
        const keys = sized.map(({ key }) => key)
        const usedBytes = await sumStored(ctx, userId, keys)
        refuseOver({ usedBytes, quotaBytes }, sumOf(sized))
      }
      await putStored(ctx, userId, sized)
    })
  }
}

/** Stops counting files. Call it in the transaction that abandons them, or after their removal. */
export async function forgetFiles(ctx: Context, files: readonly FileAddress[]): Promise<void> {
  const counted = files.filter((file) => ownerOfCounted(file) !== null)
  const keys = counted.map(({ key }) => key)
  if (keys.length > 0) await deleteStored(ctx, keys)
}

/**
 * Checks the quota before the work, as `countFiles` does after it. Without a size it refuses accounts
 * that have no free byte.
 */
export async function refuseOverQuota(ctx: Context, userId: string, bytes = 1): Promise<void> {
  const quotaBytes = await readQuotaBytes(ctx, userId)
  if (quotaBytes === null) return
  refuseOver({ usedBytes: await sumStored(ctx, userId), quotaBytes }, bytes)
}

/** Passes on a stream of unknown length, and fails as soon as it exceeds the free storage. */
export async function* withinQuota(
  ctx: Context,
  file: FileAddress,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const userId = ownerOfCounted(file)
  const quotaBytes = userId === null ? null : await readQuotaBytes(ctx, userId)
  if (userId === null || quotaBytes === null) {
    yield* content
    return
  }
  const usedBytes = await sumStored(ctx, userId, [file.key])
  let size = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    refuseOver({ usedBytes, quotaBytes }, size)
    yield chunk
  }
}

function refuseOver(known: { usedBytes: number; quotaBytes: number }, newBytes: number): void {
  const { usedBytes, quotaBytes } = known
  if (usedBytes + newBytes <= quotaBytes) return
  throw problem.quotaExceeded({
    message: 'There is not enough space left in your storage',
    usedBytes,
    quotaBytes,
    suggestion: 'Delete what you no longer need, and empty the trash.',
  })
}

function byOwner(files: readonly SizedFile[]): Map<string, { key: string; size: number }[]> {
  const owners = new Map<string, { key: string; size: number }[]>()
  for (const { file, size } of files) {
    const userId = ownerOfCounted(file)
    if (userId === null) continue
    owners.set(userId, [...(owners.get(userId) ?? []), { key: file.key, size }])
  }
  return owners
}

function sumOf(files: readonly { readonly size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}
