/**
 * How much is streamed from a connected server at once: so much in all, of it so much by one link and
 * for one viewer, so that nobody who holds streams open keeps the others from theirs.
 */
import { inAccountScope } from '../../../platform/concurrency/account-scope.ts'
import type { Release } from '../../../platform/concurrency/semaphore.ts'
import { Semaphore, SemaphoreFull } from '../../../platform/concurrency/semaphore.ts'

/** Who streams, and by which link or for which account. */
export type Streaming = { readonly viewer: string; readonly link: string }

const mostAtOnce = 12
const mostOfLink = 8
const mostOfViewer = 6
/** Running and waiting. */
const mostAskedByViewer = 24
const mostWaiting = 200

export type StreamTurns = (streaming: Streaming, signal: AbortSignal) => Promise<Release>

/** The turns reject with `SemaphoreFull`, or with the signal's reason. */
export function createStreamTurns(): StreamTurns {
  const asked = new Semaphore({ atOnce: Infinity, atOncePerAccount: mostAskedByViewer })
  const ofViewers = new Semaphore({ atOnce: Infinity, atOncePerAccount: mostOfViewer })
  const ofLinks = new Semaphore({ atOnce: Infinity, atOncePerAccount: mostOfLink })
  const all = new Semaphore({ atOnce: mostAtOnce, mostWaiting })

  return async ({ viewer, link }, signal) => {
    const place = inAccountScope({ account: viewer }, () => asked.tryAcquire())
    if (!place) throw new SemaphoreFull('One viewer asks for too much at once')
    const held = [place]
    const release = () => held.forEach((release) => release())
    try {
      // Who waits holds only what counts for themselves, never what others wait for.
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
