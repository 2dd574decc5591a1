/** The thread that paints: an order comes in, its two files appear, an answer goes out. */
import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { constants, platform, setPriority } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parentPort } from 'node:worker_threads'
import { writeDraft } from '../../../platform/storage/durable-file.ts'
import type { PaintAnswer, PaintOrder } from './paint-order.ts'
import { draftPrefix } from './paint-order.ts'
import { fileNameOf, thumbnailNameOf } from './posts.ts'
import { renderPainting } from './render.ts'

// Requests come before pictures. Elsewhere than on Linux this would slow the whole process down.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on('message', (order: PaintOrder) => {
  void answer(order)
})

async function answer(order: PaintOrder): Promise<void> {
  const { id } = order.painting
  const problem = await paint(order).then(
    () => null,
    (error: unknown) => String(error),
  )
  parentPort?.postMessage({ id, problem } satisfies PaintAnswer, [])
}

async function paint({ painting, folder }: PaintOrder): Promise<void> {
  const { file, thumbnail } = await renderPainting(painting)
  // The painting itself comes last: where it is, its thumbnail is too.
  await place(join(folder, thumbnailNameOf(painting)), thumbnail, folder)
  await place(join(folder, fileNameOf(painting)), file, folder)
}

async function place(path: string, bytes: Buffer, folder: string): Promise<void> {
  const draft = join(folder, `${draftPrefix}${randomUUID()}`)
  try {
    await writeDraft(draft, Readable.from([bytes]))
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
