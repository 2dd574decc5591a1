/**
 * Reads a zip's central directory. It accepts only plain files with safe names within the limits.
 * `zip-layout.ts` checks that the local headers match.
 */
import { ArchiveRefused } from '../archive-fault.ts'
import type { ArchiveLimits } from '../archive-limits.ts'
import type { ArchiveBytes } from './archive-bytes.ts'
import type { Directory } from './zip-end.ts'

export type ZipEntry = {
  readonly name: string
  readonly rawName: Buffer
  readonly flags: number
  readonly isDeflated: boolean
  readonly crc32: number
  readonly packedBytes: number
  readonly bytes: number
  /** The offset of the local header. */
  readonly headerAt: number
}

export type EntryLimits = ArchiveLimits & { readonly entryBytes: number }

const recordSignature = 0x02014b50
const recordBytes = 46
export const extraMaxBytes = 1024
const commentMaxBytes = 512
const most32 = 0xffffffff
const zip64Field = 0x0001
// Flags for: encrypted, strongly encrypted, masked local headers.
const encryptedFlags = 0x0001 | 0x0040 | 0x2000
const patchedFlag = 0x0020
const utf8Flag = 0x0800
// Text compresses well; pictures do not, and an export stores them uncompressed.
const maxRatio = 100
const ratioFromBytes = 1_048_576
const fileTypeMask = 0o170000
const regularFile = 0o100000
const folder = 0o040000
const dosFolder = 0x10

export async function readDirectory(
  bytes: ArchiveBytes,
  directory: Directory,
  limits: EntryLimits,
): Promise<ZipEntry[]> {
  const table = await bytes.read(directory.start, directory.end - directory.start)
  const entries: ZipEntry[] = []
  const names = new Set<string>()
  let contentBytes = 0
  let at = 0
  for (let left = directory.entries; left > 0; left -= 1) {
    const { entry, length } = readRecord(table.subarray(at))
    judge(entry, limits)
    contentBytes += entry.bytes
    if (contentBytes > limits.contentBytes) throw new ArchiveRefused('contents-too-large')
    const folded = foldedName(entry.name)
    if (names.has(folded)) throw new ArchiveRefused('duplicate-name')
    names.add(folded)
    entries.push(entry)
    at += length
  }
  if (at !== table.length) throw new ArchiveRefused('mismatch', 'the number of its files')
  return entries
}

function readRecord(record: Buffer): { entry: ZipEntry; length: number } {
  if (record.length < recordBytes || record.readUInt32LE(0) !== recordSignature)
    throw new ArchiveRefused('mismatch', 'the number of its files')
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((at) => record.readUInt16LE(at))
  const nameEnd = recordBytes + (nameBytes ?? 0)
  const extraEnd = nameEnd + (extraBytes ?? 0)
  const length = extraEnd + (commentBytes ?? 0)
  if (length > record.length) throw new ArchiveRefused('truncated')
  if (extraEnd - nameEnd > extraMaxBytes || length - extraEnd > commentMaxBytes)
    throw new ArchiveRefused('oversized-fields')
  if (record.readUInt16LE(34) !== 0) throw new ArchiveRefused('split')
  const flags = record.readUInt16LE(8)
  const rawName = Buffer.from(record.subarray(recordBytes, nameEnd))
  const name = nameOf(rawName, flags)
  requirePlain(name, record.readUInt32LE(38))
  const extra = record.subarray(nameEnd, extraEnd)
  const [bytes = 0, packedBytes = 0, headerAt = 0] = readZip64Numbers(
    [24, 20, 42].map((at) => record.readUInt32LE(at)),
    extra,
  )
  const isDeflated = methodOf(record.readUInt16LE(10), flags)
  const crc32 = record.readUInt32LE(16)
  return {
    entry: { name, rawName, flags, isDeflated, crc32, packedBytes, bytes, headerAt },
    length,
  }
}

/** Reads 64-bit values from the zip64 extra field, which has them in this order. */
export function readZip64Numbers(numbers: readonly number[], extra: Buffer): number[] {
  if (!numbers.includes(most32)) return [...numbers]
  const wide = extraField(extra, zip64Field)
  let at = 0
  return numbers.map((number) => {
    if (number !== most32) return number
    if (!wide || at + 8 > wide.length) throw new ArchiveRefused('mismatch', 'the size of a file')
    const value = wide.readBigUInt64LE(at)
    at += 8
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ArchiveRefused('entry-too-large')
    return Number(value)
  })
}

function extraField(extra: Buffer, wanted: number): Buffer | null {
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (end > extra.length) throw new ArchiveRefused('mismatch', 'the length of a field')
    if (extra.readUInt16LE(at) === wanted) return extra.subarray(at + 4, end)
    at = end
  }
  return null
}

/** Decodes a name. Names in older encodings are read as Latin-1: they only need to be distinct. */
function nameOf(raw: Buffer, flags: number): string {
  if ((flags & utf8Flag) === 0) return raw.toString('latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw)
  } catch {
    throw new ArchiveRefused('bad-name')
  }
}

/**
 * Refuses links, devices and pipes by the file type that the entry states. A folder must have a folder's
 * name.
 */
function requirePlain(name: string, attributes: number): void {
  const type = (attributes >>> 16) & fileTypeMask
  const isFolder = name.endsWith('/')
  const saysFolder = type === folder || (attributes & dosFolder) !== 0
  const isKnown = type === 0 || type === regularFile || type === folder
  if (!isKnown || (saysFolder && !isFolder) || (isFolder && type === regularFile))
    throw new ArchiveRefused('not-a-file')
}

function methodOf(method: number, flags: number): boolean {
  if ((flags & encryptedFlags) !== 0) throw new ArchiveRefused('encrypted')
  if ((flags & patchedFlag) !== 0 || (method !== 0 && method !== 8))
    throw new ArchiveRefused('unknown-method')
  return method === 8
}

function judge({ name, bytes, packedBytes, isDeflated }: ZipEntry, limits: EntryLimits): void {
  if (!isSafeEntryName(name)) throw new ArchiveRefused('bad-name')
  if (name.endsWith('/') && bytes > 0) throw new ArchiveRefused('not-a-file')
  if (!isDeflated && bytes !== packedBytes)
    throw new ArchiveRefused('mismatch', 'the size of a file')
  if (bytes > limits.entryBytes) throw new ArchiveRefused('entry-too-large')
  if (bytes > ratioFromBytes && bytes > packedBytes * maxRatio) throw new ArchiveRefused('ratio')
}

const longestNameBytes = 255
// Windows opens a device for these names, with any extension.
const deviceName = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i

/**
 * True for names that are safe on every system: letters of any script are allowed; path traversal and
 * characters that systems treat differently are not.
 */
function isSafeEntryName(name: string): boolean {
  if (Buffer.byteLength(name) > longestNameBytes) return false
  if (/[\p{Cc}\uFFFD\\<>:"|?*]/u.test(name)) return false
  const segments = (name.endsWith('/') ? name.slice(0, -1) : name).split('/')
  return segments.every(isSafeSegment)
}

/** Normalises a name like file systems that ignore case and Unicode normalisation. */
function foldedName(name: string): string {
  return name.replace(/\/$/, '').normalize('NFC').toLowerCase()
}

/** Also refuses '.' and '..', which end in a dot, and absolute paths, which begin with an empty segment. */
function isSafeSegment(segment: string): boolean {
  return segment !== '' && !/[. ]$/.test(segment) && !deviceName.test(segment)
}
