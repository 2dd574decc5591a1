/**
 * Parses a Range header (RFC 9110, section 14) for a file size. One range is enough for players and resumed
 * downloads. A header that is malformed or asks for several is ignored, as the standard allows, and the
 * whole file is sent.
 */
import type { ByteRange } from '../../platform/storage/storage.ts'

export type RequestedRange =
  | { kind: 'whole' }
  | ({ kind: 'part' } & ByteRange)
  | { kind: 'unsatisfiable' }

const whole: RequestedRange = { kind: 'whole' }
const unsatisfiable: RequestedRange = { kind: 'unsatisfiable' }

export function parseByteRange(header: string | undefined, sizeBytes: number): RequestedRange {
  const spec = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '')
  const first = spec?.[1] ?? ''
  const last = spec?.[2] ?? ''
  if (first === '' && last === '') return whole
  return first === '' ? lastBytes(Number(last), sizeBytes) : between(first, last, sizeBytes)
}

function lastBytes(count: number, sizeBytes: number): RequestedRange {
  if (count === 0) return unsatisfiable
  // An empty file has no ranges, so the whole file is the result.
  if (sizeBytes === 0) return whole
  return { kind: 'part', start: Math.max(0, sizeBytes - count), end: sizeBytes - 1 }
}

function between(first: string, last: string, sizeBytes: number): RequestedRange {
  const start = Number(first)
  const end = last === '' ? Infinity : Number(last)
  if (end < start) return whole
  if (start >= sizeBytes) return unsatisfiable
  return { kind: 'part', start, end: Math.min(end, sizeBytes - 1) }
}
