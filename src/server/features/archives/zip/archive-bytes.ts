/** Random access to a stored archive, without reading it into memory. */
import type { Readable } from 'node:stream'
import type { Context } from '../../../context.ts'
import { readRange } from '../../../media/stored-range.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { FileMissing } from '../../../platform/storage/storage.ts'

export type ArchiveBytes = {
  readonly size: number
  /** Returns the bytes at this offset; fewer at the end of the file. */
  readonly read: (at: number, length: number) => Promise<Buffer>
  /** Streams bytes up to `end`, exclusive. The caller must read the stream to its end or destroy it. */
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
