/** Covers regions of a picture. Payment and storage are the same as for other tools. */
import { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { sharp } from '../../media/libvips.ts'
import { inTurn } from '../../media/picture-turns.ts'
import type { Picture } from '../../media/picture.ts'
import { decoding, openPicture, photograph, UnfitPicture } from '../../media/picture.ts'
import type { Canvas } from './cover-regions.ts'
import { coverRegions } from './cover-regions.ts'
import { explained, readPicture } from './picture-input.ts'
import type { Delivered, Made } from './results.ts'
import { chargeFor } from './results.ts'

// Smaller than the limit of other tools, because all pixels are uncompressed in memory here.
const maxPixels = 40_000_000
const timeoutSeconds = 20

type Body = Call<typeof api.images.censor>['body']

export function censor(ctx: Context, { user, body, settle }: Call<typeof api.images.censor>) {
  const order = {
    featureKey: api.images.censor.price,
    description: 'Censored picture',
    saveToVault: body.saveToVault,
  }
  const make = async () => {
    const { picture, file } = await readPicture(ctx, body.imageUrl, { called: 'The picture' })
    // One at a time: there is not enough memory for several uncompressed pictures.
    const covered = await ctx.turns.inTurn('censoring', () =>
      explained('The picture', () => cover(picture, body)),
    )
    return { ...covered, origins: file ? [file] : [] }
  }
  return chargeFor(ctx, { user, settle }, order, { make, answer })
}

function answer({ width, height }: Made, delivered: Delivered) {
  return { success: true as const, dimensions: { width, height }, ...delivered }
}

type Covered = Omit<Made, 'origins'>

function cover(picture: Picture, { regions, mode, strength }: Body): Promise<Covered> {
  if (picture.width * picture.height > maxPixels) throw new UnfitPicture('too-many-pixels')
  return inTurn(async () => {
    const canvas = await decoding(() => canvasOf(picture))
    await coverRegions(canvas, regions, { mode, strength })
    return {
      ...(await encode(canvas, picture)),
      tool: 'censoring',
      width: canvas.width,
      height: canvas.height,
      durationMs: null,
      layout: null,
      seam: null,
    }
  })
}

async function canvasOf(picture: Picture): Promise<Canvas> {
  const { data, info } = await openPicture(picture)
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  if (channels !== 3 && channels !== 4) throw new UnfitPicture('format')
  return { data, width, height, channels }
}

/** Encodes drawings as PNG to keep sharp edges and transparency, and photographs as JPEG. */
async function encode(
  { data, width, height, channels }: Canvas,
  { format, hasAlpha }: Picture,
): Promise<Pick<Covered, 'bytes' | 'extension'>> {
  const image = sharp(data, { raw: { width, height, channels } }).timeout({
    seconds: timeoutSeconds,
  })
  if (format === 'png' || hasAlpha)
    return { bytes: await image.png({ compressionLevel: 3 }).toBuffer(), extension: 'png' }
  const bytes = await image.jpeg({ ...photograph, chromaSubsampling: '4:4:4' }).toBuffer()
  return { bytes, extension: 'jpg' }
}
