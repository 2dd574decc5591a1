/** The painted files as a small storage: what is not there yet is painted when it is asked for. */
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

// A film takes half a minute on a small machine, and some may be before it.
const paintingTimeoutMs = 120_000

// Only names that are on this list lead to the disk, so no name can lead elsewhere.
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
    // The copies that a fresh site publishes are made while nobody waits for them.
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
        // Somebody emptied the folder while we ran.
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

/** What is late is painted all the same, and is there for the next who asks. */
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
