/**
 * The few steps that make a file survive a kill or a power cut: all of it under a draft name, on
 * the disk, then renamed into place, then the folders that name it on the disk too.
 */
import { constants } from 'node:fs'
import { copyFile, mkdir, open, rename, rmdir } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { freeBytes } from './free-bytes.ts'

// A tidied folder can vanish between being made and being used; each round is a few system calls.
const placeAttempts = 10
// Somebody else took the folder away, or this file system does not sync folders.
const harmlessSyncCodes = new Set(['ENOENT', 'EINVAL'])
// A write takes a turn in the thread pool whatever its size. What comes off a socket is 64 KB at most.
const writtenAtOnceBytes = 1024 * 1024
const writtenAtOnceChunks = 512

/** `givenAway`: nobody looks at the chunks again, so that their memory is free once they are written. */
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
  // The clone costs nothing where the file system can share blocks, and is a plain copy elsewhere.
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
      if (errorCodeOf(error) !== 'ENOENT' || attempt === placeAttempts) throw error
    }
  }
}

/** Removes the folder and those above it, below `top`, for as long as they are empty. */
export async function tidyFolders(folder: string, top: string): Promise<void> {
  for (let at = folder; at.length > top.length; at = dirname(at)) {
    try {
      await rmdir(at)
    } catch {
      return
    }
  }
}

export async function syncFolder(folder: string): Promise<void> {
  // Windows has no handle on a folder that could be flushed.
  if (process.platform === 'win32') return
  try {
    await syncAndClose(await open(folder, 'r'))
  } catch (error) {
    if (!harmlessSyncCodes.has(errorCodeOf(error))) throw error
  }
}

/** The system's name for what went wrong ('ENOSPC'), or '' when it was not the system. */
export function errorCodeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Node's own complaints about arguments ('ERR_…') are mistakes of ours, not of the disk.
  return /^E[A-Z0-9]+$/.test(code) ? code : ''
}

async function writeAll(file: FileHandle, chunks: Uint8Array[], bytes: number): Promise<void> {
  if (bytes === 0) return
  const { bytesWritten } = await file.writev(chunks)
  // A disk that is almost full takes less than it was given, and says why only the next time.
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
