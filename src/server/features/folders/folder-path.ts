/**
 * Resolves paths below FOLDERS_DIR. All access checks are here: paths that lead outside, and hidden files
 * and folders, do not exist.
 */
import type { Stats } from 'node:fs'
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'

export type OpenedFile = { readonly handle: FileHandle; readonly info: Stats }

// O_NONBLOCK, because opening a pipe would otherwise block forever.
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Resolves `path`, whose slashes are single. Links are followed, and their targets are checked. */
export async function findRealPath(dir: string, path: string): Promise<string | null> {
  if (!path.split('/').every(isPlainName)) return null
  try {
    const root = await realpath(dir)
    const realPath = await realpath(join(root, path))
    return isBelow(root, realPath) ? realPath : null
  } catch {
    // The file is missing, not accessible or has an impossible name; callers get the same answer.
    return null
  }
}

/** Opens a file; the caller closes it. */
export async function openFile(dir: string, path: string): Promise<OpenedFile | null> {
  const realPath = await findRealPath(dir, path)
  const handle = realPath === null ? null : await open(realPath, readOnly).catch(() => null)
  if (!handle) return null
  const info = await handle.stat()
  // A link may have been inserted since the check, so accept only a file that is still at this path.
  const after = await findRealPath(dir, path)
  const there = after === null ? null : await stat(after).catch(() => null)
  if (info.isFile() && there?.ino === info.ino && there.dev === info.dev) return { handle, info }
  await handle.close()
  return null
}

/** True for a valid part of a path: not hidden, and no reference to another folder. */
export function isPlainName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name)
}

function isBelow(root: string, realPath: string): boolean {
  const way = relative(root, realPath)
  return !isAbsolute(way) && way.split(sep).every((name) => name !== '' && !name.startsWith('.'))
}
