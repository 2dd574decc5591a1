/**
 * A stranger's picture, judged before a pixel of it is decoded: its real format, its size, the
 * pixels of all its pages. Whatever is done with it afterwards takes a turn and a limited time.
 */
import type { Metadata, Sharp } from './libvips.ts'
import { sharp } from './libvips.ts'
import type { PictureParts } from './picture-parts.ts'
import { readParts } from './picture-parts.ts'
import { inTurn, leftOfTurnMs, withinBudget } from './picture-turns.ts'

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif'

export type Picture = {
  /** As the picture library may see them. */
  readonly bytes: Uint8Array
  readonly parts: PictureParts
  readonly format: PictureFormat
  /** As it is seen: after the orientation that a camera has noted. */
  readonly width: number
  readonly height: number
  /** As a camera has noted it, from 1 for upright to 8. */
  readonly orientation: number
  /** More than one in an animation. */
  readonly pages: number
  /** How long each page is seen, and how often all of them; 0 is for ever. */
  readonly delaysMs: readonly number[]
  readonly loop: number
  readonly hasAlpha: boolean
  /** Its colour profile, empty for none; null where it has to be drawn anew to be shown as it is meant. */
  readonly plainProfile: Buffer | null
}

/** Why bytes are not worked on. */
export type Unfit = 'format' | 'broken' | 'too-many-pixels' | 'too-many-parts' | 'too-slow'

export class UnfitPicture extends Error {
  override name = 'UnfitPicture'
  readonly reason: Unfit

  constructor(reason: Unfit, options?: ErrorOptions) {
    super(`The picture is unfit: ${reason}`, options)
    this.reason = reason
  }
}

// An 8K photograph has 33 million pixels; a hundred pages of an ordinary GIF have fewer than 60.
const maxPixels = 60_000_000
export const maxPixelsOfAllPages = 150_000_000
const workTimeoutSeconds = 20

/**
 * How photographs are packed. Optimised coding would make them smaller, but to look at a whole picture
 * twice libjpeg keeps all of it: a hundred megabytes for 16 megapixels, and twice the time.
 */
export const photograph = { quality: 90, optimiseCoding: false } as const

const formats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif'])

/** Counts the parts of the picture, and reads only its head. */
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
 * Does something with a picture that was inspected: one page of it, the first, upright, in sRGB, without
 * metadata. `work` must end in an output, and is refused if it takes too long.
 */
export function developPicture<T>(
  picture: Picture,
  work: (image: Sharp) => Promise<T>,
  { page = 0 }: { page?: number } = {},
): Promise<T> {
  return inTurn(() => {
    if (leftOfTurnMs() <= 0) throw new UnfitPicture('too-slow')
    return decoding(() => work(openPicture(picture, { page })))
  })
}

/** All that is done with one picture, together within one time. Fails with UnfitPicture. */
export function withPictureBudget<T>(
  work: () => Promise<T>,
  options: { budgetMs?: number } = {},
): Promise<T> {
  return withinBudget(() => new UnfitPicture('too-slow'), work, options)
}

/** For whoever has a turn already: such a one must not wait for another. */
export function openPicture(picture: Picture, { page = 0 }: { page?: number } = {}): Sharp {
  return sharp(picture.bytes, {
    limitInputPixels: maxPixelsOfAllPages,
    failOn: 'error',
    page,
  })
    .autoOrient()
    .timeout({ seconds: timeoutSeconds() })
}

/** As long as one piece of work may take, of what is left of the picture's budget. */
export function timeoutSeconds(): number {
  return Math.max(1, Math.min(workTimeoutSeconds, Math.ceil(leftOfTurnMs() / 1000)))
}

/** What fails while a picture is decoded is the picture's fault. */
export async function decoding<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnfitPicture) throw error
    throw new UnfitPicture(leftOfTurnMs() <= 0 ? 'too-slow' : 'broken', { cause: error })
  }
}

/** The pages of an animation lie below each other, each to be turned by itself. */
function sizeSeen({ autoOrient, width, height, pages = 1, pageHeight, orientation = 1 }: Metadata) {
  if (pages === 1) return autoOrient
  const page = { width, height: pageHeight ?? height }
  return orientation < 5 ? page : { width: page.height, height: page.width }
}

/** One page, upright, in eight bits of red, green and blue. */
function plainProfileOf(head: Metadata): Buffer | null {
  const { orientation = 1, depth, space, channels, pages = 1, icc } = head
  const isPlain =
    orientation <= 1 && depth === 'uchar' && space === 'srgb' && channels === 3 && pages === 1
  return isPlain ? (icc ?? Buffer.alloc(0)) : null
}

function isFormat(format: string | undefined): format is PictureFormat {
  return format !== undefined && formats.has(format)
}

/** libvips says why only in words. */
function reasonOf(error: unknown): Unfit {
  const words = String(error)
  if (words.includes('pixel limit')) return 'too-many-pixels'
  return words.includes('unsupported image format') ? 'format' : 'broken'
}
