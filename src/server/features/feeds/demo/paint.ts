/**
 * Paints what is asked for, most urgent first, and keeps it in a folder. What is there already is
 * never painted again, so a run that was killed goes on where it stopped. Work that nobody waits for
 * takes one thread, so that a small machine keeps a processor for the service.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PaintAnswer, PaintOrder } from './paint-order.ts'
import { draftPrefix } from './paint-order.ts'
import type { Painting } from './posts.ts'
import { fileNameOf } from './posts.ts'

/** Somebody waits for it, somebody will soon, nobody does yet. */
const urgencies = ['asked', 'listed', 'background'] as const
export type Urgency = (typeof urgencies)[number]

export type Painter = {
  /** Resolves when the painting's files are there. */
  paint(painting: Painting, urgency: Urgency): Promise<void>
  /** Says that files have gone, so that the next call paints them again. */
  forget(painting: Painting): void
  close(): Promise<void>
}

type Order = PromiseWithResolvers<void> & { readonly painting: Painting; urgency: Urgency }

const mostThreads = 2
const idleMs = 20_000
const draftMaxAgeMs = 60 * 60 * 1000

export function createPainter({ folder, now }: { folder: string; now: () => Date }): Painter {
  const waiting = new Map<string, Order>()
  const running = new Map<Worker, Order>()
  const idle = new Set<Worker>()
  let prepared: Promise<Set<string>> | undefined
  let closed = false

  const dispatch = () => {
    while (running.size < mostThreads) {
      const order = mostUrgent(waiting.values())
      if (!order || (order.urgency !== 'asked' && running.size > 0)) return
      waiting.delete(order.painting.id)
      const [worker = hire()] = idle
      idle.delete(worker)
      running.set(worker, order)
      worker.ref()
      worker.postMessage({ painting: order.painting, folder } satisfies PaintOrder, [])
    }
  }

  const release = (worker: Worker, problem: string | null) => {
    const order = running.get(worker)
    running.delete(worker)
    if (problem === null) order?.resolve()
    else order?.reject(new Error(`${order.painting.id} could not be painted: ${problem}`))
    if (!closed) dispatch()
  }

  const hire = (): Worker => {
    const worker = new Worker(new URL('./paint-worker.ts', import.meta.url))
    let leave: NodeJS.Timeout | undefined
    worker.on('message', ({ problem }: PaintAnswer) => {
      idle.add(worker)
      worker.unref()
      release(worker, problem)
      clearTimeout(leave)
      leave = setTimeout(() => {
        // An idle thread still holds the memory of its last picture.
        if (idle.delete(worker)) void worker.terminate()
      }, idleMs).unref()
    })
    worker.on('error', (error) => {
      idle.delete(worker)
      release(worker, String(error))
    })
    worker.on('exit', () => {
      idle.delete(worker)
      if (running.has(worker)) release(worker, 'its thread ended')
    })
    return worker
  }

  const orderPainting = (painting: Painting, urgency: Urgency): Promise<void> => {
    for (const order of running.values())
      if (order.painting.id === painting.id) return order.promise
    const known = waiting.get(painting.id)
    const order = known ?? { ...Promise.withResolvers<void>(), painting, urgency }
    if (rankOf(urgency) < rankOf(order.urgency)) {
      order.urgency = urgency
      // Behind those that have waited longer for the same.
      waiting.delete(painting.id)
    }
    waiting.set(painting.id, order)
    dispatch()
    return order.promise
  }

  return {
    async paint(painting, urgency) {
      prepared ??= prepareFolder(folder, now).catch((error: unknown) => {
        // A full disk may have room again at the next call.
        prepared = undefined
        throw error
      })
      const painted = await prepared
      if (painted.has(fileNameOf(painting))) return
      if (closed) throw new Error('The painter has gone home')
      await orderPainting(painting, urgency)
      painted.add(fileNameOf(painting))
    },

    forget(painting) {
      void prepared?.then((painted) => painted.delete(fileNameOf(painting)))
    },

    async close() {
      closed = true
      for (const order of waiting.values()) order.reject(new Error('The painter has gone home'))
      waiting.clear()
      await Promise.all([...running.keys(), ...idle].map((worker) => worker.terminate()))
    },
  }
}

/** The first of those that are equally urgent. */
function mostUrgent(orders: Iterable<Order>): Order | undefined {
  let best: Order | undefined
  for (const order of orders) {
    if (!best || rankOf(order.urgency) < rankOf(best.urgency)) best = order
  }
  return best
}

function rankOf(urgency: Urgency): number {
  return urgencies.indexOf(urgency)
}

/** The names in the folder, without the drafts of a run that was killed. */
async function prepareFolder(folder: string, now: () => Date): Promise<Set<string>> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  for (const name of names.filter((entry) => entry.startsWith(draftPrefix))) {
    const path = join(folder, name)
    const info = await stat(path).catch(() => null)
    // A young draft may be another process at work.
    if (info && now().getTime() - info.mtimeMs > draftMaxAgeMs) await rm(path, { force: true })
  }
  return new Set(names)
}
