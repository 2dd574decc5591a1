/**
 * Checks an untrusted picture before any pixel is decoded: its real format, its size, the pixels of all
 * pages. All later work takes a turn and has a time limit.
 */
import type { Metadata, Sharp } from './libvips.ts'
import { sharp } from './libvips.ts'
import type { PictureParts } from './picture-parts.ts'
import { readParts } from './picture-parts.ts'
import { inTurn, remainingTurnMs, withinBudget } from './picture-turns.ts'

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif'

export type Picture = {
  /** The bytes that the picture library may read. */
  readonly bytes: Uint8Array
  readonly parts: PictureParts
  readonly format: PictureFormat
  /** The size as displayed, after the orientation of the camera. */
  readonly width: number
  readonly height: number
  /** The orientation that the camera stored, from 1 (upright) to 8. */
  readonly orientation: number
  /** The number of pages, more than one in an animation. */
  readonly pages: number
  /** The duration of each page, and the number of loops; 0 is endless. */
  readonly delaysMs: readonly number[]
  readonly loop: number
  readonly hasAlpha: boolean
  /** The colour profile, empty for none. Null if the picture must be encoded again to display correctly. */
  readonly plainProfile: Buffer | null
}

/** The reason for refusing a picture. */
export type Unfit = 'format' | 'broken' | 'too-many-pixels' | 'too-many-parts' | 'too-slow'

export class UnfitPicture extends Error {
  override name = 'UnfitPicture'
  readonly reason: Unfit

  constructor(reason: Unfit, options?: ErrorOptions) {
    super(`The picture cannot be used: ${reason}`, options)
    this.reason = reason
  }
}

// An 8K photograph has 33 million pixels; a hundred pages of an ordinary GIF have fewer than 60 million.
const maxPixels = 60_000_000
export const maxPixelsOfAllPages = 150_000_000
const workTimeoutSeconds = 20

/**
 * The encoding of photographs. Optimised coding would make them smaller, but libjpeg then keeps the whole
 * picture for a second pass: a hundred megabytes for 16 megapixels, and twice the time.
 */
export const photograph = { quality: 90, optimiseCoding: false } as const

const formats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif'])

/** Counts the parts of the picture, and reads only its header. */
export async function inspectPicture(file: Uint8Array): Promise<Picture> {
  const parts = readParts(file)
  if (typeof parts === 'string') throw new UnfitPicture(parts)
  const bytes = parts.legible
  const head = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', animated: true })
    .metadata()
    .catch((error: unknown) => {
      throw new UnfitPicture(reasonOf(error), { cause: error })
    })
  if (!isFormat(head.format)) throw new UnfitPicture('format')
  const { orientation = 1, pages = 1, delay: delaysMs = [], loop = 0, hasAlpha } = head
  const { width, height } = sizeSeen(head)
  if (width * height > maxPixels || width * height * pages > maxPixelsOfAllPages)
    throw new UnfitPicture('too-many-pixels')
  const plainProfile = plainProfileOf(head)
  const moving = { pages, delaysMs, loop }
  const { format } = head
  return { bytes, parts, format, width, height, orientation, ...moving, hasAlpha, plainProfile }
}

/**
 * Runs `work` on one page of an inspected picture, the first by default: upright, in sRGB, without
 * metadata. `work` must end in an output, and fails if it takes too long.
 */
export function developPicture<T>(
  picture: Picture,
  work: (image: Sharp) => Promise<T>,
  { page = 0 }: { page?: number } = {},
): Promise<T> {
  return inTurn(() => {
    if (remainingTurnMs() <= 0) throw new UnfitPicture('too-slow')
    return decoding(() => work(openPicture(picture, { page })))
  })
}

/** Runs all work on one picture within one time limit. Throws UnfitPicture. */
export function withPictureBudget<T>(
  work: () => Promise<T>,
  options: { budgetMs?: number } = {},
): Promise<T> {
  return withinBudget(() => new UnfitPicture('too-slow'), work, options)
}

/** Opens a picture for code that already has a turn and must not wait for another. */
export function openPicture(picture: Picture, { page = 0 }: { page?: number } = {}): Sharp {
  return sharp(picture.bytes, {
    limitInputPixels: maxPixelsOfAllPages,
    failOn: 'error',
    page,
  })
    .autoOrient()
    .timeout({ seconds: timeoutSeconds() })
}

/** Returns the time limit for one operation, within the rest of the picture's budget. */
export function timeoutSeconds(): number {
  return Math.max(1, Math.min(workTimeoutSeconds, Math.ceil(remainingTurnMs() / 1000)))
}

/** Converts any error while decoding to UnfitPicture: it is the picture's fault. */
export async function decoding<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnfitPicture) throw error
    throw new UnfitPicture(remainingTurnMs() <= 0 ? 'too-slow' : 'broken', { cause: error })
  }
}

/** Returns the displayed size. The pages of an animation are stacked, and each is rotated separately. */
function sizeSeen({ autoOrient, width, height, pages = 1, pageHeight, orientation = 1 }: Metadata) {
  if (pages === 1) return autoOrient
  const page = { width, height: pageHeight ?? height }
  return orientation < 5 ? page : { width: page.height, height: page.width }
}

/** Returns the profile if the picture is one page, upright, in eight bits of red, green and blue. */
function plainProfileOf(head: Metadata): Buffer | null {
  const { orientation = 1, depth, space, channels, pages = 1, icc } = head
  const isPlain =
    orientation <= 1 && depth === 'uchar' && space === 'srgb' && channels === 3 && pages === 1
  return isPlain ? (icc ?? Buffer.alloc(0)) : null
}

function isFormat(format: string | undefined): format is PictureFormat {
  return format !== undefined && formats.has(format)
}

/** Derives the reason from the message, because libvips has no error codes. */
function reasonOf(error: unknown): Unfit {
  const words = String(error)
  if (words.includes('pixel limit')) return 'too-many-pixels'
  return words.includes('unsupported image format') ? 'format' : 'broken'
}
