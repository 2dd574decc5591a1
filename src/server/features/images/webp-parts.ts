/** The parts of a WebP that draw it. */
import type { PublicParts } from './public-parts.ts'

const drawingChunks: ReadonlySet<string> = new Set([
  'VP8 ',
  'VP8L',
  'VP8X',
  'ALPH',
  'ANIM',
  'ANMF',
  'ICCP',
])

// Flags of VP8X that promise the chunks which are left out.
const exifFlag = 0x08
const xmpFlag = 0x04
const animationFlag = 0x02

export function publicPartsOfWebp(bytes: Uint8Array): PublicParts | null {
  const text = (from: number) => Buffer.from(bytes.subarray(from, from + 4)).toString('latin1')
  if (text(0) !== 'RIFF' || text(8) !== 'WEBP') return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fileEnd = Math.min(view.getUint32(4, true) + 8, bytes.length)
  const chunks: Uint8Array[] = []
  let dropped = fileEnd < bytes.length
  let isAnimated = false
  for (let at = 12; at < fileEnd;) {
    if (at + 8 > fileEnd) return { parts: riff(chunks), dropped: true, isAnimated }
    const type = text(at)
    const size = view.getUint32(at + 4, true)
    const end = Math.min(at + 8 + size + (size % 2), fileEnd)
    const flags = type === 'VP8X' ? (bytes[at + 8] ?? 0) : 0
    if ((flags & animationFlag) !== 0 || type === 'ANMF') isAnimated = true
    if (!drawingChunks.has(type)) dropped = true
    else if (type === 'VP8X') chunks.push(withoutPromises(bytes.subarray(at, end)))
    else chunks.push(bytes.subarray(at, end))
    at = end
  }
  return { parts: riff(chunks), dropped, isAnimated }
}

function withoutPromises(header: Uint8Array): Uint8Array {
  // A copy, which `slice` of a Buffer is not.
  const changed = new Uint8Array(header)
  changed[8] = (changed[8] ?? 0) & ~(exifFlag | xmpFlag)
  return changed
}

function riff(chunks: readonly Uint8Array[]): Uint8Array[] {
  const head = Buffer.from('RIFF....WEBP', 'latin1')
  head.writeUInt32LE(4 + chunks.reduce((sum, { length }) => sum + length, 0), 4)
  return [head, ...chunks]
}
