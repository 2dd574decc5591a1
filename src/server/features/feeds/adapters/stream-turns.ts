/**
 * Limits the concurrent streams from a connected server: in total, for one link and for one viewer. So a
 * viewer who keeps streams open does not block others.
 */
import { inAccountScope } from '../../../platform/concurrency/account-scope.ts'
import type { Release } from '../../../platform/concurrency/semaphore.ts'
import { Semaphore, SemaphoreFull } from '../../../platform/concurrency/semaphore.ts'

/** The viewer of a stream, and its link or account. */
export type Streaming = { readonly viewer: string; readonly link: string }

const mostAtOnce = 12
const mostOfLink = 8
const mostOfViewer = 6
/** Running and waiting together. */
const mostAskedByViewer = 24
const mostWaiting = 200

export type StreamTurns = (streaming: Streaming, signal: AbortSignal) => Promise<Release>

/** Creates turns that reject with `SemaphoreFull`, or with the signal's reason. */
export function createStreamTurns(): StreamTurns {
  const asked = new Semaphore({ atOnce: Infinity, atOncePerAccount: mostAskedByViewer })
  const ofViewers = new Semaphore({ atOnce: Infinity, atOncePerAccount: mostOfViewer })
  const ofLinks = new Semaphore({ atOnce: Infinity, atOncePerAccount: mostOfLink })
  const all = new Semaphore({ atOnce: mostAtOnce, mostWaiting })

  return async ({ viewer, link }, signal) => {
    const place = inAccountScope({ account: viewer }, () => asked.tryAcquire())
    if (!place) throw new SemaphoreFull('One viewer requests too many files at once')
    const held = [place]
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
