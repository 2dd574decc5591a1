/** Text on a picture: in the bundled font, wrapped, and outlined to be readable on any background. */
import { canDraw } from '../../media/font-coverage.ts'
import { sharp } from '../../media/libvips.ts'

/** A layer for a frame. */
export type Overlay = { readonly input: Buffer; readonly left: number; readonly top: number }

/** Text that would be unreadable. Its message gives the reason. */
export class IllegibleText extends Error {
  override name = 'IllegibleText'
}

const font = 'DejaVu Sans Bold'
const widthShare = 0.9
const heightShare = 0.6
const marginShare = 0.04
// Smaller letters of this font run together. Two hundred average letters fit the smallest frame.
const minFontPx = 7
const maxTries = 8

/** Draws text. Returns null if nothing is visible. Fails with IllegibleText. */
export async function drawText(text: string, sizePx: number): Promise<Overlay | null> {
  const words = visibleText(text)
  if (words === '') return null
  if (!isDrawable(words)) throw new IllegibleText('The text has characters that cannot be drawn')
  const letters = await fitLetters(words, sizePx)
  const outlined = await outline(letters, Math.max(2, Math.round(letters.fontPx / 8)))
  const { width, height } = outlined
  return {
    input: outlined.png,
    left: Math.round((sizePx - width) / 2),
    top: Math.max(0, sizePx - height - Math.round(sizePx * marginShare)),
  }
}

/** Removes characters that are invisible or change the text direction. Keeps line breaks. */
function visibleText(text: string): string {
  const kept = text
    .normalize('NFC')
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(
      /[\p{Cc}\p{Co}\p{Cn}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu,
      (sign) => (sign === '\n' ? sign : ''),
    )
    .trim()
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(kept) ? kept : ''
}

function isDrawable(words: string): boolean {
  const seen = words.replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, '')
  return Array.from(seen).every(canDraw)
}

type Letters = {
  readonly png: Buffer
  readonly width: number
  readonly height: number
  readonly fontPx: number
}

/** Starts with a readable size and shrinks the text until it fits. */
async function fitLetters(words: string, sizePx: number): Promise<Letters> {
  const [maxWidth, maxHeight] = [sizePx * widthShare, sizePx * heightShare]
  for (let tries = 1, wantedPx = sizePx / 11; ; tries += 1) {
    const fontPx = tries < maxTries ? Math.max(minFontPx, wantedPx) : minFontPx
    const letters = await drawLetters(words, fontPx, maxWidth)
    const { width, height } = letters
    if (width <= maxWidth && height <= maxHeight) return letters
    if (fontPx === minFontPx) throw new IllegibleText('The text is too long for the picture')
    // Half the font size takes a quarter of the area.
    wantedPx = fontPx * Math.min(0.95, Math.sqrt(maxHeight / height), maxWidth / width)
  }
}

async function drawLetters(words: string, fontPx: number, maxWidth: number): Promise<Letters> {
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="white">${escapeMarkup(words)}</span>`,
      font: `${font} ${fontPx.toFixed(1)}`,
      // At 72 dots per inch a point is a pixel.
      dpi: 72,
      width: Math.floor(maxWidth),
      align: 'centre',
      wrap: 'word-char',
      rgba: true,
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer({ resolveWithObject: true })
  return { png: data, width: info.width, height: info.height, fontPx }
}

/** Adds a black edge, so that white letters are visible on white and on black. */
async function outline({ png, width, height }: Letters, edgePx: number) {
  const outer = { width: width + 2 * edgePx, height: height + 2 * edgePx }
  const oneChannel = { raw: { ...outer, channels: 1 as const } }
  const shape = await sharp(png)
    .extend({ top: edgePx, bottom: edgePx, left: edgePx, right: edgePx, background: '#0000' })
    .extractChannel('alpha')
    .toColourspace('b-w')
    .raw()
    .toBuffer()
  const edge = await sharp(shape, oneChannel)
    // Blurring and then amplifying enlarges the letters by about the edge.
    .blur(edgePx / 2)
    .linear(6, 0)
    .toColourspace('b-w')
    .raw()
    .toBuffer()
  const shadow = await sharp({ create: { ...outer, channels: 3, background: 'black' } })
    .joinChannel(edge, oneChannel)
    .png({ compressionLevel: 0 })
    .toBuffer()
  const outlined = await sharp(shadow)
    .composite([{ input: png, left: edgePx, top: edgePx }])
    .png({ compressionLevel: 0 })
    .toBuffer()
  return { png: outlined, ...outer }
}

/** Escapes the text: the renderer reads it as markup. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
