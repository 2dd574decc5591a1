/**
 * Reads a plain zip in the browser: its directory at once, each file on demand. The zip is not trusted:
 * the number of files, their sizes and their compression ratio are limited, and checked again while a
 * file is unpacked.
 */
import { words } from './words.ts'

export type ZipEntry = {
  readonly path: string
  readonly sizeBytes: number
  /** Null if the zip has no time. */
  readonly modifiedMs: number | null
  /** Reads the first bytes. */
  readonly head: (bytes: number) => Promise<Uint8Array<ArrayBuffer>>
  readonly unpack: () => Promise<Blob>
}

/** The reason why a zip cannot be read, in words for the user. */
export class ZipRefused extends Error {}

const maxEntries = 5000
const maxDirectoryBytes = 4 * 1_048_576
const maxEntryBytes = 1024 * 1_048_576
const maxTotalBytes = 8 * 1024 * 1_048_576
/**
 * The largest compression ratio. Pictures and videos are already compressed, so a higher ratio is an
 * attack.
 */
const maxGrowth = 100

const endSignature = 0x06054b50
const directorySignature = 0x02014b50
const entrySignature = 0x04034b50
const stored = 0
const deflated = 8
const isLockedFlag = 0x1
const isUtf8Flag = 0x800

/** Lists the entries without folders. */
export async function readZip(zip: Blob): Promise<readonly ZipEntry[]> {
  const directory = await findDirectory(zip)
  const bytes = await viewOf(zip, directory.start, directory.start + directory.bytes)
  const entries: ZipEntry[] = []
  let at = 0
  let bytesInAll = 0
  for (let index = 0; index < directory.entries; index += 1) {
    if (at + 46 > bytes.byteLength || bytes.getUint32(at, true) !== directorySignature)
      throw new ZipRefused(words.zip.listCut)
    const record = readRecord(bytes, at)
    at = record.endsAt
    if (record.path.endsWith('/')) continue
    bytesInAll += record.sizeBytes
    if (bytesInAll > maxTotalBytes) throw new ZipRefused(words.zip.tooLarge)
    entries.push(entryOf(zip, record))
  }
  return entries
}

async function findDirectory(zip: Blob) {
  const start = Math.max(0, zip.size - 65_557)
  const tail = await viewOf(zip, start, zip.size)
  for (let at = tail.byteLength - 22; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== endSignature) continue
    const entries = tail.getUint16(at + 10, true)
    const bytes = tail.getUint32(at + 12, true)
    const directoryAt = tail.getUint32(at + 16, true)
    if (entries > maxEntries || bytes > maxDirectoryBytes)
      throw new ZipRefused(words.zip.tooMany({ max: maxEntries }))
    if (directoryAt + bytes > zip.size) throw new ZipRefused(words.zip.partMissing)
    return { entries, bytes, start: directoryAt }
  }
  throw new ZipRefused(words.zip.endMissing)
}

type ZipRecord = ReturnType<typeof readRecord>

function readRecord(bytes: DataView<ArrayBuffer>, at: number) {
  const flags = bytes.getUint16(at + 8, true)
  const nameBytes = bytes.getUint16(at + 28, true)
  const endsAt =
    at + 46 + nameBytes + bytes.getUint16(at + 30, true) + bytes.getUint16(at + 32, true)
  if (endsAt > bytes.byteLength) throw new ZipRefused(words.zip.listCut)
  const name = new Uint8Array(bytes.buffer, bytes.byteOffset + at + 46, nameBytes)
  return {
    path: new TextDecoder((flags & isUtf8Flag) === 0 ? 'windows-1252' : 'utf-8').decode(name),
    isLocked: (flags & isLockedFlag) !== 0,
    method: bytes.getUint16(at + 10, true),
    modifiedMs: dosTime(bytes.getUint16(at + 14, true), bytes.getUint16(at + 12, true)),
    packedBytes: bytes.getUint32(at + 20, true),
    sizeBytes: bytes.getUint32(at + 24, true),
    headerAt: bytes.getUint32(at + 42, true),
    endsAt,
  }
}

function entryOf(zip: Blob, record: ZipRecord): ZipEntry {
  const { path, sizeBytes, modifiedMs } = record
  return {
    path,
    sizeBytes,
    modifiedMs,
    head: async (bytes) => await collect(await open(zip, record), bytes),
    async unpack() {
      if (record.method === stored) return await packed(zip, record)
      return await new Response(await open(zip, record)).blob()
    },
  }
}

/** Returns the compressed bytes. A slice of a file takes no memory until it is read. */
async function packed(zip: Blob, record: ZipRecord): Promise<Blob> {
  const { isLocked, method, packedBytes, sizeBytes, headerAt } = record
  if (isLocked) throw new ZipRefused(words.zip.locked)
  if (method !== stored && method !== deflated) throw new ZipRefused(words.zip.oddPacking)
  const isTooLarge = sizeBytes > maxEntryBytes || sizeBytes > packedBytes * maxGrowth + 1024
  if (isTooLarge || (method === stored && sizeBytes !== packedBytes))
    throw new ZipRefused(words.zip.wrongSize)
  const header = await viewOf(zip, headerAt, headerAt + 30)
  if (header.byteLength < 30 || header.getUint32(0, true) !== entrySignature)
    throw new ZipRefused(words.zip.misplaced)
  const start = headerAt + 30 + header.getUint16(26, true) + header.getUint16(28, true)
  if (start + packedBytes > zip.size) throw new ZipRefused(words.zip.partMissing)
  return zip.slice(start, start + packedBytes)
}

async function open(zip: Blob, record: ZipRecord): Promise<ReadableStream<Uint8Array>> {
  const bytes = (await packed(zip, record)).stream()
  if (record.method === stored) return bytes
  return bytes
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .pipeThrough(atMost(record.sizeBytes))
}

function atMost(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength
      if (seen > maxBytes) controller.error(new ZipRefused(words.zip.wrongSize))
      else controller.enqueue(chunk)
    },
    flush(controller) {
      if (seen < maxBytes) controller.error(new ZipRefused(words.zip.wrongSize))
    },
  })
}

/** Returns the first bytes. The rest is not unpacked. */
async function collect(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const collected = new Uint8Array(maxBytes)
  let length = 0
  for await (const chunk of stream) {
    const part = chunk.subarray(0, maxBytes - length)
    collected.set(part, length)
    length += part.length
    if (length === maxBytes) break
  }
  return collected.slice(0, length)
}

async function viewOf(zip: Blob, start: number, end: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await zip.slice(start, end).arrayBuffer())
}

/** Returns the time by the clock of the machine that made the zip. */
function dosTime(date: number, time: number): number | null {
  if (date === 0) return null
  return new Date(
    1980 + (date >> 9),
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  ).getTime()
}
