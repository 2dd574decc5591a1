/** A large file, looked at here and there without reading all of it. */
import type { Context } from '../../context.ts'
import type { FileAddress } from '../../platform/storage.ts'
import { FileMissing } from '../../platform/storage.ts'

export type ByteWindow = {
  readonly size: number
  /** The bytes from there on; fewer where the file ends. */
  readonly read: (at: number, length: number) => Promise<Buffer>
}

const windowBytes = 256 * 1024

export async function windowOn(ctx: Context, { bucket, key }: FileAddress): Promise<ByteWindow> {
  const stored = await ctx.storage.stat(bucket, key)
  if (!stored) throw new FileMissing({ bucket, key })
  const { size } = stored
  let start = 0
  let held: Buffer = Buffer.alloc(0)
  return {
    size,
    async read(at, length) {
      const end = Math.min(at + length, size)
      if (at >= end) return Buffer.alloc(0)
      if (at < start || end > start + held.length) {
        const last = Math.min(Math.max(end, at + windowBytes), size) - 1
        held = await readRange(ctx, { bucket, key }, at, last)
        start = at
      }
      return held.subarray(at - start, end - start)
    },
  }
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
