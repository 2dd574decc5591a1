/** Parts of a stored file, read without the rest of it. */
import type { Context } from '../context.ts'
import { freeBytes } from '../platform/storage/free-bytes.ts'
import type { FileAddress } from '../platform/storage/storage.ts'
import { FileMissing } from '../platform/storage/storage.ts'

/** The first bytes; fewer where the file ends. */
export async function readHead(
  ctx: Context,
  { bucket, key }: FileAddress,
  bytes: number,
): Promise<Buffer> {
  const stored = await ctx.storage.stat(bucket, key)
  if (!stored) throw new FileMissing({ bucket, key })
  return readFirst(ctx, { bucket, key }, Math.min(bytes, stored.size))
}

/** No more than the file has, which may be nothing. */
export async function readFirst(ctx: Context, file: FileAddress, bytes: number): Promise<Buffer> {
  return bytes === 0 ? Buffer.alloc(0) : readRange(ctx, file, 0, bytes - 1)
}

/**
 * Both ends included, the last within the file. Into its place as it comes: to join 40 MB at the end
 * would hold everybody up.
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
