/**
 * provider_a: what libvips can do by itself. Lanczos makes the picture larger; each pixel leans a
 * little on its neighbours, which takes off noise; and edges are sharpened where there are any. All
 * of it is one pass over the picture, so that a large one needs little memory.
 */
import { sharp } from '../../../media/libvips.ts'
import { inTurn } from '../../../media/picture-turns.ts'
import { Semaphore } from '../../../platform/concurrency/semaphore.ts'
import type { Enhancer } from '../enhancer.ts'
import { enlargement } from '../enhancer.ts'
import { finishPicture } from '../frame.ts'

// The neighbours in the small picture: in the large one they lie two pixels away. Measured against
// pictures that were made smaller: 0.4 dB better with noise, 0.2 dB worse without.
const denoising = {
  width: 5,
  height: 5,
  kernel: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 8, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0],
}
const sharpening = { sigma: 1, m1: 0, m2: 1.5 }

export function createSharpening(): Enhancer {
  // A large picture takes seconds: one at a time leaves a turn to the quick picture tools.
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
