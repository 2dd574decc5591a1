/**
 * provider_a: uses libvips only. It enlarges with Lanczos, reduces noise by mixing each pixel with its
 * neighbours, and sharpens edges. All of it is one pass, so that large pictures need little memory.
 */
import { sharp } from '../../../media/libvips.ts'
import { inTurn } from '../../../media/picture-turns.ts'
import { Semaphore } from '../../../platform/concurrency/semaphore.ts'
import type { Enhancer } from '../enhancer.ts'
import { enlargement } from '../enhancer.ts'
import { finishPicture } from '../frame.ts'

// Neighbours of the small picture, which are two pixels away in the large one. Measured against pictures
// that were scaled down: 0.4 dB better with noise, 0.2 dB worse without.
const denoising = {
  width: 5,
  height: 5,
  kernel: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 8, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0],
}
const sharpening = { sigma: 1, m1: 0, m2: 1.5 }

export function createSharpening(): Enhancer {
  // A large picture takes seconds. One at a time lets the quick picture tools run in between.
  const semaphore = new Semaphore({ atOnce: 1 })

  return {
    isAvailable: () => true,
    enhance(frame, { signal, budgetMs }) {
      const draw = () => {
        signal.throwIfAborted()
        const enlarged = sharp(frame.bytes)
          .timeout({ seconds: Math.ceil(budgetMs / 1000) })
          .resize(frame.width * enlargement, frame.height * enlargement, { kernel: 'lanczos3' })
          .convolve(denoising)
          .sharpen(sharpening)
        return finishPicture(enlarged, frame, enlargement)
      }
      return semaphore.run(() => inTurn(draw), { signal })
    },
  }
}
