/**
 * Writes a caption for a picture. A picture that may show a minor is remembered and refused from then on.
 */
import type { Context } from '../../context.ts'
import type { CaptionPicture } from './caption-pictures.ts'
import type { CaptionOrder } from './provider/caption-provider.ts'
import { CaptionFailed } from './provider/caption-provider.ts'
import { insertRefusedPicture, isRefusedPicture } from './queries.ts'

export async function writeAbout(
  ctx: Context,
  picture: CaptionPicture,
  order: Omit<CaptionOrder, 'picture'>,
): Promise<string> {
  await refuseKnownPicture(ctx, picture.hash)
  try {
    return await ctx.captions.write({ ...order, picture: await picture.develop() })
  } catch (error) {
    if (error instanceof CaptionFailed && error.fault === 'minor')
      await insertRefusedPicture(ctx, picture.hash)
    throw error
  }
}

/** Throws for a picture that was refused, whatever the voice and material. */
export async function refuseKnownPicture(ctx: Context, pictureHash: Buffer): Promise<void> {
  if (await isRefusedPicture(ctx, pictureHash))
    throw new CaptionFailed('minor', 'The picture was refused before')
}
