/**
 * Writes files that survive a kill or a power cut. The whole file is written under a draft name and flushed
 * to disk, then renamed. Then the folders that name it are flushed too.
 */
import { constants } from 'node:fs'
import { copyFile, mkdir, open, rename, rmdir } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { freeBytes } from './free-bytes.ts'

// A cleanup can remove the folder between mkdir and rename; each attempt is a few system calls.
const renameAttempts = 10
// Another process removed the folder, or this file system does not sync folders.
const harmlessSyncCodes = new Set(['ENOENT', 'EINVAL'])
// A write takes a slot in the thread pool, whatever its size. Chunks from a socket are 64 KB at most.
const writtenAtOnceBytes = 1024 * 1024
const writtenAtOnceChunks = 512

/** Writes a new file. `givenAway`: nothing else reads the chunks, so their memory is freed after writing. */
export async function writeDraft(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { givenAway = false }: { givenAway?: boolean } = {},
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    let waiting: Uint8Array[] = []
    let waitingBytes = 0
    for await (const chunk of chunks) {
      waiting.push(chunk)
      waitingBytes += chunk.byteLength
      if (waitingBytes < writtenAtOnceBytes && waiting.length < writtenAtOnceChunks) continue
      await writeAll(file, waiting, waitingBytes)
      if (givenAway) waiting.forEach(freeBytes)
      waiting = []
      waitingBytes = 0
    }
    await writeAll(file, waiting, waitingBytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function copyToDraft(from: string, path: string): Promise<void> {
  // The clone is free where the file system can share blocks. Elsewhere it is a plain copy.
  await copyFile(from, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await syncAndClose(await open(path, 'r+'))
}

export async function moveIntoPlace(draft: string, target: string): Promise<void> {
  const folder = dirname(target)
  for (let attempt = 1; ; attempt += 1) {
    try {
      const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(draft, target)
      await syncFolders(folder, firstMade === undefined ? folder : dirname(firstMade))
      return
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOENT' || attempt === renameAttempts) throw error
    }
  }
}

/** Removes the folder and its parents below `top`, as long as they are empty. */
export async function removeEmptyFolders(folder: string, top: string): Promise<void> {
  for (let at = folder; at.length > top.length; at = dirname(at)) {
    try {
      await rmdir(at)
    } catch {
      return
    }
  }
}

export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot flush a folder.
  if (process.platform === 'win32') return
  try {
    await syncAndClose(await open(folder, 'r'))
  } catch (error) {
    if (!harmlessSyncCodes.has(errorCodeOf(error))) throw error
  }
}

/** Returns the system's error code ('ENOSPC'), or '' if the error is not from the system. */
export function errorCodeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Node's own errors about arguments ('ERR_…') are our mistakes and not failures of the disk.
  return /^E[A-Z0-9]+$/.test(code) ? code : ''
}

async function writeAll(file: FileHandle, chunks: Uint8Array[], bytes: number): Promise<void> {
  if (bytes === 0) return
  const { bytesWritten } = await file.writev(chunks)
  // A disk that is almost full writes only a part, and reports the error at the next write.
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten))
}

async function syncAndClose(file: FileHandle): Promise<void> {
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolders(deepest: string, topmost: string): Promise<void> {
  for (let at = deepest; at.length >= topmost.length; at = dirname(at)) await syncFolder(at)
}
