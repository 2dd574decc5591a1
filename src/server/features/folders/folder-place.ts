/**
 * Where something named below FOLDERS_DIR really lies. The one place that decides what belongs to the
 * folders: whatever leads out of them, and whatever a dot hides, is not there.
 */
import type { Stats } from 'node:fs'
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'

export type OpenedFile = { readonly handle: FileHandle; readonly info: Stats }

// A pipe would be waited for without end.
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** `path` has single slashes. Links are followed, and where they lead to is judged. */
export async function findPlace(dir: string, path: string): Promise<string | null> {
  if (!path.split('/').every(isPlainName)) return null
  try {
    const root = await realpath(dir)
    const place = await realpath(join(root, path))
    return isBelow(root, place) ? place : null
  } catch {
    // Missing, out of reach, or no name that a disk could hold: all the same to whoever asks.
    return null
  }
}

/** Whoever opens it closes it. */
export async function openFile(dir: string, path: string): Promise<OpenedFile | null> {
  const place = await findPlace(dir, path)
  const handle = place === null ? null : await open(place, readOnly).catch(() => null)
  if (!handle) return null
  const info = await handle.stat()
  // A link may have been put in the way since: only what lies there still is given.
  const after = await findPlace(dir, path)
  const there = after === null ? null : await stat(after).catch(() => null)
  if (info.isFile() && there?.ino === info.ino && there.dev === info.dev) return { handle, info }
  await handle.close()
  return null
}

/** One part of a path: nothing hidden, nothing that means another folder. */
export function isPlainName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name)
}

function isBelow(root: string, place: string): boolean {
  const way = relative(root, place)
  return !isAbsolute(way) && way.split(sep).every((name) => name !== '' && !name.startsWith('.'))
}
