/** provider_b: a neural network for super-resolution. */
import { sharp } from '../../../media/libvips.ts'
import { inTurn } from '../../../media/picture-turns.ts'
import { Semaphore } from '../../../platform/concurrency/semaphore.ts'
import type { Enhancer } from '../enhancer.ts'
import { enlargement, ProviderUnavailable } from '../enhancer.ts'
import type { Frame } from '../frame.ts'
import { finishPicture } from '../frame.ts'
import type { UpscaleOrder } from './upscale-order.ts'
import { createUpscaler } from './upscaler.ts'

const maxPicturePixels = 1_048_576
// The frame of a narrow picture is many times its size, and all of it would be enlarged.
const maxFramePixels = 1.25 * maxPicturePixels

export function createSuperResolution(): Enhancer & { close(): Promise<void> } {
  const upscaler = createUpscaler()
  // A run uses all processors, so only one at a time.
  const semaphore = new Semaphore({ atOnce: 1 })

  return {
    isAvailable: () => upscaler.isAvailable(),
    async enhance(frame, { signal, budgetMs }) {
      const endsAtMs = performance.now() + budgetMs
      if (frame.picture.width * frame.picture.height > maxPicturePixels)
        throw new ProviderUnavailable('the picture has more than a million pixels')
      if (frame.width * frame.height > maxFramePixels)
        throw new ProviderUnavailable('the picture is too narrow')
      const upscale = async () => {
        const order = await inTurn(() => decode(frame))
        const { data, width, height, channels } = await upscaler.upscale(order, {
          signal,
          endsAtMs,
        })
        const raw = { width, height, channels: channels === 4 ? 4 : 3 } as const
        return inTurn(() => finishPicture(sharp(data, { raw }), frame, enlargement))
      }
      return semaphore.run(upscale, { signal })
    },
    close: () => upscaler.close(),
  }
}

async function decode({ bytes, width, height, hasAlpha }: Frame): Promise<UpscaleOrder> {
  const image = sharp(bytes)
  const coloured = hasAlpha ? image.ensureAlpha() : image.removeAlpha()
  const { data, info } = await coloured
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const picture = { data, width, height, channels: info.channels }
  if (!hasAlpha) return { picture, enlargedAlpha: null }
  const enlargedAlpha = await sharp(bytes)
    .extractChannel('alpha')
    .resize(width * enlargement, height * enlargement, { kernel: 'lanczos3' })
    .raw()
    .toBuffer()
  return { picture, enlargedAlpha }
}
