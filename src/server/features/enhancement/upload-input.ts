/** Checks that an upload is a picture that can be enhanced, before anything is counted or charged. */
import type { Context } from '../../context.ts'
import type { FileRead } from '../../http/bodies/form.ts'
import { problem } from '../../http/problem.ts'
import type { Picture, Unfit } from '../../media/picture.ts'
import { inspectPicture, UnfitPicture } from '../../media/picture.ts'
import { isBlockedPicture } from '../moderation/moderation.ts'
import type { Frame, ResultFormat } from './frame.ts'
import { framePicture } from './frame.ts'

export type JudgedPicture = { readonly picture: Picture; readonly frame: Frame }

const declaredTypes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/jpg',
  'image/png',
  'image/webp',
])

const unfitWords: Readonly<Record<Unfit, string>> = {
  format: 'image must be a JPEG, PNG or WebP picture',
  broken: 'image cannot be read as a picture',
  'too-many-parts': 'image cannot be read as a picture',
  'too-many-pixels':
    'image is too large or too narrow: padded to a common shape it may have 15 million pixels, and 8191 a side',
  'too-slow': 'image takes too long to read',
}

/** Decodes every pixel, so that people do not pay for a picture that turns out to be broken. */
export async function judgeUpload(ctx: Context, file: FileRead | null): Promise<JudgedPicture> {
  if (!file) throw problem.enhancementInput({ error: 'image is required' })
  if (file.isTooLarge) throw problem.enhancementTooLarge()
  if (!declaredTypes.has(file.mimeType.toLowerCase()))
    throw problem.enhancementInput({ error: unfitWords.format })
  const judged = await inspectPicture(file.bytes).then(frameStill, refuseUnfit)
  if (await isBlockedPicture(ctx, judged.picture).catch(refuseUnfit)) throw problem.safetyRejected()
  return judged
}

async function frameStill(picture: Picture): Promise<JudgedPicture> {
  const format = resultFormat(picture)
  if (!format) throw problem.enhancementInput({ error: unfitWords.format })
  if (picture.pages > 1) throw problem.enhancementInput({ error: 'image must not be animated' })
  return { picture, frame: await framePicture(picture, format).catch(refuseUnfit) }
}

function resultFormat({ format }: Picture): ResultFormat | null {
  return format === 'gif' ? null : format
}

function refuseUnfit(error: unknown): never {
  if (!(error instanceof UnfitPicture)) throw error
  throw problem.enhancementInput({ error: unfitWords[error.reason] })
}
