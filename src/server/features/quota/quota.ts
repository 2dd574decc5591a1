/**
 * How much an account may keep (contract, section 15). Every file of somebody's own passes `countFiles`
 * before it is named, whichever way it came, and is judged there under a lock of the account.
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
 * What is made of files, comes and goes within a call, or is seen of a profile does not count; nor do
 * the small pictures and the cover of a session that was saved or imported.
 */
const uncountedFolders =
  /^(?:Profile|Thumbnails|derived|imports|exports|enhance\/provider|manual-sessions\/[^/]+\/(?:cover\.[^/]*|[^/]*-(?:320|640|1280)\.webp)$)/

/** Whose storage the file counts in; null where it counts in nobody's. */
export function ownerOfCounted({ bucket, key }: FileAddress): string | null {
  const [, userId = null, rest = ''] = /^users\/([^/]+)\/(.+)$/.exec(key) ?? []
  return bucket === 'user-media' && !uncountedFolders.test(rest) ? userId : null
}

/** Null where it is unlimited. */
export async function readQuotaBytes(ctx: Context, userId: string): Promise<number | null> {
  const [{ quotaMb }, account] = [await readSettings(ctx), await readTier(ctx, userId)]
  const megabytes = quotaMb[account?.tier ?? 'free']
  return megabytes === 0 ? null : megabytes * bytesPerMb
}

/** Counts files of which the size is known, all or none. Fails with the contract's `quotaExceeded`. */
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

/** In the transaction that abandons the files, or once they are gone. */
export async function forgetFiles(ctx: Context, files: readonly FileAddress[]): Promise<void> {
  const counted = files.filter((file) => ownerOfCounted(file) !== null)
  const keys = counted.map(({ key }) => key)
  if (keys.length > 0) await deleteStored(ctx, keys)
}

/**
 * Says before the work what `countFiles` would say after it. Without a size it refuses those who have
 * no room for a single byte.
 */
export async function refuseOverQuota(ctx: Context, userId: string, bytes = 1): Promise<void> {
  const quotaBytes = await readQuotaBytes(ctx, userId)
  if (quotaBytes === null) return
  refuseOver({ usedBytes: await sumStored(ctx, userId), quotaBytes }, bytes)
}

/** A stream of unknown length, which ends in a refusal as soon as it is more than there is room for. */
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
    message: 'There is not enough room left in your storage',
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
