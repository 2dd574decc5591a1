/** The parts of a JPEG that draw it. */
import { exifOfOrientation, readExif } from './exif.ts'
import type { PublicParts } from './public-parts.ts'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const exifSegment = 0xe1

export function publicPartsOfJpeg(bytes: Uint8Array): PublicParts | null {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return null
  const parts = [bytes.subarray(0, 2)]
  let dropped = false
  let at = 2
  while (at < bytes.length) {
    const segment = segmentAt(bytes, at)
    if (!segment) return null
    const { marker, start, end } = segment
    at = end
    const content = bytes.subarray(start, end)
    if (marker === exifSegment && !isHarmless(marker, content)) {
      parts.push(...orientationOnly(content))
      dropped = true
    } else if (isHarmless(marker, content)) {
      parts.push(content)
    } else {
      dropped = true
    }
    if (marker === endOfImage) break
  }
  return { parts, dropped: dropped || at < bytes.length, isAnimated: false }
}

type Segment = { readonly marker: number; readonly start: number; readonly end: number }

/** From the marker to the next one; a scan with the coded data that follows its head. */
function segmentAt(bytes: Uint8Array, start: number): Segment | null {
  if (bytes[start] !== 0xff) return null
  let at = start
  while (bytes[at + 1] === 0xff) at += 1
  const marker = bytes[at + 1]
  if (marker === undefined || marker === 0) return null
  // Markers that stand alone.
  if (marker === endOfImage || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7))
    return { marker, start: at, end: at + 2 }
  const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
  const end = at + 2 + length
  if (length < 2 || end > bytes.length) return null
  return { marker, start: at, end: marker === startOfScan ? endOfScan(bytes, end) : end }
}

function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; ;) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) return bytes.length
    const next = bytes[at + 1] ?? 0
    // A stuffed byte, a restart, or a fill byte belongs to the scan.
    if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 2
    else if (next === 0xff) at += 1
    else return at
  }
}

function isHarmless(marker: number, content: Uint8Array): boolean {
  // Tables, frames, scans, restarts: all that is neither an application's segment nor a comment.
  if (marker < 0xe0) return true
  if (marker === 0xe0) return nameOf(content) === 'JFIF' && hasNoThumbnail(content)
  if (marker === exifSegment) return exifOf(content)?.isHarmless ?? false
  if (marker === 0xe2) return nameOf(content) === 'ICC_PROFILE'
  return marker === 0xee && nameOf(content) === 'Adobe' && content.length <= 18
}

function nameOf(content: Uint8Array): string {
  const text = Buffer.from(content.subarray(4, 20)).toString('latin1')
  return text.startsWith('Adobe') ? 'Adobe' : (text.split('\0')[0] ?? '')
}

function hasNoThumbnail(jfif: Uint8Array): boolean {
  return jfif.length <= 18 && (jfif[16] ?? 0) * (jfif[17] ?? 0) === 0
}

function exifOf(content: Uint8Array) {
  return nameOf(content) === 'Exif' ? readExif(content.subarray(10)) : null
}

function orientationOnly(content: Uint8Array): Uint8Array[] {
  const orientation = exifOf(content)?.orientation ?? 1
  if (orientation === 1) return []
  const tiff = exifOfOrientation(orientation)
  const head = Buffer.from([0xff, exifSegment, 0, tiff.length + 8, ...Buffer.from('Exif\0\0')])
  return [head, tiff]
}
