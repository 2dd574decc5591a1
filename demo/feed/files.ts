/** Read-only storage of the painted files. A missing file is painted when it is requested. */
import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { unavailable } from '../../src/server/http/problem.ts'
import { currentScope } from '../../src/server/platform/concurrency/account-scope.ts'
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import { FileMissing } from '../../src/server/platform/storage/storage.ts'
import type { Painter } from '../painting/painter.ts'
import type { PaintedFile } from '../painting/painting.ts'
import { nameOf } from '../painting/painting.ts'
import { paintings } from './posts.ts'

export type DemoFiles = Pick<Storage, 'stat' | 'read' | 'presign'>

// A film takes half a minute on a small machine, and other files may be ahead of it in the queue.
const paintingTimeoutMs = 120_000

// Only names in this map are opened on disk, so no request can reach another file.
const fileOfName: ReadonlyMap<string, PaintedFile> = new Map(
  [...paintings.values()].flatMap((painting) =>
    (['whole', 'thumbnail'] as const).map((part) => {
      const file = { painting, part }
      return [nameOf(file), file]
    }),
  ),
)

export function createDemoFiles({
  folder,
  painter,
  timeoutMs = paintingTimeoutMs,
}: {
  folder: string
  painter: Painter
  timeoutMs?: number
}): DemoFiles {
  const look = (name: string) => lstat(join(folder, name)).catch(() => null)
  const paint = async (file: PaintedFile) => {
    // Publishing the sessions of a fresh site copies files in the background, so no visitor waits for them.
    const urgency = currentScope().isLast ? 'background' : 'asked'
    await withinTime(painter.paint(file, urgency), timeoutMs)
  }
  return {
    async stat(_bucket, name) {
      const file = fileOfName.get(name)
      if (!file) return null
      await paint(file)
      let info = await look(name)
      if (!info) {
        // The folder was emptied while the service was running.
        await painter.forget(file)
        await paint(file)
        info = await look(name)
      }
      if (!info?.isFile()) return null
      const etag = `"${info.size.toString(36)}-${Math.round(info.mtimeMs).toString(36)}"`
      return { size: info.size, etag, lastModified: info.mtime }
    },

    async read(bucket, name, range) {
      if (!fileOfName.has(name)) throw new FileMissing({ bucket, key: name })
      const file = await open(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
        () => {
          throw new FileMissing({ bucket, key: name })
        },
      )
      return file.createReadStream({ ...range })
    },

    presign: null,
  }
}

/** Rejects after the timeout. The painting continues, so a later request finds the file. */
async function withinTime(painting: Promise<void>, timeoutMs: number): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(unavailable('This picture is still being painted, please try again')),
    timeoutMs,
  )
  try {
    await Promise.race([painting, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
