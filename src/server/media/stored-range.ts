/** Reads parts of a stored file without the rest. */
import type { Context } from '../context.ts'
import { freeBytes } from '../platform/storage/free-bytes.ts'
import type { FileAddress } from '../platform/storage/storage.ts'
import { FileMissing } from '../platform/storage/storage.ts'

/** Returns the first bytes, or fewer if the file is shorter. */
export async function readHead(
  ctx: Context,
  { bucket, key }: FileAddress,
  bytes: number,
): Promise<Buffer> {
  const stored = await ctx.storage.stat(bucket, key)
  if (!stored) throw new FileMissing({ bucket, key })
  return readFirst(ctx, { bucket, key }, Math.min(bytes, stored.size))
}

/** Reads the first bytes. `bytes` must not exceed the file's size, and may be 0. */
export async function readFirst(ctx: Context, file: FileAddress, bytes: number): Promise<Buffer> {
  return bytes === 0 ? Buffer.alloc(0) : readRange(ctx, file, 0, bytes - 1)
}

/**
 * Reads a range with both ends included; the end must be within the file. Copies each chunk to its position
 * as it arrives: joining 40 MB at the end would block all other work.
 */
export async function readRange(
  ctx: Context,
  { bucket, key }: FileAddress,
  start: number,
  end: number,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(end - start + 1)
  let filled = 0
  const content: AsyncIterable<Buffer> = await ctx.storage.read(bucket, key, { start, end })
  for await (const chunk of content) {
    filled += chunk.copy(bytes, filled)
    freeBytes(chunk)
  }
  return bytes.subarray(0, filled)
}
