/**
 * Finds a zip's central directory through the records at its end. It accepts only the plain form: one
 * file, the directory directly before these records, and 32-bit and 64-bit records that agree.
 */
import { ArchiveRefused } from '../archive-fault.ts'
import type { ArchiveLimits } from '../archive-limits.ts'
import type { ArchiveBytes } from './archive-bytes.ts'

export type Directory = {
  readonly entries: number
  readonly start: number
  readonly end: number
}

const endSignature = 0x06054b50
const end64Signature = 0x06064b50
const locator64Signature = 0x07064b50
const localSignature = 0x04034b50
const endBytes = 22
const end64Bytes = 56
const locator64Bytes = 20
const longestComment = 0xffff
const most16 = 0xffff
const most32 = 0xffffffff
// Comments are for people; an export needs no longer one.
const commentMaxBytes = 1024
// Larger than the longest accepted record.
const recordMaxBytes = 2048

export async function findDirectory(
  bytes: ArchiveBytes,
  limits: ArchiveLimits,
): Promise<Directory> {
  if (bytes.size === 0) throw new ArchiveRefused('empty')
  const tailStart = Math.max(0, bytes.size - endBytes - longestComment)
  const tail = await bytes.read(tailStart, bytes.size - tailStart)
  const at = findEnd(tail)
  if (at === null) throw await unrecognised(bytes)
  const end = tail.subarray(at)
  if (end.length - endBytes > commentMaxBytes) throw new ArchiveRefused('oversized-fields')
  const said = {
    disks: end.readUInt16LE(4) + end.readUInt16LE(6),
    entriesHere: end.readUInt16LE(8),
    entries: end.readUInt16LE(10),
    size: end.readUInt32LE(12),
    start: end.readUInt32LE(16),
  }
  if (said.disks !== 0 || said.entriesHere !== said.entries) throw new ArchiveRefused('split')
  const endAt = tailStart + at
  const large = await readEnd64(bytes, endAt)
  if (large) requireSame(said, large)
  const { entries, size, start } = large ?? said
  if (entries > limits.entries) throw new ArchiveRefused('too-many-entries')
  if (size > entries * recordMaxBytes) throw new ArchiveRefused('oversized-fields')
  const directoryEnd = large ? endAt - locator64Bytes - end64Bytes : endAt
  if (start + size < directoryEnd) throw new ArchiveRefused('stray-bytes')
  if (start + size > directoryEnd) throw new ArchiveRefused('truncated')
  return { entries, start, end: directoryEnd }
}

type Announced = { readonly entries: number; readonly size: number; readonly start: number }

/**
 * Finds the end record. Its comment must reach to the end of the file: a signature inside a comment does
 * not count.
 */
function findEnd(tail: Buffer): number | null {
  for (let at = tail.length - endBytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== endSignature) continue
    if (at + endBytes + tail.readUInt16LE(at + 20) === tail.length) return at
  }
  return null
}

async function unrecognised(bytes: ArchiveBytes): Promise<ArchiveRefused> {
  const head = await bytes.read(0, 4)
  const beginsAsZip = head.length === 4 && head.readUInt32LE() === localSignature
  return new ArchiveRefused(beginsAsZip ? 'truncated' : 'not-a-zip')
}

/** Returns null when the archive has no 64-bit record. */
async function readEnd64(bytes: ArchiveBytes, endAt: number): Promise<Announced | null> {
  const recordAt = endAt - locator64Bytes - end64Bytes
  if (recordAt < 0) return null
  const both = await bytes.read(recordAt, end64Bytes + locator64Bytes)
  if (both.readUInt32LE(end64Bytes) !== locator64Signature) return null
  const pointsHere = both.readBigUInt64LE(end64Bytes + 8) === BigInt(recordAt)
  const isRecord = both.readUInt32LE(0) === end64Signature && both.readBigUInt64LE(4) === 44n
  if (!pointsHere || !isRecord) throw new ArchiveRefused('mismatch', 'the position of its contents')
  if (both.readUInt32LE(16) !== 0 || both.readUInt32LE(20) !== 0) throw new ArchiveRefused('split')
  const entries = both.readBigUInt64LE(32)
  if (both.readBigUInt64LE(24) !== entries) throw new ArchiveRefused('split')
  return {
    entries: Number(entries),
    size: Number(both.readBigUInt64LE(40)),
    start: Number(both.readBigUInt64LE(48)),
  }
}

function requireSame(said: Announced, large: Announced): void {
  const agrees =
    (said.entries === most16 || said.entries === large.entries) &&
    (said.size === most32 || said.size === large.size) &&
    (said.start === most32 || said.start === large.start)
  if (!agrees) throw new ArchiveRefused('mismatch', 'the position of its contents')
}
