/**
 * Input of the picture tools: read, checked before decoding, and refused with a message that names the
 * picture and the reason.
 */
import { pictureMaxBytes } from '../../../contract/images.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import type { Picture, Unfit } from '../../media/picture.ts'
import { inspectPicture, UnfitPicture } from '../../media/picture.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import type { SourceFault } from '../files/files.ts'
import { readPictureSource, SourceRefused } from '../files/files.ts'
import { refuseBlockedPicture } from '../moderation/moderation.ts'

export type PictureInput = {
  readonly picture: Picture
  /** The stored file, if it is one. */
  readonly file: FileAddress | null
}

/** The allowed pixels of each side. */
type SideLimits = { readonly minPx: number; readonly maxPx: number }

type Demands = {
  /** The picture's name in a refusal, such as 'The first picture'. */
  readonly called: string
  readonly sides?: SideLimits
}

/** Reads a picture from a data URI, an address of this site or a public address. */
export function readPicture(
  ctx: Context,
  address: string,
  demands: Demands,
): Promise<PictureInput> {
  return explained(demands.called, async () => {
    const { bytes, file } = await readPictureSource(ctx, address, { maxBytes: pictureMaxBytes })
    const picture = await judgePicture(bytes, demands)
    await refuseBlockedPicture(ctx, picture)
    return { picture, file }
  })
}

/** Turns a fault of a picture into a response. Other errors pass through. */
export async function explained<T>(called: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SourceRefused) {
      const { fault } = error
      throw fault === 'too-large' ? tooLarge(called) : refusal(called, sourceWords[fault])
    }
    if (error instanceof UnfitPicture) throw refusal(called, unfitWords[error.reason])
    throw error
  }
}

export function tooLarge(called: string) {
  return problem.pictureTooLarge({ message: `${called} is larger than 20 MB` })
}

/** Checks a picture. Call it inside `explained`. */
export async function judgePicture(
  bytes: Uint8Array,
  { called, sides }: Demands,
): Promise<Picture> {
  if (bytes.length === 0) throw new UnfitPicture('format')
  const picture = await inspectPicture(bytes)
  if (picture.format === 'gif') throw new UnfitPicture('format')
  if (sides && !isWithin(picture, sides))
    throw refusal(
      called,
      `has ${picture.width} × ${picture.height} pixels; each side must have ${sides.minPx} to ${sides.maxPx}`,
    )
  return picture
}

function isWithin({ width, height }: Picture, { minPx, maxPx }: SideLimits): boolean {
  return Math.min(width, height) >= minPx && Math.max(width, height) <= maxPx
}

function refusal(called: string, words: string) {
  return problem.invalidPicture({ message: `${called} ${words}` })
}

const sourceWords: Readonly<Record<Exclude<SourceFault, 'too-large'>, string>> = {
  address: 'must be an http(s) address or a base64 data URI',
  host: 'is on a host that is not allowed',
  missing: 'was not found at its address',
  'too-slow': 'could not be fetched from its address',
  unreachable: 'could not be fetched from its address',
}

const unfitWords: Readonly<Record<Unfit, string>> = {
  format: 'must be a JPEG, PNG or WebP picture',
  broken: 'is damaged and cannot be read',
  'too-many-pixels': 'has too many pixels',
  'too-many-parts': 'is made of too many parts',
  'too-slow': 'takes too long to read',
}
