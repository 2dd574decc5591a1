/**
 * The few words of EXIF that matter here: which way up a picture is, and what its maker called it.
 * Offsets in it are a stranger's, so nothing is read without asking whether it is there.
 */

export type Exif = {
  /** 1 to 8 as cameras note it; 1 is upright. */
  readonly orientation: number
  readonly title: string | null
  /** Nothing in it but how to draw the picture. */
  readonly isHarmless: boolean
}

const orientationTag = 0x0112
const descriptionTag = 0x010e
const windowsTitleTag = 0x9c9b
// Orientation, resolution and its unit, and where the colour samples lie.
const harmlessTags: ReadonlySet<number> = new Set([orientationTag, 0x011a, 0x011b, 0x0128, 0x0213])
const entryBytes = 12

/** `tiff` begins with the byte order, after any 'Exif\0\0'. */
export function readExif(tiff: Uint8Array): Exif {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const order = String.fromCharCode(tiff[0] ?? 0, tiff[1] ?? 0)
  const nothing = { orientation: 1, title: null, isHarmless: false }
  if (tiff.length < 14 || (order !== 'II' && order !== 'MM')) return nothing
  const littleEndian = order === 'II'
  const first = view.getUint32(4, littleEndian)
  if (first + 2 > tiff.length) return nothing
  const entries = entriesAt(view, first, littleEndian)
  const orientation = entries.find(({ tag }) => tag === orientationTag)
  const turned = orientation ? view.getUint16(orientation.at + 8, littleEndian) : 1
  return {
    orientation: turned >= 1 && turned <= 8 ? turned : 1,
    title: titleIn(tiff, view, entries, littleEndian),
    isHarmless:
      entries.length > 0 &&
      entries.every(({ tag }) => harmlessTags.has(tag)) &&
      // A thumbnail, or anything else, may hide behind the last entry.
      tiff.length <= first + 2 + entries.length * (entryBytes + 8) + 8 &&
      nextOf(view, first, entries.length, littleEndian) === 0,
  }
}

/** An EXIF block that says nothing but the orientation. */
export function exifOfOrientation(orientation: number): Uint8Array {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

type Entry = { readonly tag: number; readonly at: number; readonly count: number }

function entriesAt(view: DataView, first: number, littleEndian: boolean): Entry[] {
  const count = view.getUint16(first, littleEndian)
  const present = Math.min(count, Math.floor((view.byteLength - first - 2) / entryBytes))
  return Array.from({ length: present }, (_, index) => {
    const at = first + 2 + index * entryBytes
    return {
      tag: view.getUint16(at, littleEndian),
      at,
      count: view.getUint32(at + 4, littleEndian),
    }
  })
}

/** Where the next directory begins; 0 for none. */
function nextOf(view: DataView, first: number, count: number, littleEndian: boolean): number {
  const at = first + 2 + count * entryBytes
  return at + 4 <= view.byteLength ? view.getUint32(at, littleEndian) : 0
}

function titleIn(
  tiff: Uint8Array,
  view: DataView,
  entries: readonly Entry[],
  littleEndian: boolean,
): string | null {
  for (const [tag, encoding] of [
    [windowsTitleTag, 'utf-16le'],
    [descriptionTag, 'utf-8'],
  ] as const) {
    const entry = entries.find((candidate) => candidate.tag === tag)
    if (!entry) continue
    const at = entry.count <= 4 ? entry.at + 8 : view.getUint32(entry.at + 8, littleEndian)
    const bytes = tiff.subarray(at, at + Math.min(entry.count, 2000))
    const words = new TextDecoder(encoding).decode(bytes)
    if (words !== '') return words
  }
  return null
}
