/** The parts of a GIF that draw it, and how often it repeats. */
import type { PublicParts } from './public-parts.ts'

const extension = 0x21
const imageDescriptor = 0x2c
const trailer = 0x3b
const graphicControl = 0xf9
const application = 0xff
const loopApplications: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])

export function publicPartsOfGif(bytes: Uint8Array): PublicParts | null {
  const magic = Buffer.from(bytes.subarray(0, 6)).toString('latin1')
  if (!/^GIF8[79]a$/.test(magic) || bytes.length < 13) return null
  let at = 13 + tableBytes(bytes[10] ?? 0)
  const parts = [bytes.subarray(0, at)]
  let dropped = false
  let images = 0
  while (at < bytes.length && bytes[at] !== trailer) {
    const block = blockAt(bytes, at)
    // What cannot be read cannot be drawn either, and may say anything.
    if (!block) break
    if (block.draws) parts.push(bytes.subarray(at, block.end))
    else dropped = true
    if (bytes[at] === imageDescriptor) images += 1
    at = block.end
  }
  const isWhole = at === bytes.length - 1 && bytes[at] === trailer
  parts.push(Uint8Array.of(trailer))
  return { parts, dropped: dropped || !isWhole, isAnimated: images > 1 }
}

function blockAt(bytes: Uint8Array, at: number): { end: number; draws: boolean } | null {
  if (bytes[at] === imageDescriptor) {
    const data = at + 10 + tableBytes(bytes[at + 9] ?? 0) + 1
    return data < bytes.length ? { end: endOfSubBlocks(bytes, data), draws: true } : null
  }
  if (bytes[at] !== extension) return null
  const end = endOfSubBlocks(bytes, at + 2)
  const label = bytes[at + 1]
  if (label === graphicControl) return { end, draws: true }
  const name = Buffer.from(bytes.subarray(at + 3, at + 14)).toString('latin1')
  return { end, draws: label === application && loopApplications.has(name) }
}

function endOfSubBlocks(bytes: Uint8Array, from: number): number {
  let at = from
  for (let size = bytes[at]; size !== undefined && size !== 0; size = bytes[at]) at += size + 1
  return Math.min(at + 1, bytes.length)
}

function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1)
}
