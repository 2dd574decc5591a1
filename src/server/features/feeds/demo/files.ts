/** The painted files as a small storage: what is not there yet is painted when it is asked for. */
import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Storage } from '../../../platform/storage/storage.ts'
import { FileMissing } from '../../../platform/storage/storage.ts'
import type { Painter } from './paint.ts'
import type { Painting } from './posts.ts'
import { fileNameOf, paintings, thumbnailNameOf } from './posts.ts'

export type DemoFiles = Pick<Storage, 'stat' | 'read' | 'presign'>

// Only names that are on this list lead to the disk, so no name can lead elsewhere.
const paintingOfName: ReadonlyMap<string, Painting> = new Map(
  [...paintings.values()].flatMap((painting) => [
    [fileNameOf(painting), painting],
    [thumbnailNameOf(painting), painting],
  ]),
)

export function createDemoFiles({
  folder,
  painter,
}: {
  folder: string
  painter: Painter
}): DemoFiles {
  const look = (name: string) => lstat(join(folder, name)).catch(() => null)
  return {
    async stat(_bucket, name) {
      const painting = paintingOfName.get(name)
      if (!painting) return null
      await painter.paint(painting, 'asked')
      let info = await look(name)
      if (!info) {
        // Somebody emptied the folder while we ran.
        painter.forget(painting)
        await painter.paint(painting, 'asked')
        info = await look(name)
      }
      if (!info?.isFile()) return null
      const etag = `"${info.size.toString(36)}-${Math.round(info.mtimeMs).toString(36)}"`
      return { size: info.size, etag, lastModified: info.mtime }
    },

    async read(bucket, name, range) {
      if (!paintingOfName.has(name)) throw new FileMissing({ bucket, key: name })
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
