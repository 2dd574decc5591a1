/**
 * Serves files of folders: the original to its owner, a display version without private metadata to
 * others, and a small picture. Each derived version is created once.
 */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import { makeDisplayable } from '../../media/displayable-picture.ts'
import type { MediaKind } from '../../media/media-kind.ts'
import { inspectPicture, UnfitPicture } from '../../media/picture.ts'
import { makeThumbnail } from '../../media/thumbnails.ts'
import { remuxVideo, UnfitVideo } from '../../media/video.ts'
import { Semaphore } from '../../platform/concurrency/semaphore.ts'
import type { FileAddress, Storage } from '../../platform/storage/storage.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import { kindOfHead, readHead } from './folder-index.ts'
import { madeKeyOf, readFolderKey } from './folder-keys.ts'
import type { OpenedFile } from './folder-path.ts'
import { openFile } from './folder-path.ts'

/** A file and its storage. */
export type FolderMedia = FileAddress & {
  readonly storage: Pick<Storage, 'stat' | 'read' | 'presign'>
}

const smallWidth = 640
const maxPictureBytes = 64 * 1_048_576
const maxSharedVideoBytes = 1024 * 1_048_576
const makings = new Semaphore({ atOnce: 2 })
const maxPlain = 20_000
/** Fingerprints of files without private metadata. */
const plain = new Set<string>()

/** Returns null when the file does not exist or cannot be shown in this form. */
export async function findFolderMedia(
  ctx: Context,
  key: string,
  { isForOthers }: { readonly isForOthers: boolean },
): Promise<FolderMedia | null> {
  const named = readFolderKey(key)
  const dir = ctx.config.folders?.dir
  const file = named && dir !== undefined ? await openFile(dir, named.path) : null
  if (!named || !file || dir === undefined) return null
  try {
    const kind = await kindOfHead(await readHead(file.handle))
    if (!kind) return null
    const print = fingerprintOf(named.path, file)
    if (named.form === 'small') return await smallOf(ctx, file, kind, madeKeyOf(key, print, 'webp'))
    if (!isForOthers || plain.has(print)) return wholeOf(dir, named.path, file, kind)
    const shown = await displayOf(ctx, file, kind, { key, print })
    return shown ?? wholeOf(dir, named.path, file, kind)
  } catch (error) {
    if (error instanceof UnfitPicture || error instanceof UnfitVideo) return null
    throw error
  } finally {
    await file.handle.close()
  }
}

/**
 * Returns the original file. It is opened again for each read, because it may have moved in the meantime.
 */
function wholeOf(dir: string, path: string, { info }: OpenedFile, kind: MediaKind): FolderMedia {
  const address: FileAddress = { bucket: 'user-media', key: `file.${kind.extension}` }
  const etag = `"${fingerprintOf(path, { info }).slice(0, 32)}"`
  return {
    ...address,
    storage: {
      stat: async () => ({ size: info.size, etag, lastModified: info.mtime }),
      async read(_bucket, _key, range): Promise<Readable> {
        const file = await openFile(dir, path)
        if (!file) throw new FileMissing(address)
        return file.handle.createReadStream({
          start: range?.start ?? 0,
          end: range?.end ?? Math.max(0, info.size - 1),
        })
      },
      presign: null,
    },
  }
}

async function smallOf(
  ctx: Context,
  file: OpenedFile,
  kind: MediaKind,
  madeKey: string,
): Promise<FolderMedia | null> {
  if (kind.is !== 'picture') return null
  return once(ctx, madeKey, async (put) => {
    const picture = await inspectPicture(await readPicture(file))
    await put(await makeThumbnail(picture, smallWidth))
  })
}

/** Returns null when the original has no private metadata. */
async function displayOf(
  ctx: Context,
  file: OpenedFile,
  kind: MediaKind,
  { key, print }: { readonly key: string; readonly print: string },
): Promise<FolderMedia | null> {
  return once(ctx, madeKeyOf(key, print, kind.extension), async (put) => {
    if (kind.is === 'video') {
      if (file.info.size > maxSharedVideoBytes) throw new UnfitVideo('broken')
      await remuxVideo(videoOf(file), kind.extension, put)
      return
    }
    const cleaned = await makeDisplayable(await readPicture(file))
    if (cleaned) return put(cleaned)
    if (plain.size >= maxPlain) plain.clear()
    plain.add(print)
  })
}

type Put = (content: AsyncIterable<Uint8Array> | Uint8Array) => Promise<void>

/**
 * Returns the file with this key, creating it with `make` first if necessary. Returns null when `make`
 * stored nothing.
 */
async function once(
  ctx: Context,
  key: string,
  make: (put: Put) => Promise<void>,
): Promise<FolderMedia | null> {
  const made: FolderMedia = { bucket: 'user-media', key, storage: ctx.storage }
  const isThere = async () => (await ctx.storage.stat('user-media', key)) !== null
  if (await isThere()) return made
  return ctx.turns.inTurn(`folder-media/${key}`, async () => {
    if (!(await isThere()))
      await makings.run(() =>
        make(async (content) => void (await ctx.storage.put('user-media', key, content))),
      )
    return (await isThere()) ? made : null
  })
}

async function readPicture({ handle, info }: OpenedFile): Promise<Buffer> {
  if (info.size > maxPictureBytes) throw new UnfitPicture('too-many-pixels')
  const bytes = Buffer.allocUnsafe(info.size)
  const { bytesRead } = await handle.read(bytes, 0, info.size, 0)
  return bytes.subarray(0, bytesRead)
}

function videoOf({ handle, info }: OpenedFile) {
  return {
    size: info.size,
    async read(start: number, end: number) {
      const bytes = Buffer.allocUnsafe(end - start)
      const { bytesRead } = await handle.read(bytes, 0, end - start, start)
      return bytes.subarray(0, bytesRead)
    },
  }
}

/** Returns a hash that changes when the file is overwritten. */
export function fingerprintOf(path: string, { info }: Pick<OpenedFile, 'info'>): string {
  const text = `${path}\0${info.size}\0${info.mtimeMs}`
  return createHash('sha256').update(text).digest('hex').slice(0, 40)
}
