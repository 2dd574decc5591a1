/**
 * Lists the files in a folder of this machine, latest first. Each node keeps the list in memory. The disk
 * is authoritative; a folder that was already read is only checked for changes (decision 44).
 */
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { captureTime } from '../../../contract/capture-time.ts'
import type { MediaKind } from '../../media/media-kind.ts'
import { kindOfType, mimeTypeOf } from '../../media/media-kind.ts'
import { forEachLimit, Semaphore } from '../../platform/concurrency/semaphore.ts'
import { findRealPath, isPlainName, openFile } from './folder-path.ts'

export type FolderFile = {
  readonly name: string
  readonly takenMs: number
  readonly kind: MediaKind
}

export type FolderIndex = {
  /**
   * Waits at most `patienceMs`, and returns the files known then; all of them once the folder has been
   * read. Returns null if the folder does not exist.
   */
  read(path: string, patienceMs: number): Promise<readonly FolderFile[] | null>
}

/** A file in a folder; `kind` is null when it cannot be shown. */
type Known = Omit<FolderFile, 'kind'> & {
  readonly kind: MediaKind | null
  readonly modifiedMs: number
}

type Folder = {
  readonly path: string
  readonly known: Map<string, Known>
  /** In order; null when files were added or removed since. */
  ordered: readonly FolderFile[] | null
  /** The folder's modification time when it was read. */
  changedMs: number
  readMs: number
  /** The time of the last comparison of all files with the disk. */
  checkedMs: number
  reading: Promise<void> | null
}

// Signatures and EXIF data are before the picture data.
const headBytes = 32 * 1024
const readersAtOnce = 12
const maxFiles = 200_000
const maxKept = 400_000
/** Overwriting a file does not change its folder's modification time, so compare files this often. */
const checkEveryMs = 5 * 60_000
/** A folder may change twice within one tick of its file system's clock. */
const clockTickMs = 2000

export function createFolderIndex(dir: string, now: () => Date): FolderIndex {
  // A map keeps insertion order, so the first entry is the least recently used.
  const folders = new Map<string, Folder>()
  const scans = new Semaphore({ atOnce: 2 })

  const keep = (folder: Folder) => {
    folders.delete(folder.path)
    folders.set(folder.path, folder)
    let total = [...folders.values()].reduce((sum, { known }) => sum + known.size, 0)
    for (const oldest of folders.values()) {
      if (total <= maxKept || oldest === folder) break
      total -= oldest.known.size
      folders.delete(oldest.path)
    }
  }

  return {
    async read(path, patienceMs) {
      const realPath = await findRealPath(dir, path)
      const info = realPath === null ? null : await stat(realPath).catch(() => null)
      if (realPath === null || !info?.isDirectory()) {
        folders.delete(path)
        return null
      }
      const folder = folders.get(path) ?? newFolder(path)
      keep(folder)
      const nowMs = now().getTime()
      const mustCheck = nowMs - folder.checkedMs > checkEveryMs
      const hasChanged =
        info.mtimeMs !== folder.changedMs || folder.readMs - info.mtimeMs < clockTickMs
      if (!folder.reading && (mustCheck || hasChanged)) {
        const scan = async () => {
          await readFolder(dir, realPath, folder, { mustCheck })
          folder.changedMs = info.mtimeMs
          folder.readMs = nowMs
          if (mustCheck) folder.checkedMs = nowMs
        }
        folder.reading = scans.run(scan).finally(() => (folder.reading = null))
        folder.reading.catch(() => {})
      }
      if (folder.reading) await within(folder.reading, patienceMs)
      return orderedFiles(folder)
    },
  }
}

function newFolder(path: string): Folder {
  const never = { changedMs: -Infinity, readMs: -Infinity, checkedMs: -Infinity }
  return { path, known: new Map(), ordered: null, ...never, reading: null }
}

async function readFolder(
  dir: string,
  realPath: string,
  folder: Folder,
  { mustCheck }: { readonly mustCheck: boolean },
): Promise<void> {
  const entries = await readdir(realPath, { withFileTypes: true })
  const there = new Map(
    entries
      .filter((entry) => isPlainName(entry.name) && (entry.isFile() || entry.isSymbolicLink()))
      .map((entry) => [entry.name, entry.isSymbolicLink()] as const),
  )
  for (const name of folder.known.keys()) {
    if (there.has(name)) continue
    folder.known.delete(name)
    folder.ordered = null
  }
  // Cameras number files upwards, so the last names are probably the latest. Read them first.
  const names = [...there.keys()].toSorted((a, b) => (a < b ? 1 : -1)).slice(0, maxFiles)
  const wanted = mustCheck ? names : names.filter((name) => !folder.known.has(name))
  await forEachLimit(wanted, readersAtOnce, async (name) => {
    const isLink = there.get(name) ?? true
    const known = folder.known.get(name)
    const read = await look(dir, realPath, { folder: folder.path, name, isLink }, known)
    if (read === known) return
    if (read) folder.known.set(name, read)
    else folder.known.delete(name)
    folder.ordered = null
  })
}

/** Reads one file. Returns null if it cannot be read, for example when its name cannot be encoded. */
async function look(
  dir: string,
  realPath: string,
  { folder, name, isLink }: { folder: string; name: string; isLink: boolean },
  known: Known | undefined,
): Promise<Known | null> {
  const handle = isLink
    ? (await openFile(dir, `${folder}/${name}`))?.handle
    : await open(join(realPath, name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null)
  if (!handle) return null
  try {
    const { mtimeMs: modifiedMs } = await handle.stat()
    if (known?.modifiedMs === modifiedMs) return known
    const head = await readHead(handle)
    const kind = await kindOfHead(head)
    return { name, modifiedMs, kind, takenMs: captureTime(head) ?? Math.floor(modifiedMs) }
  } catch {
    return null
  } finally {
    await handle.close()
  }
}

export async function readHead(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(headBytes), 0, headBytes, 0)
  return buffer.subarray(0, bytesRead)
}

/** Returns the kind by content only; null for files that the vault would also refuse. */
export async function kindOfHead(head: Buffer): Promise<MediaKind | null> {
  // Most files in picture folders are JPEGs, which three bytes identify.
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return kindOfType('image/jpeg')
  return kindOfType(await mimeTypeOf(head).catch(() => undefined))
}

function orderedFiles(folder: Folder): readonly FolderFile[] {
  folder.ordered ??= [...folder.known.values()].filter(isShown).toSorted(byTime)
  return folder.ordered
}

function isShown(file: Known): file is Known & FolderFile {
  return file.kind !== null
}

/** Sorts the latest first; at equal times, the last name first. */
export function byTime(
  a: Pick<FolderFile, 'takenMs' | 'name'>,
  b: Pick<FolderFile, 'takenMs' | 'name'>,
): number {
  if (a.takenMs !== b.takenMs) return b.takenMs - a.takenMs
  return a.name === b.name ? 0 : a.name < b.name ? 1 : -1
}

async function within(work: Promise<void>, maxMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, maxMs)
  await Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
