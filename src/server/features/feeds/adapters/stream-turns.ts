/**
 * Limits the concurrent streams from a connected server: in total, for one link and for one viewer. So a
 * viewer who keeps streams open does not block others.
 */
import { inAccountScope } from '../../../platform/concurrency/account-scope.ts'
import type { Release } from '../../../platform/concurrency/semaphore.ts'
import { Semaphore, SemaphoreFull } from '../../../platform/concurrency/semaphore.ts'

/** The viewer of a stream, and its link or account. */
export type Streaming = { readonly viewer: string; readonly link: string }

const maxConcurrent = 12
const maxPerLink = 8
const maxPerViewer = 6
/** Running and waiting together. */
const maxRequestsPerViewer = 24
const maxWaiting = 200

export type StreamTurns = (streaming: Streaming, signal: AbortSignal) => Promise<Release>

/** Creates turns that reject with `SemaphoreFull`, or with the signal's reason. */
export function createStreamTurns(): StreamTurns {
  const asked = new Semaphore({ atOnce: Infinity, atOncePerAccount: maxRequestsPerViewer })
  const ofViewers = new Semaphore({ atOnce: Infinity, atOncePerAccount: maxPerViewer })
  const ofLinks = new Semaphore({ atOnce: Infinity, atOncePerAccount: maxPerLink })
  const all = new Semaphore({ atOnce: maxConcurrent, maxWaiting })

  return async ({ viewer, link }, signal) => {
    const turn = inAccountScope({ account: viewer }, () => asked.tryAcquire())
    if (!turn) throw new SemaphoreFull('One viewer requests too many files at once')
    const held = [turn]
    const release = () => held.forEach((release) => release())
    try {
      // Acquire the shared limit last, so that a waiting viewer does not block others.
      held.push(await inAccountScope({ account: viewer }, () => ofViewers.acquire({ signal })))
      held.push(await inAccountScope({ account: link }, () => ofLinks.acquire({ signal })))
      held.push(await inAccountScope({ account: viewer }, () => all.acquire({ signal })))
      return release
    } catch (error) {
      release()
      throw error
    }
  }
}
