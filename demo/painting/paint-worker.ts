/** The painting thread. It receives an order, writes the file and sends an answer. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { constants, platform, setPriority } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parentPort } from 'node:worker_threads'
import { writeDraft } from '../../src/server/platform/storage/durable-file.ts'
import type { PaintedFile } from './painting.ts'
import { fileNameOf, nameOf } from './painting.ts'
import { render, shrinkToThumbnail } from './render.ts'

export type PaintOrder = {
  readonly file: PaintedFile
  readonly folder: string
  /** Prefix of the names of incomplete files. */
  readonly draftPrefix: string
}
export type PaintAnswer = { readonly problem: string | null }

// Requests take priority over painting. On other systems than Linux this call would slow the whole process.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on('message', (order: PaintOrder) => {
  void answer(order)
})

async function answer(order: PaintOrder): Promise<void> {
  const problem = await paint(order).then(
    () => null,
    (error: unknown) => String(error),
  )
  parentPort?.postMessage({ problem } satisfies PaintAnswer, [])
}

async function paint({ file, folder, draftPrefix }: PaintOrder): Promise<void> {
  const bytes = await bytesOf(file, folder)
  const draft = join(folder, `${draftPrefix}${randomUUID()}`)
  try {
    await writeDraft(draft, Readable.from([bytes]))
    await rename(draft, join(folder, nameOf(file)))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function bytesOf(file: PaintedFile, folder: string): Promise<Buffer> {
  const { painting, part } = file
  const whole = join(folder, fileNameOf(painting))
  const isAtHand = part === 'thumbnail' && painting.type === 'image' && existsSync(whole)
  return isAtHand ? shrinkToThumbnail(whole) : render(file)
}
