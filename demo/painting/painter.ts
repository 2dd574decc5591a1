/**
 * Paints the requested files, most urgent first, and stores them in a folder. A file that exists is not
 * painted again. Background work uses one thread, so that a small machine keeps a processor for the service.
 * A second thread starts only for files that a visitor waits for.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PaintAnswer, PaintOrder } from './paint-worker.ts'
import type { PaintedFile } from './painting.ts'
import { nameOf } from './painting.ts'

/** 'asked' if a request waits for the file. */
export type Urgency = 'asked' | 'background'

export type Painter = {
  /** Resolves when the file exists. */
  paint(file: PaintedFile, urgency: Urgency): Promise<void>
  /** Records that a file was deleted, so that the next call paints it again. */
  forget(file: PaintedFile): Promise<void>
  close(): Promise<void>
}

type Order = PromiseWithResolvers<void> & { readonly file: PaintedFile; urgency: Urgency }

/** Begins with a dot, as no name of a painting does. */
const draftPrefix = '.draft-'
const maxThreads = 2
const idleMs = 20_000
const draftMaxAgeMs = 60 * 60 * 1000

export function createPainter({ folder, now }: { folder: string; now: () => Date }): Painter {
  /** Orders by file name, the oldest first. */
  const waiting = new Map<string, Order>()
  const running = new Map<Worker, Order>()
  const idle = new Set<Worker>()
  let prepared: Promise<Set<string>> | undefined
  let closed = false

  const dispatch = () => {
    while (running.size < maxThreads) {
      const order = maxUrgent(waiting.values())
      if (!order || (order.urgency === 'background' && running.size > 0)) return
      waiting.delete(nameOf(order.file))
      const [worker = hire()] = idle
      idle.delete(worker)
      running.set(worker, order)
      worker.ref()
      worker.postMessage({ file: order.file, folder, draftPrefix } satisfies PaintOrder, [])
    }
  }

  const release = (worker: Worker, problem: string | null) => {
    const order = running.get(worker)
    running.delete(worker)
    if (problem === null) order?.resolve()
    else order?.reject(new Error(`${nameOf(order.file)} could not be painted: ${problem}`))
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

  const orderPainting = (file: PaintedFile, urgency: Urgency): Promise<void> => {
    const name = nameOf(file)
    for (const order of running.values()) if (nameOf(order.file) === name) return order.promise
    const known = waiting.get(name)
    const order = known ?? { ...Promise.withResolvers<void>(), file, urgency }
    if (urgency === 'asked' && order.urgency === 'background') {
      order.urgency = urgency
      // Deleting and setting the entry moves it behind requests that have waited longer.
      waiting.delete(name)
    }
    waiting.set(name, order)
    dispatch()
    return order.promise
  }

  return {
    async paint(file, urgency) {
      prepared ??= prepareFolder(folder, now).catch((error: unknown) => {
        // Retry at the next call: a full disk may have space again by then.
        prepared = undefined
        throw error
      })
      const painted = await prepared
      if (painted.has(nameOf(file))) return
      if (closed) throw new Error('The painter is closed')
      await orderPainting(file, urgency)
      painted.add(nameOf(file))
    },

    async forget(file) {
      const painted = await prepared
      painted?.delete(nameOf(file))
    },

    async close() {
      closed = true
      for (const order of waiting.values()) order.reject(new Error('The painter is closed'))
      waiting.clear()
      await Promise.all([...running.keys(), ...idle].map((worker) => worker.terminate()))
    },
  }
}

/** Returns the oldest order that a request waits for, otherwise the oldest order. */
function maxUrgent(orders: Iterable<Order>): Order | undefined {
  const list = [...orders]
  return list.find(({ urgency }) => urgency === 'asked') ?? list[0]
}

/** Returns the names in the folder, and deletes old drafts of a run that was killed. */
async function prepareFolder(folder: string, now: () => Date): Promise<Set<string>> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  for (const name of names.filter((entry) => entry.startsWith(draftPrefix))) {
    const path = join(folder, name)
    const info = await stat(path).catch(() => null)
    // Another running process may still be writing a recent draft.
    if (info && now().getTime() - info.mtimeMs > draftMaxAgeMs) await rm(path, { force: true })
  }
  return new Set(names)
}
