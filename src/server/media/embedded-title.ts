/**
 * Reads the title inside a picture file, written by its owner or by an editor. All of it is untrusted, so
 * only a little is read, and only if it exists.
 */
import { inflateSync } from 'node:zlib'
import { sharp } from './libvips.ts'
import type { Picture } from './picture.ts'

const maxCharacters = 200
// The length of untrusted text that is read.
const maxLookedAt = 4000
const maxUnpackedBytes = 256 * 1024
const maxEntries = 200
const entryBytes = 12
const descriptionTag = 0x010e
const windowsTitleTag = 0x9c9b

/** Returns the title from XMP, EXIF or PNG text, in this order, or null. */
export async function readEmbeddedTitle({ bytes, parts }: Picture): Promise<string | null> {
  const { exif, xmp } = await sharp(bytes, { limitInputPixels: false }).metadata()
  const texts = parts.texts.map(pngText)
  const written = (keyword: string) =>
    texts.find((text) => text.keyword === keyword)?.read() ?? null
  const packet = xmp ?? written('xml:com.adobe.xmp')
  const candidates = [
    packet && xmpTitle(packet),
    exif && exifTitle(exif),
    written('title')?.toString('utf8', 0, maxLookedAt),
  ]
  return candidates.map(plainTitle).find((words) => words !== null) ?? null
}

/** Returns text on one line, without control characters, or null if nothing is left. */
export function plainTitle(text: string | null | undefined): string | null {
  const words = (text ?? '')
    .slice(0, maxLookedAt)
    // oxlint-disable-next-line no-control-regex -- a stranger's bytes hold them
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\ufffd\s]+/g, ' ')
    .trim()
    .slice(0, maxCharacters)
    .toWellFormed()
  return words === '' ? null : words
}

/**
 * Parses a PNG text chunk with its header. A broken chunk, or one too large when decompressed, has no text.
 */
function pngText(chunk: Uint8Array): { keyword: string; read: () => Buffer | null } {
  const body = Buffer.from(chunk.buffer, chunk.byteOffset + 8, chunk.byteLength - 12)
  const type = Buffer.from(chunk.subarray(4, 8)).toString('latin1')
  const end = body.indexOf(0)
  const keyword = end < 0 ? '' : body.toString('latin1', 0, Math.min(end, 80)).toLowerCase()
  const from = (at: number) => body.subarray(at + 1)
  if (end < 0) return { keyword: '', read: () => null }
  if (type === 'tEXt') return { keyword, read: () => from(end) }
  if (type === 'zTXt') return { keyword, read: () => unpack(from(end + 1)) }
  // Two flags, then a language and a translated keyword, each with a zero byte after it.
  const translated = body.indexOf(0, body.indexOf(0, end + 3) + 1)
  const isPacked = body[end + 1] !== 0
  return { keyword, read: () => (isPacked ? unpack(from(translated)) : from(translated)) }
}

function unpack(packed: Buffer): Buffer | null {
  try {
    return inflateSync(packed, { maxOutputLength: maxUnpackedBytes })
  } catch {
    return null
  }
}

/** Reads dc:title, a list with one text per language. The first is the default. */
function xmpTitle(xmp: Buffer): string | null {
  const begin = xmp.indexOf('<dc:title')
  if (begin < 0) return null
  const list = xmp.toString('utf8', begin, begin + maxLookedAt)
  const [, text] = /^<dc:title[^>]*>\s*<rdf:\w[^>]*>\s*<rdf:li[^>]*>([^<]*)</.exec(list) ?? []
  return text === undefined ? null : unescapeXml(text)
}

function unescapeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}

function exifTitle(exif: Buffer): string | null {
  const tiff = exif.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 14 || (order !== 'II' && order !== 'MM')) return null
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const isLittle = order === 'II'
  const first = view.getUint32(4, isLittle)
  if (first + 2 > tiff.length) return null
  const promised = Math.min(view.getUint16(first, isLittle), maxEntries)
  const titles = new Map<number, string>()
  for (let index = 0; index < promised; index += 1) {
    const at = first + 2 + index * entryBytes
    if (at + entryBytes > tiff.length) break
    const tag = view.getUint16(at, isLittle)
    if (tag !== windowsTitleTag && tag !== descriptionTag) continue
    const count = Math.min(view.getUint32(at + 4, isLittle), maxLookedAt)
    const from = count <= 4 ? at + 8 : view.getUint32(at + 8, isLittle)
    const encoding = tag === windowsTitleTag ? 'utf-16le' : 'utf-8'
    titles.set(tag, new TextDecoder(encoding).decode(tiff.subarray(from, from + count)))
  }
  return titles.get(windowsTitleTag) || titles.get(descriptionTag) || null
}
