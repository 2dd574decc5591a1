/**
 * Checks the layout of a zip. Files must follow each other from the first byte to the central directory,
 * each after a header that matches the directory. So nothing overlaps, nothing is hidden in between, and
 * all programs see the same files.
 */
import { forEachLimit } from '../../../platform/concurrency/semaphore.ts'
import { ArchiveRefused } from '../archive-fault.ts'
import type { ArchiveBytes } from './archive-bytes.ts'
import type { ZipEntry } from './zip-directory.ts'
import { extraMaxBytes, readZip64Numbers } from './zip-directory.ts'

/** The offset of each entry's content, by name. */
export type Layout = ReadonlyMap<string, number>

const headerSignature = 0x04034b50
const descriptorSignature = 0x08074b50
const headerBytes = 30
const descriptorMaxBytes = 24
const descriptorFlag = 0x0008
const looksAhead = 128
const looksAtOnce = 16
const most32 = 0xffffffff

export async function readLayout(
  bytes: ArchiveBytes,
  entries: readonly ZipEntry[],
  directoryStart: number,
): Promise<Layout> {
  const ordered = entries.toSorted((a, b) => a.headerAt - b.headerAt)
  if ((ordered[0]?.headerAt ?? directoryStart) !== 0) throw new ArchiveRefused('stray-bytes')
  const layout = new Map<string, number>()
  let before: { readonly entry: ZipEntry; readonly end: number } | null = null
  for await (const { entry, at, ending, header } of looksAt(bytes, ordered, directoryStart)) {
    if (before) {
      if (before.end > at) throw new ArchiveRefused(entry ? 'overlap' : 'truncated')
      requireEnd(before.entry, ending, at - before.end)
    }
    if (!entry) break
    const start = at + requireHeader(entry, header)
    before = { entry, end: start + entry.packedBytes }
    layout.set(entry.name, start)
  }
  return layout
}

type Look = {
  /** Null for the central directory after the last entry. */
  readonly entry: ZipEntry | null
  readonly at: number
  /** The bytes before it, which may be the previous file's data descriptor. */
  readonly ending: Buffer
  readonly header: Buffer
}

/** Reads the headers in order, several at a time, because remote storage has a high latency. */
async function* looksAt(
  bytes: ArchiveBytes,
  ordered: readonly ZipEntry[],
  directoryStart: number,
): AsyncGenerator<Look> {
  const all = [...ordered, null]
  for (let done = 0; done < all.length; done += looksAhead) {
    const looks: Look[] = []
    await forEachLimit(all.slice(done, done + looksAhead).entries(), looksAtOnce, async (next) => {
      const [index, entry] = next
      const at = entry?.headerAt ?? directoryStart
      const from = Math.max(0, at - descriptorMaxBytes)
      const read = await bytes.read(from, at - from + lookBytes(entry))
      looks[index] = {
        entry,
        at,
        ending: read.subarray(0, at - from),
        header: read.subarray(at - from),
      }
    })
    yield* looks
  }
}

function lookBytes(entry: ZipEntry | null): number {
  return entry ? headerBytes + entry.rawName.length + extraMaxBytes : 0
}

/** Checks the header and returns its length. */
function requireHeader(entry: ZipEntry, header: Buffer): number {
  if (header.length < headerBytes || header.readUInt32LE(0) !== headerSignature)
    throw new ArchiveRefused('mismatch', 'the position of a file')
  const nameEnd = headerBytes + header.readUInt16LE(26)
  const extraBytes = header.readUInt16LE(28)
  if (extraBytes > extraMaxBytes) throw new ArchiveRefused('oversized-fields')
  if (!header.subarray(headerBytes, nameEnd).equals(entry.rawName))
    throw new ArchiveRefused('mismatch', 'the name of a file')
  if (header.readUInt16LE(6) !== entry.flags || header.readUInt16LE(8) !== methodOf(entry))
    throw new ArchiveRefused('mismatch', 'the compression of a file')
  requireNumbers(entry, header, header.subarray(nameEnd, nameEnd + extraBytes))
  return nameEnd + extraBytes
}

/** Checks the header's checksum and sizes. They may be empty when a data descriptor follows the file. */
function requireNumbers(entry: ZipEntry, header: Buffer, extra: Buffer): void {
  const said = [14, 18, 22].map((at) => header.readUInt32LE(at))
  const follows = (entry.flags & descriptorFlag) !== 0
  if (follows && said.every((number) => number === 0 || number === most32)) return
  const [crc32 = 0, packed = 0, unpacked = 0] = said
  const [bytes, packedBytes] = readZip64Numbers([unpacked, packed], extra)
  if (crc32 !== entry.crc32 || bytes !== entry.bytes || packedBytes !== entry.packedBytes)
    throw new ArchiveRefused('mismatch', 'the size of a file')
}

/** Checks the bytes between a file and the next: nothing, or a data descriptor. */
function requireEnd(entry: ZipEntry, ending: Buffer, length: number): void {
  const follows = (entry.flags & descriptorFlag) !== 0
  if (!follows && length === 0) return
  if (!follows || length > descriptorMaxBytes) throw new ArchiveRefused('stray-bytes')
  const look = ending.subarray(descriptorMaxBytes - length)
  const hasSignature = length === 16 || length === 24
  const isWide = length >= 20
  if (length !== (hasSignature ? 4 : 0) + (isWide ? 20 : 12) || look.length < length)
    throw new ArchiveRefused('stray-bytes')
  const numbers = look.subarray(hasSignature ? 4 : 0)
  const sizeAt = (index: number) =>
    isWide ? Number(numbers.readBigUInt64LE(4 + index * 8)) : numbers.readUInt32LE(4 + index * 4)
  const agrees =
    (!hasSignature || look.readUInt32LE(0) === descriptorSignature) &&
    numbers.readUInt32LE(0) === entry.crc32 &&
    sizeAt(0) === entry.packedBytes &&
    sizeAt(1) === entry.bytes
  if (!agrees) throw new ArchiveRefused('mismatch', 'the size of a file')
}

function methodOf({ isDeflated }: ZipEntry): number {
  return isDeflated ? 8 : 0
}
