/** The parts of a PNG that draw it. */
import { crc32 } from 'node:zlib'
import { exifOfOrientation, readExif } from './exif.ts'
import type { PublicParts } from './public-parts.ts'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

const drawingChunks: ReadonlySet<string> = new Set(
  (
    'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT ' +
    'acTL fcTL fdAT'
  ).split(' '),
)

export function publicPartsOfPng(bytes: Uint8Array): PublicParts | null {
  if (signature.compare(bytes, 0, 8) !== 0) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts = [bytes.subarray(0, 8)]
  let dropped = false
  let isAnimated = false
  let at = 8
  for (let type = ''; type !== 'IEND' && at < bytes.length;) {
    if (at + 12 > bytes.length) return at === 8 ? null : { parts, dropped: true, isAnimated }
    type = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1')
    const end = at + 12 + view.getUint32(at)
    const chunk = bytes.subarray(at, end)
    if (type === 'acTL') isAnimated = true
    if (drawingChunks.has(type)) parts.push(chunk)
    else if (type === 'eXIf' && isHarmlessExif(chunk)) parts.push(chunk)
    else {
      if (type === 'eXIf') parts.push(...orientationOnly(chunk))
      dropped = true
    }
    at = Math.min(end, bytes.length)
  }
  return { parts, dropped: dropped || at < bytes.length, isAnimated }
}

function isHarmlessExif(chunk: Uint8Array): boolean {
  return readExif(chunk.subarray(8, -4)).isHarmless
}

function orientationOnly(chunk: Uint8Array): Uint8Array[] {
  const { orientation } = readExif(chunk.subarray(8, -4))
  if (orientation === 1) return []
  const body = Buffer.concat([Buffer.from('eXIf'), exifOfOrientation(orientation)])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(body.length - 4)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return [head, body, sum]
}
