/**
 * Runs the network in a thread for each picture: an idle thread would keep the memory of its largest
 * tile. A run ends with its signal, whatever the thread is doing. It is aborted as soon as it is clear
 * that it will not finish in time.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { ProviderUnavailable } from '../enhancer.ts'
import type { Pixels } from './tiles.ts'
import { tileMargin, tilesOf } from './tiles.ts'
import type { UpscaleAnswer, UpscaleOrder, UpscaleWorkerData } from './upscale-order.ts'

export type Upscaler = {
  /** Returns false for a while after the thread has failed. */
  isAvailable(): boolean
  /** Enlarges a picture. Call it for one at a time. */
  upscale(order: UpscaleOrder, options: { signal: AbortSignal; endsAtMs: number }): Promise<Pixels>
  close(): Promise<void>
}

const maxThreads = 2
// Older measurements say nothing about the current load.
const speedKnownMs = 60_000
// The first tiles of a thread are slower than the rest.
const tilesBeforeJudging = 4
const failureRestMs = 30_000

export function createUpscaler(startThread: () => Worker = startNetwork): Upscaler {
  let worker: Worker | null = null
  let speed: { msPerPixel: number; atMs: number } | null = null
  let failedAtMs = -Infinity

  const dismiss = async () => {
    const dismissed = worker
    worker = null
    await dismissed?.terminate()
  }

  const hire = (): Worker => {
    const started = startThread()
    worker = started
    // An error without a listener would crash the node.
    started.on('error', () => {})
    started.on('exit', () => {
      if (worker === started) worker = null
    })
    return started
  }

  const refuseIfTooSlow = (pixelsLeft: number, endsAtMs: number) => {
    const nowMs = performance.now()
    if (!speed || nowMs - speed.atMs > speedKnownMs) return
    if (nowMs + speed.msPerPixel * pixelsLeft > endsAtMs)
      throw new ProviderUnavailable('the picture is too large for the time that is left')
  }

  return {
    isAvailable: () => performance.now() - failedAtMs > failureRestMs,

    async upscale(order, { signal, endsAtMs }) {
      let pixelsLeft = costOf(order.picture)
      const done = { tiles: 0, pixels: 0, ms: 0 }
      const judgeTile = (tile: { pixels: number; ms: number }) => {
        pixelsLeft -= tile.pixels
        done.tiles += 1
        done.pixels += tile.pixels
        done.ms += tile.ms
        speed = { msPerPixel: done.ms / done.pixels, atMs: performance.now() }
        if (done.tiles >= tilesBeforeJudging) refuseIfTooSlow(pixelsLeft, endsAtMs)
      }
      refuseIfTooSlow(pixelsLeft, endsAtMs)
      signal.throwIfAborted()
      try {
        const enlarged = await runOn(hire(), order, { signal, judgeTile })
        failedAtMs = -Infinity
        return enlarged
      } catch (error) {
        if (error instanceof UpscaleFailed) failedAtMs = performance.now()
        throw error
      } finally {
        // Only termination stops a thread's work.
        await dismiss()
      }
    },

    close: dismiss,
  }
}

function startNetwork(): Worker {
  const threads = Math.min(maxThreads, availableParallelism())
  return new Worker(new URL('./upscale-worker.ts', import.meta.url), {
    workerData: { threads } satisfies UpscaleWorkerData,
  })
}

class UpscaleFailed extends Error {
  override name = 'UpscaleFailed'
}

/** Rejects when the thread fails or ends, when the signal aborts, or when `judgeTile` throws. */
async function runOn(
  thread: Worker,
  order: UpscaleOrder,
  options: {
    signal: AbortSignal
    judgeTile: (tile: { pixels: number; ms: number }) => void
  },
): Promise<Pixels> {
  const { signal, judgeTile } = options
  const { promise, resolve, reject } = Promise.withResolvers<Pixels>()
  const hear = (answer: UpscaleAnswer) => {
    if (answer.kind === 'done') resolve(answer.enlarged)
    else if (answer.kind === 'failed') reject(new UpscaleFailed(answer.reason))
    else
      try {
        judgeTile(answer)
      } catch (error) {
        reject(error)
      }
  }
  const fail = (cause: unknown) => reject(new UpscaleFailed(`the thread ended: ${String(cause)}`))
  const end = () => reject(signal.reason)
  thread.on('message', hear).on('error', fail).on('exit', fail)
  signal.addEventListener('abort', end, { once: true })
  try {
    thread.postMessage(order, [])
    return await promise
  } finally {
    thread.off('message', hear).off('error', fail).off('exit', fail)
    signal.removeEventListener('abort', end)
  }
}

/** Returns the number of pixels that the network processes: tiles with margins. */
function costOf(picture: Pixels): number {
  return tilesOf(picture).reduce(
    (sum, { width, height }) => sum + (width + 2 * tileMargin) * (height + 2 * tileMargin),
    0,
  )
}
