/**
 * Reads the picture for a caption: fetches it safely, checks its content, and scales it down for the
 * provider. Only still pictures are accepted.
 */
import { captionPictureMaxBytes } from '../../../contract/captions.ts'
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { Problem, problem } from '../../http/problem.ts'
import { isAnimated } from '../../media/displayable-picture.ts'
import type { Picture } from '../../media/picture.ts'
import { developPicture, inspectPicture, UnfitPicture } from '../../media/picture.ts'
import { FetchRefused } from '../../platform/fetch/user-url.ts'
import { sha256 } from '../../platform/signature.ts'
import { readPictureSource, SourceRefused } from '../files/files.ts'

export type CaptionPicture = {
  /** The hash of the original file, which identifies the picture. */
  readonly hash: Buffer
  /** Returns the picture as the provider receives it. */
  readonly develop: () => Promise<Buffer>
}

/** Words for refusals: the name of the request field, and the problem for animations. */
export type PictureMessages = { readonly field: string; readonly animation: () => Problem }

const longestSidePx = 1024
const jpegQuality = 82
const headTimeoutMs = 5_000

const supportedTypes = new Set([
  'image/jpeg',
  'image/jpg',
  'image/pjpeg',
  'image/png',
  'image/webp',
])
const unknownTypes = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/**
 * Faults of a HEAD request that do not refuse the picture: some sites only answer requests for the whole
 * file.
 */
const silences = new Set<FetchRefused['reason']>(['timeout', 'unreachable', 'encoding'])

/** Reads and checks the picture. Rejects with the contract's problems. */
export async function readCaptionPicture(
  ctx: Context,
  address: string,
  words: PictureMessages,
): Promise<CaptionPicture> {
  try {
    if (/^https?:/i.test(address)) await lookAhead(ctx, address, words)
    const { bytes } = await readPictureSource(ctx, address, { maxBytes: captionPictureMaxBytes })
    const picture = await inspectPicture(bytes)
    refuseMoving(picture, words)
    const develop = () => shrink(picture).catch((error: unknown) => refuse(error, words))
    return { hash: sha256(bytes), develop }
  } catch (error) {
    return refuse(error, words)
  }
}

/** Checks the file's headers before fetching it. A missing answer is not a reason to refuse. */
async function lookAhead(ctx: Context, url: string, words: PictureMessages): Promise<void> {
  if (isOurs(ctx, url)) return
  const options = { method: 'HEAD', maxBytes: 0, timeoutMs: headTimeoutMs } as const
  const answer = await ctx.fetch(url, options).catch((error: unknown) => {
    const isSilent = error instanceof FetchRefused && silences.has(error.reason)
    if (!isSilent) throw error
    return null
  })
  if (answer?.status !== 200) return
  const { headers } = answer
  if (Number(headers['content-length']) > captionPictureMaxBytes) throw tooLarge()
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() === 'image/gif') throw words.animation()
  if (!supportedTypes.has(type.trim()) && !unknownTypes.has(type.trim()))
    throw unsupported('Captions are available for JPEG, PNG and WebP pictures only')
}

/** True for our own files, which are read from the storage. */
function isOurs(ctx: Context, url: string): boolean {
  return URL.parse(url)?.origin === new URL(ctx.config.baseUrl).origin
}

function refuseMoving(picture: Picture, words: PictureMessages): void {
  if (picture.format === 'gif' || isAnimated(picture)) throw words.animation()
}

function shrink(picture: Picture): Promise<Buffer> {
  const size = { width: longestSidePx, height: longestSidePx }
  return developPicture(picture, (image) =>
    image
      .resize({ ...size, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: jpegQuality })
      .toBuffer(),
  )
}

function refuse(error: unknown, { field }: PictureMessages): never {
  if (error instanceof UnfitPicture)
    throw error.reason === 'too-many-pixels'
      ? tooLarge('The picture has too many pixels')
      : unsupported('Captions are available for JPEG, PNG and WebP pictures only')
  if (error instanceof FetchRefused) throw refusedFetch(error, field)
  if (error instanceof SourceRefused) {
    if (error.fault === 'host') throw problem.imageHostNotAllowed()
    if (error.fault === 'too-large') throw tooLarge()
    throw unreadable(field)
  }
  throw error
}

function refusedFetch({ reason }: FetchRefused, field: string): Problem {
  if (reason === 'host') return problem.imageHostNotAllowed()
  return reason === 'too_large' ? tooLarge() : unreadable(field)
}

function tooLarge(message = 'The picture may have at most 20 MB'): Problem {
  return problem.captionPictureTooLarge({ message })
}

function unsupported(message: string): Problem {
  return problem.mediaTypeNotSupported({ message })
}

function unreadable(field: string): Problem {
  return new Problem(problems.validationFailed, {
    message: `Validation failed: ${field} must be the address of a picture that can be read`,
  })
}
