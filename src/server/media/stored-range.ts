/** Parts of a stored file, read without the rest of it. */
import type { Context } from '../context.ts'
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
  const end = Math.min(bytes, stored.size) - 1
  return end < 0 ? Buffer.alloc(0) : readRange(ctx, { bucket, key }, 0, end)
}

/** Both ends included. */
export async function readRange(
  ctx: Context,
  { bucket, key }: FileAddress,
  start: number,
  end: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await ctx.storage.read(bucket, key, { start, end })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
