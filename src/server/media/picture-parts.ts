/**
 * Splits a picture file into its parts before the picture library reads it: libvips has no limit for their
 * number. Separates the parts that draw the picture from the others. Those may contain the place, the
 * device, or a whole video after the end.
 */
type Format = 'jpeg' | 'png' | 'webp' | 'gif'

export type PictureParts = {
  readonly format: Format
  /** The parts that draw the picture, in order: the file without the rest. */
  readonly drawing: readonly Uint8Array[]
  /** True if the file contains nothing else. */
  readonly isPlain: boolean
  /** True for an animation: encoding its first page again would lose the others. */
  readonly isAnimated: boolean
  /** The first text chunks of a PNG. */
  readonly texts: readonly Uint8Array[]
  /** The file without text chunks, because the library would decompress them at any size. */
  readonly legible: Uint8Array
}

const maxParts = 50_000
const maxPages = 2000
// The limit for sub-blocks of a GIF and marker candidates of a JPEG: some milliseconds of work.
const maxSteps = 1_000_000
const maxTexts = 50

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const pngDrawing = wordsOf(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT',
)
const pngTexts = wordsOf('tEXt zTXt iTXt')
const webpDrawing: ReadonlySet<string> = new Set('VP8 ,VP8L,VP8X,ALPH,ANIM,ANMF,ICCP'.split(','))
const gifLoops: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])

/** Returns the parts, or the reason for refusing them: too many, or an unknown format. */
export function readParts(bytes: Uint8Array): PictureParts | 'too-many-parts' | 'format' {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const format = formatOf(file)
  if (!format) return 'format'
  const found: Found = { file, drawing: [], texts: [], parts: 0, pages: 0, end: 0, isPlain: true }
  try {
    readers[format](found)
  } catch (error) {
    if (error instanceof TooMany) return 'too-many-parts'
    throw error
  }
  if (found.end !== file.length) found.isPlain = false
  return {
    format,
    drawing: found.drawing.map(([start, end]) => file.subarray(start, end)),
    isPlain: found.isPlain,
    isAnimated: found.pages > 1,
    texts: found.texts.slice(0, maxTexts).map(([start, end]) => file.subarray(start, end)),
    legible: found.texts.length === 0 ? file : withoutTexts(found),
  }
}

/** Returns the file with only its drawing parts. */
export function joinDrawing({ format, drawing }: PictureParts): Buffer {
  if (format === 'gif' && drawing.at(-1)?.at(-1) !== 0x3b)
    return Buffer.concat([...drawing, Uint8Array.of(0x3b)])
  const whole = Buffer.concat(drawing)
  if (format !== 'webp') return whole
  whole.writeUInt32LE(whole.length - 8, 4)
  // Clears the flags for EXIF and XMP.
  if (whole.toString('latin1', 12, 16) === 'VP8X') whole.writeUInt8(whole.readUInt8(20) & ~0x0c, 20)
  return whole
}

class TooMany extends Error {}

type Range = [start: number, end: number]
type Found = {
  readonly file: Buffer
  readonly drawing: Range[]
  readonly texts: Range[]
  parts: number
  pages: number
  /** The end of the last known part. */
  end: number
  isPlain: boolean
}

const readers: Readonly<Record<Format, (found: Found) => void>> = {
  jpeg: readJpeg,
  png: readPng,
  webp: readWebp,
  gif: readGif,
}

function formatOf(file: Buffer): Format | null {
  const head = file.toString('latin1', 0, 12)
  if (head.startsWith('\u00ff\u00d8')) return 'jpeg'
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return 'png'
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp'
  return /^GIF8[79]a/.test(head) && file.length >= 13 ? 'gif' : null
}

/** Records a part that ends at `end`. */
function note(found: Found, end: number, draws: boolean): void {
  const start = found.end
  found.end = end
  if ((found.parts += 1) > maxParts) throw new TooMany()
  const last = found.drawing.at(-1)
  if (!draws) found.isPlain = false
  else if (last?.[1] === start) last[1] = end
  else found.drawing.push([start, end])
}

function notePage(found: Found, count = 1): void {
  if ((found.pages += count) > maxPages) throw new TooMany()
}

function readJpeg(found: Found): void {
  const { file } = found
  let steps = 0
  note(found, 2, true)
  for (let at = 2; file[at] === 0xff && at + 4 <= file.length; at = found.end) {
    const marker = file.readUInt8(at + 1)
    const end = at + 2 + file.readUInt16BE(at + 2)
    if (marker === 0xff || end > file.length) return
    if (marker !== 0xda) {
      note(found, end, drawsJpeg(marker, file.subarray(at + 4, end)))
      continue
    }
    // A scan ends before the next marker that is neither a stuffed byte nor a restart marker.
    let next = file.indexOf(0xff, end)
    for (; next >= 0 && next + 1 < file.length; next = file.indexOf(0xff, next + 2)) {
      const follows = file.readUInt8(next + 1)
      if (follows !== 0 && !(follows >= 0xd0 && follows <= 0xd7)) break
      if ((steps += 1) > maxSteps) return
    }
    if (next < 0) return
    note(found, next, true)
    if (file[next + 1] === 0xd9) return note(found, next + 2, true)
  }
}

/** Returns true for tables, frames and scans, and for application segments that affect drawing. */
function drawsJpeg(marker: number, content: Buffer): boolean {
  const name = content.toString('latin1', 0, 12)
  if (marker === 0xe0) return name.startsWith('JFIF\0') && content.length === 14
  if (marker === 0xe2) return name === 'ICC_PROFILE\0'
  if (marker === 0xee) return name.startsWith('Adobe') && content.length === 12
  return marker >= 0xc0 && marker < 0xe0
}

function readPng(found: Found): void {
  const { file } = found
  note(found, 8, true)
  for (let at = 8, type = ''; at + 12 <= file.length && type !== 'IEND'; at = found.end) {
    type = file.toString('latin1', at + 4, at + 8)
    const end = at + 12 + file.readUInt32BE(at)
    if (end > file.length) return
    if (pngTexts.has(type)) found.texts.push([at, end])
    // The number of frames that follow.
    if (type === 'acTL' && file.readUInt32BE(at + 8) > 1) notePage(found, 2)
    if (type === 'fcTL') notePage(found)
    note(found, end, pngDrawing.has(type))
  }
}

function readWebp(found: Found): void {
  const { file } = found
  const fileEnd = Math.min(file.readUInt32LE(4) + 8, file.length)
  note(found, 12, true)
  for (let at = 12; at + 8 <= fileEnd; at = found.end) {
    const type = file.toString('latin1', at, at + 4)
    const size = file.readUInt32LE(at + 4)
    if (at + 8 + size > fileEnd) return
    if (type === 'ANMF') notePage(found)
    note(found, Math.min(at + 8 + size + (size % 2), fileEnd), webpDrawing.has(type))
  }
}

function readGif(found: Found): void {
  const { file } = found
  let steps = 0
  const endOfSubBlocks = (from: number): number => {
    let at = from
    for (let size = file[at]; size; size = file[at]) {
      if ((steps += 1) > maxSteps) throw new TooMany()
      at += size + 1
    }
    return Math.min(at + 1, file.length)
  }
  note(found, Math.min(13 + paletteBytes(file.readUInt8(10)), file.length), true)
  for (let at = found.end; at < file.length; at = found.end) {
    const kind = file[at]
    const label = file[at + 1]
    if (kind === 0x3b) return note(found, at + 1, true)
    if (kind === 0x2c) {
      notePage(found)
      note(found, endOfSubBlocks(at + 11 + paletteBytes(file[at + 9] ?? 0)), true)
    } else if (kind === 0x21) {
      const name = file.toString('latin1', at + 3, at + 14)
      note(found, endOfSubBlocks(at + 2), label === 0xf9 || (label === 0xff && gifLoops.has(name)))
    } else return
  }
}

function paletteBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1)
}

function withoutTexts({ file, texts }: Found): Buffer {
  const rest: Buffer[] = []
  let at = 0
  for (const [start, end] of texts) {
    if (start > at) rest.push(file.subarray(at, start))
    at = end
  }
  return Buffer.concat([...rest, file.subarray(at)])
}
