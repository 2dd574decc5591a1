/** Stores a session on this device, completely or not at all. */
import type { SignedInUser } from '../../api.ts'
import { dropFilesExcept } from '../../worker/kept-files.ts'
import {
  answerAddress,
  keepingLock,
  keptNote,
  type KeptNote,
  readNote,
} from '../../worker/kept-names.ts'
import { activeWorker } from '../../worker/ask-worker.ts'
import type { Playlist } from '../player/playlist.ts'
import type { OpenedSession } from '../sessions/session-data.ts'
import { filesToKeep, keepFiles, type Kept, type Progress } from './keep-files.ts'

const maxBytes = 1024 * 1_048_576

/** A session that can be stored: the user's own, or one opened by a link. */
export type Keepable = Pick<KeptNote, 'cacheName' | 'playPath' | 'title'>

type Wish = {
  readonly keepable: Keepable
  readonly opened: OpenedSession
  readonly playlist: Playlist
  readonly user: SignedInUser
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

export type Refusal = 'unsupported' | 'nothing' | NonNullable<Kept['stoppedBy']>

/** Returns null on success, else the reason. A failure removes everything that was not stored before. */
export async function keepSession(wish: Wish): Promise<Refusal | null> {
  if (!('caches' in globalThis) || !(await activeWorker())) return 'unsupported'
  // Without persistent storage the browser may evict the files.
  await navigator.storage?.persist?.().catch(() => false)
  return await navigator.locks.request(keepingLock, { signal: wish.signal }, () => keepWhole(wish))
}

async function keepWhole(wish: Wish): Promise<Refusal | null> {
  const { keepable, opened, playlist, user, signal, onProgress } = wish
  const { cacheName } = keepable
  const before = await readNote(caches, cacheName)
  const files = filesToKeep(playlist.slides)
  const unkeepable = playlist.slides.length - files.length
  const note = (kept: Pick<Kept, 'bytes' | 'missing'> | null): KeptNote => ({
    ...keepable,
    userId: user.id,
    nsfw: opened.session.nsfw,
    slides: playlist.slides.length,
    bytes: kept?.bytes ?? 0,
    missing: (kept?.missing ?? 0) + unkeepable,
    isWhole: kept !== null,
  })
  let kept: Kept | null = null
  try {
    // Write the note first: a cache without an owner counts as another user's.
    if (!before) await write(cacheName, keptNote, note(null))
    kept = await keepFiles({ cacheName, files, maxBytes, signal, onProgress })
    if (kept.stoppedBy !== null || kept.bytes === 0) return await undo(kept.stoppedBy ?? 'nothing')
    // A sign-out during the download has deleted the cache.
    if (!(await caches.has(cacheName))) return 'away'
    await write(cacheName, answerAddress(cacheName), opened)
    await dropFilesExcept(cacheName, files)
    await write(cacheName, keptNote, note(kept))
    return null
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError'
    return await undo(isFull ? 'full' : 'away')
  }

  async function undo(refusal: Refusal): Promise<Refusal> {
    const cache = await caches.open(cacheName)
    for (const address of kept?.added ?? []) await cache.delete(address)
    if (!before) await caches.delete(cacheName)
    return refusal
  }
}

async function write(cacheName: string, address: string, said: object): Promise<void> {
  const headers = { date: new Date().toUTCString() }
  await (await caches.open(cacheName)).put(address, Response.json(said, { headers }))
}

/** Returns the free space for this site, or null if the browser does not report it. */
export async function roomLeft(): Promise<number | null> {
  const { quota, usage } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {}
  return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage)
}
