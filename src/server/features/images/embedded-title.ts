/** The title that a picture file carries in itself, in its owner's or an editor's own words. */
import { sharp } from '../../platform/libvips.ts'
import { readExif } from './exif.ts'

const maxCharacters = 200
// As much of a stranger's text as is looked at.
const maxLookedAt = 4000

/** From XMP, EXIF or a PNG's text, in this order; null where there is none. */
export async function readEmbeddedTitle(bytes: Uint8Array): Promise<string | null> {
  const { exif, xmp, comments } = await sharp(bytes, { limitInputPixels: false }).metadata()
  const written = comments?.find(({ keyword }) => keyword.toLowerCase() === 'title')?.text
  const candidates = [xmp && xmpTitle(xmp), exif && readExif(tiffOf(exif)).title, written]
  return candidates.map(plainWords).find((words) => words !== null) ?? null
}

/** Text on one line, without control characters; null where nothing is left. */
export function plainWords(text: string | null | undefined): string | null {
  const words = (text ?? '')
    .slice(0, maxLookedAt)
    // oxlint-disable-next-line no-control-regex -- a stranger's bytes hold them
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\ufffd\s]+/g, ' ')
    .trim()
    .slice(0, maxCharacters)
    .toWellFormed()
  return words === '' ? null : words
}

function tiffOf(exif: Buffer): Uint8Array {
  return exif.subarray(0, 4).toString('latin1') === 'Exif' ? exif.subarray(6) : exif
}

/** dc:title is a list of one text for each language; the first is the default. */
function xmpTitle(xmp: Buffer): string | null {
  const begin = xmp.indexOf('<dc:title')
  if (begin < 0) return null
  const list = xmp.toString('utf8', begin, begin + maxLookedAt)
  const [, text] = /^<dc:title[^>]*>\s*<rdf:\w+[^>]*>\s*<rdf:li[^>]*>([^<]*)</.exec(list) ?? []
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
