/** Creates the two providers of a node, with their time limits (contract 4.6). */
import type { ProviderName, Quality } from '../../../contract/enhancement.ts'
import { Semaphore } from '../../platform/concurrency/semaphore.ts'
import type { Enhancer, Enhancers } from './enhancer.ts'
import { createSharpening } from './providers/sharpening.ts'
import { createSuperResolution } from './providers/super-resolution.ts'

// Each holds a picture of up to 25 MB and its frame. Each provider works on one at a time.
const atOnce = 6
const longestWaitMs = 40_000
// A node that stops waits for 25 s in total. Work that would take longer ends now, so that it is refunded
// in time.
const stopGraceMs = 15_000

/** Creates the enhancers. Providers and time limits can be replaced individually. */
export function createEnhancers(
  replacements: {
    providers?: Partial<Record<ProviderName, Enhancer>>
    budgetMs?: Record<Quality, number>
  } = {},
): Enhancers {
  const superResolution = createSuperResolution()
  return {
    providers: {
      provider_a: createSharpening(),
      provider_b: superResolution,
      ...replacements.providers,
    },
    budgetMs: replacements.budgetMs ?? { low: 40_000, high: 50_000 },
    stopGraceMs,
    semaphore: new Semaphore({ atOnce }),
    longestWaitMs,
    close: () => superResolution.close(),
  }
}
