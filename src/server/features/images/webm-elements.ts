/** The elements that WebM and Matroska files are made of, read without trusting a size in them. */
import type { ByteWindow } from './byte-window.ts'
import type { Hidden } from './hidden-bytes.ts'
import { UnfitVideo } from '../../platform/video.ts'

export type Element = {
  readonly id: number
  readonly at: number
  /** Where its content begins. */
  readonly content: number
  readonly end: number
  /** Does not fit where it stands; it counts as reaching to the end of it. */
  readonly isBroken: boolean
}

/** The names that the format's specification gives to the numbers. */
export const id = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  segmentUuid: 0x73a4,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackName: 0x536e,
  cluster: 0x1f43b675,
  cues: 0x1c53bb6b,
  tags: 0x1254c367,
  tag: 0x7373,
  targets: 0x63c0,
  simpleTag: 0x67c8,
  tagName: 0x45a3,
  tagLanguage: 0x447a,
  tagDefault: 0x4484,
  tagString: 0x4487,
  chapters: 0x1043a770,
  attachments: 0x1941a469,
  checksum: 0xbf,
  void: 0xec,
} as const

// What may stand in a segment, and so ends a cluster that does not know its own size.
const segmentParts: ReadonlySet<number> = new Set([
  id.seekHead,
  id.info,
  id.tracks,
  id.cluster,
  id.cues,
  id.tags,
  id.chapters,
  id.attachments,
])
const maxElements = 2_000_000

export async function* elementsIn(
  file: ByteWindow,
  start: number,
  end: number,
): AsyncGenerator<Element, void> {
  let count = 0
  for (let at = start; at < end;) {
    if ((count += 1) > maxElements) throw new UnfitVideo('broken')
    const element = await elementAt(file, at, end)
    yield element
    at = element.end
  }
}

/** The element as nothing: an id of one byte, then a size that is as long as it must be. */
export function voidOf({ at, content, end }: Element): Hidden {
  const sizeBytes = Math.min(8, content - at - 1)
  const head = Buffer.alloc(1 + sizeBytes)
  head[0] = id.void
  const size = BigInt(end - at - 1 - sizeBytes) | (1n << BigInt(7 * sizeBytes))
  for (let index = 0; index < sizeBytes; index += 1)
    head[sizeBytes - index] = Number((size >> BigInt(8 * index)) & 0xffn)
  return { at, length: end - at, head }
}

async function elementAt(file: ByteWindow, at: number, end: number): Promise<Element> {
  const head = await headAt(file, at, end)
  if (!head) return { id: 0, at, content: at, end, isBroken: true }
  const { content } = head
  if (head.size === null)
    return { ...head, at, end: await openEnd(file, head.id, content, end), isBroken: false }
  if (content + head.size <= end)
    return { id: head.id, at, content, end: content + head.size, isBroken: false }
  // The last cluster of a file that was cut off, and the segment around it.
  const isCutOff = head.id === id.cluster || head.id === id.segment
  return isCutOff
    ? { id: head.id, at, content, end, isBroken: false }
    : { id: 0, at, content: at, end, isBroken: true }
}

type Head = { readonly id: number; readonly content: number; readonly size: number | null }

/** The size is null where it was not known when the element was begun. */
async function headAt(file: ByteWindow, at: number, end: number): Promise<Head | null> {
  const head = await file.read(at, Math.min(12, end - at))
  const idBytes = lengthOf(head[0] ?? 0)
  const sizeBytes = lengthOf(head[idBytes] ?? 0)
  const content = at + idBytes + sizeBytes
  if (idBytes > 4 || sizeBytes > 8 || content > end) return null
  const marker = 1n << BigInt(7 * sizeBytes)
  const size = numberIn(head, idBytes, sizeBytes) - marker
  return {
    id: Number(numberIn(head, 0, idBytes)),
    content,
    size: size === marker - 1n ? null : Number(size),
  }
}

/** Where an element ends that was written before its size was known. */
async function openEnd(
  file: ByteWindow,
  elementId: number,
  content: number,
  end: number,
): Promise<number> {
  if (elementId === id.segment) return end
  if (elementId !== id.cluster) throw new UnfitVideo('broken')
  let count = 0
  for (let at = content; at < end;) {
    if ((count += 1) > maxElements) throw new UnfitVideo('broken')
    const part = await headAt(file, at, end)
    if (part && segmentParts.has(part.id)) return at
    if (part?.size === null || !part) return end
    at = part.content + part.size
  }
  return end
}

/** How many bytes a number takes, as its first byte tells. */
function lengthOf(first: number): number {
  return first === 0 ? 9 : Math.clz32(first) - 23
}

function numberIn(bytes: Buffer, at: number, length: number): bigint {
  let value = 0n
  for (const byte of bytes.subarray(at, at + length)) value = (value << 8n) | BigInt(byte)
  return value
}
