/** Unpacks an entry, with its declared size as the limit. */
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { ArchiveRefused } from '../archive-fault.ts'
import type { ArchiveBytes } from './archive-bytes.ts'
import type { ZipEntry } from './zip-directory.ts'

/**
 * Yields the content. Fails with ArchiveRefused at the first byte beyond the declared size, and at the
 * end if size or checksum differ.
 */
export async function* contentOf(
  bytes: ArchiveBytes,
  entry: ZipEntry,
  start: number,
): AsyncGenerator<Buffer> {
  let sum = 0
  let given = 0
  for await (const chunk of unpacked(bytes, entry, start)) {
    given += chunk.length
    if (given > entry.bytes) throw new ArchiveRefused('broken', 'it is larger than declared')
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (given < entry.bytes) throw new ArchiveRefused('broken', 'it is smaller than declared')
  if (sum !== entry.crc32) throw new ArchiveRefused('broken', 'its checksum is wrong')
}

async function* unpacked(
  bytes: ArchiveBytes,
  { isDeflated, packedBytes }: ZipEntry,
  start: number,
): AsyncGenerator<Buffer> {
  if (packedBytes === 0) return
  const packed = await bytes.stream(start, start + packedBytes)
  if (isDeflated) yield* inflated(packed, packedBytes)
  else yield* packed
}

async function* inflated(packed: Readable, packedBytes: number): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw()
  // The iterator gets the errors. The pipeline ends both streams when either ends.
  pipeline(packed, inflate, () => {})
  try {
    yield* inflate
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!code.startsWith('Z_')) throw error
    throw new ArchiveRefused('broken', 'it cannot be unpacked', { cause: error })
  } finally {
    packed.destroy()
    inflate.destroy()
  }
  if (inflate.bytesWritten !== packedBytes)
    throw new ArchiveRefused('broken', 'there is data after its end')
}
