/** Sessions that are kept on this device: asked of the worker, read from where it keeps them. */
import type { SignedInUser } from '../../api.ts'
import { keptNote, type KeptNote, keptPrefix, type WorkerAnswer } from '../../worker/kept-names.ts'
import { activeWorker, askWorker } from '../../worker/register.ts'
import type { Playlist } from '../player/playlist.ts'
import { pictureAddress } from '../player/stage/picture-address.ts'
import type { OpenedSession } from '../sessions/session-data.ts'

/** Of the list of them, in the query cache. */
export const keptKey = ['kept']

export type Progress = { readonly done: number; readonly total: number; readonly bytes: number }

/** False where it could not be kept, and nothing of it is. */
export async function keepSession(
  {
    session,
    playlist,
    user,
  }: { session: OpenedSession['session']; playlist: Playlist; user: SignedInUser },
  onProgress: (progress: Progress) => void,
): Promise<boolean> {
  const worker = await activeWorker()
  if (!worker) return false
  // Else the browser may give the space to somebody else.
  await navigator.storage?.persist?.().catch(() => false)
  const note: KeptNote = {
    id: session.id,
    title: session.title,
    userId: user.id,
    slides: playlist.slides.length,
    bytes: 0,
  }
  const { port1, port2 } = new MessageChannel()
  return await new Promise((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => {
      if ('isKept' in data) {
        port1.close()
        resolve(data.isKept)
      } else onProgress(data)
    })
    port1.start()
    askWorker(worker, { ask: 'keep-session', note, addresses: addressesOf(playlist) }, port2)
  })
}

/** How long another site's film is cannot be known beforehand, nor can it be given in parts. */
export function ownFilm(address: string): string[] {
  return address.startsWith('/') ? [address] : []
}

/** For both ways to hold the device: it may be turned in flight. */
function addressesOf({ slides }: Playlist): string[] {
  const [one, other] = [screen.width * devicePixelRatio, screen.height * devicePixelRatio]
  const ways = [
    { widthPx: one, heightPx: other, isFilling: false },
    { widthPx: other, heightPx: one, isFilling: false },
  ]
  return slides.flatMap((slide) =>
    slide.isMoving ? ownFilm(slide.mediaUrl) : ways.map((way) => pictureAddress(slide, way)),
  )
}

export async function listKept(): Promise<KeptNote[]> {
  if (!('caches' in globalThis)) return []
  const names = (await caches.keys()).filter((name) => name.startsWith(keptPrefix))
  const notes = await Promise.all(
    names.map(async (cacheName) => {
      const note = await caches.match(keptNote, { cacheName })
      return note ? [(await note.json()) as KeptNote] : []
    }),
  )
  return notes.flat().toSorted((one, other) => one.title.localeCompare(other.title))
}

/** The space is given back. */
export async function forgetSession(id: number): Promise<void> {
  if ('caches' in globalThis) await caches.delete(keptPrefix + id)
}
