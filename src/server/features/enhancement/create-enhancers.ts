/** The two providers of a node, with the time that each has (contract 4.6). */
import type { ProviderName, Quality } from '../../../contract/enhancement.ts'
import { Semaphore } from '../../platform/concurrency/semaphore.ts'
import type { Enhancer, Enhancers } from './enhancer.ts'
import { createSharpening } from './providers/sharpening.ts'
import { createSuperResolution } from './providers/super-resolution.ts'

// Each holds a picture of up to 25 MB and its frame; both providers work on one at a time.
const atOnce = 6
const longestWaitMs = 40_000
// A node that stops waits for 25 s in all: what would take longer is paid back in time.
const stopGraceMs = 15_000

/** Providers and times can be replaced one by one. */
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
