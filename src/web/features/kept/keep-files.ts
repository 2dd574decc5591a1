/**
 * Makes the service worker store files, a few at a time. The worker may fetch files that the content policy
 * of a page forbids to fetch.
 */
import { absolute, type KeepOutcome, type WorkerRequest } from '../../worker/kept-names.ts'
import { activeWorker, askWorker } from '../../worker/ask-worker.ts'
import type { PlaylistSlide } from '../player/playlist.ts'
import { pictureAddress } from '../player/stage/picture-address.ts'

export type Progress = { readonly done: number; readonly total: number; readonly bytes: number }

export type Kept = {
  /** The reason why the run stopped early, or null. */
  readonly stoppedBy: 'away' | 'full' | 'large' | null
  readonly bytes: number
  readonly missing: number
  /** Files that were not stored before. */
  readonly added: readonly string[]
}

const atATime = 3
/** After this time without a response, the browser has ended the worker. */
const patienceMs = 10 * 60_000

type Order = {
  readonly cacheName: string
  readonly files: readonly string[]
  readonly maxBytes: number
  readonly signal: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

/**
 * Stops at the first file that fails because of the network or the space. The remaining files are not
 * requested.
 */
export async function keepFiles(order: Order): Promise<Kept> {
  const { cacheName, maxBytes, signal, onProgress } = order
  const cache = await caches.open(cacheName)
  const before = new Set((await cache.keys()).map(({ url }) => url))
  const addresses = [...new Set(order.files.map(absolute))]
  const left = [...addresses]
  const added: string[] = []
  let [bytes, done, missing] = [0, 0, 0]
  let stoppedBy: Kept['stoppedBy'] = null

  async function keepNext(): Promise<void> {
    for (let address = left.shift(); address !== undefined; address = left.shift()) {
      const kept = await keepOne({ cacheName, address, maxBytes: maxBytes - bytes }, signal)
      if (kept.outcome === 'kept') {
        bytes += kept.bytes
        if (!before.has(address)) added.push(address)
      } else if (kept.outcome === 'missing') missing += 1
      else {
        stoppedBy ??= kept.outcome
        left.length = 0
      }
      done += 1
      if (stoppedBy === null) onProgress?.({ done, total: addresses.length, bytes })
    }
  }
  await Promise.all(Array.from({ length: atATime }, keepNext))
  return { stoppedBy, bytes, missing, added }
}

async function keepOne(
  file: Omit<Extract<WorkerRequest, { ask: 'keep-file' }>, 'ask'>,
  signal: AbortSignal,
): Promise<KeepOutcome> {
  const worker = await activeWorker()
  if (!worker || signal.aborted) return { outcome: 'away' }
  const { port1, port2 } = new MessageChannel()
  const ended = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  try {
    return await new Promise<KeepOutcome>((resolve) => {
      port1.addEventListener('message', ({ data }: MessageEvent<KeepOutcome>) => resolve(data))
      ended.addEventListener('abort', () => resolve({ outcome: 'away' }))
      port1.start()
      askWorker(worker, { ask: 'keep-file', ...file }, port2)
    })
  } finally {
    port1.close()
  }
}

/**
 * Returns one file for each slide, sharp on this screen in both orientations. Films of other sites are
 * omitted: their size is unknown in advance, and they cannot be served in ranges.
 */
export function filesToKeep(slides: readonly PlaylistSlide[]): string[] {
  const longestPx = Math.max(screen.width, screen.height) * devicePixelRatio
  const anyWay = { widthPx: longestPx, heightPx: longestPx, isFilling: false }
  return slides.flatMap((slide) => {
    if (!slide.isMoving) return [pictureAddress(slide, anyWay)]
    return slide.mediaUrl.startsWith('/') ? [slide.mediaUrl] : []
  })
}
