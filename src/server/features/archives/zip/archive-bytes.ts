/** An archive that lies in the storage, read here and there without ever being held whole. */
import type { Readable } from 'node:stream'
import type { Context } from '../../../context.ts'
import { readRange } from '../../../media/stored-range.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { FileMissing } from '../../../platform/storage/storage.ts'

export type ArchiveBytes = {
  readonly size: number
  /** From there on; fewer where the file ends. */
  readonly read: (at: number, length: number) => Promise<Buffer>
  /** The caller reads it to its end or destroys it. The end is not included. */
  readonly stream: (start: number, end: number) => Promise<Readable>
}

export async function archiveBytesOf(ctx: Context, file: FileAddress): Promise<ArchiveBytes> {
  const { bucket, key } = file
  const stored = await ctx.storage.stat(bucket, key)
  if (!stored) throw new FileMissing(file)
  const { size } = stored
  return {
    size,
    async read(at, length) {
      const end = Math.min(at + length, size)
      return at >= end ? Buffer.alloc(0) : readRange(ctx, file, at, end - 1)
    },
    stream: (start, end) => ctx.storage.read(bucket, key, { start, end: end - 1 }),
  }
}
