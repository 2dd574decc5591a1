/**
 * Reads when a picture was taken, from the EXIF data in its first bytes (JPEG, PNG and WebP). The data is
 * untrusted: every read stays within the bytes, and a directory has at most as many entries as a camera
 * writes.
 */

/** The number of bytes to read. Cameras write the time before the picture data. */
export const headBytes = 131_072

const maxEntries = 200
const tag = { exifDirectory: 0x8769, takenAt: 0x9003, offset: 0x9011, fraction: 0x9291 }

/** Returns ms since 1970. Without a time zone, the local zone of this machine is assumed. */
export function captureTime(head: Uint8Array): number | null {
  const bytes = new DataView(head.buffer, head.byteOffset, head.byteLength)
  try {
    const start = tiffStart(bytes)
    return start === null ? null : timeIn(new DataView(bytes.buffer, bytes.byteOffset + start))
  } catch (error) {
    // A read past the last byte: truncated or forged data has no time.
    if (error instanceof RangeError) return null
    throw error
  }
}

function tiffStart(bytes: DataView): number | null {
  if (bytes.getUint16(0) === 0xffd8) return inJpeg(bytes)
  if (bytes.getUint32(0) === 0x89504e47) return inChunks(bytes, 8, 'eXIf', { isPng: true })
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP')
    return inChunks(bytes, 12, 'EXIF', { isPng: false })
  return null
}

function inJpeg(bytes: DataView): number | null {
  let at = 2
  while (at + 4 <= bytes.byteLength) {
    const marker = bytes.getUint16(at)
    // Picture data starts here.
    if (marker >> 8 !== 0xff || marker === 0xffda) return null
    if (marker === 0xffe1 && textAt(bytes, at + 4, 4) === 'Exif') return at + 10
    at += 2 + Math.max(2, bytes.getUint16(at + 2))
  }
  return null
}

function inChunks(
  bytes: DataView,
  first: number,
  wanted: string,
  { isPng }: { isPng: boolean },
): number | null {
  let at = first
  while (at + 8 <= bytes.byteLength) {
    const name = textAt(bytes, isPng ? at + 4 : at, 4)
    const length = isPng ? bytes.getUint32(at) : bytes.getUint32(at + 4, true)
    if (name === wanted) {
      const start = at + 8
      return textAt(bytes, start, 4) === 'Exif' ? start + 6 : start
    }
    at += isPng ? 12 + length : 8 + length + (length % 2)
  }
  return null
}

function timeIn(tiff: DataView): number | null {
  const isLittle = tiff.getUint16(0) === 0x4949
  if (tiff.getUint16(2, isLittle) !== 42) return null
  const main = directory(tiff, tiff.getUint32(4, isLittle), isLittle)
  const exifAt = main.get(tag.exifDirectory)
  if (exifAt === undefined) return null
  const exif = directory(tiff, tiff.getUint32(exifAt, isLittle), isLittle)
  const takenAt = exif.get(tag.takenAt)
  if (takenAt === undefined) return null
  const written = textAt(tiff, tiff.getUint32(takenAt, isLittle), 19)
  const offset = exif.get(tag.offset)
  const fraction = exif.get(tag.fraction)
  return readTime(
    written,
    offset === undefined ? '' : textAt(tiff, tiff.getUint32(offset, isLittle), 6),
    // A value of up to four bytes is in the entry itself.
    fraction === undefined ? '' : textAt(tiff, fraction, 3),
  )
}

/** Returns the offset of each entry's value, or of the pointer to it. */
function directory(tiff: DataView, at: number, isLittle: boolean): Map<number, number> {
  const count = Math.min(tiff.getUint16(at, isLittle), maxEntries)
  return new Map(
    Array.from({ length: count }, (_, entry) => {
      const start = at + 2 + entry * 12
      return [tiff.getUint16(start, isLittle), start + 8]
    }),
  )
}

function readTime(written: string, offset: string, fraction: string): number | null {
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(written)
  if (!parts) return null
  const [, year, month, day, hour, minute, second] = parts
  const zone = /^[+-]\d\d:\d\d$/.test(offset) ? offset : ''
  const split = /^\d{1,3}/.exec(fraction)?.[0].padEnd(3, '0') ?? '000'
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${split}${zone}`)
  return Number.isNaN(time) ? null : time
}

function textAt(bytes: DataView, at: number, length: number): string {
  let text = ''
  for (let offset = at; offset < at + length; offset += 1)
    text += String.fromCharCode(bytes.getUint8(offset))
  return text
}
