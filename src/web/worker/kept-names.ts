/** Where things lie on a device: the names that the service worker and the pages share. */

/** A session that somebody keeps on this device; its number stands behind it. */
export const keptPrefix = 'kept-session-'
/** What a frame plays; its token stands behind it. */
export const framePrefix = 'kept-frame-'
/** What another application has shared with this one, until a page takes it. */
export const sharedCache = 'shared-with-us'
/** Beside the files of a session that is kept: what is known of it. */
export const keptNote = '/api/kept'
/** Beside kept files: other addresses under which each of them serves when there is no network. */
export const keptStandIns = '/api/kept/stand-ins'
/** Held while a session is being kept, so that nobody takes it for one that was broken off. */
export const keepingLock = 'keeping-a-session'

/** What is known of a session that is kept. */
export type KeptNote = {
  readonly id: number
  readonly title: string
  readonly userId: string
  readonly nsfw: boolean
  readonly slides: number
  readonly bytes: number
  /** Files that could not be had. */
  readonly missing: number
  /** Only what is whole is listed. */
  readonly isWhole: boolean
}

/** What pages ask of the worker. */
export type WorkerRequest =
  | {
      readonly ask: 'keep-file'
      readonly cacheName: string
      readonly address: string
      readonly mostBytes: number
    }
  /** A page stands, and runs the version that begins with this script. */
  | { readonly ask: 'here'; readonly entry: string }
  | { readonly ask: 'take-over' }

/** What became of a file: `away` may come later, `missing` never will. */
export type KeepOutcome =
  | { readonly outcome: 'kept'; readonly bytes: number }
  | { readonly outcome: 'missing' | 'away' | 'full' | 'large' }

export function isKeptName(cacheName: string): boolean {
  return cacheName.startsWith(keptPrefix) || cacheName.startsWith(framePrefix)
}

export function sessionAddress(id: number | string): string {
  return `/api/sessions/${id}`
}

export function playlistAddress(token: string): string {
  return `/api/frames/${token}/playlist`
}

/** As caches name what they hold. */
export function absolute(address: string): string {
  return new URL(address, location.origin).href
}

/** What belongs to whoever is signed in, and nothing of a frame, which is nobody's. */
export async function forgetKept(
  caches: CacheStorage,
  { withShared }: { withShared: boolean },
): Promise<void> {
  const names = await caches.keys()
  const personal = names.filter(
    (name) => name.startsWith(keptPrefix) || (withShared && name === sharedCache),
  )
  await Promise.all(personal.map((name) => caches.delete(name)))
}

/** Null where the session is not kept. */
export async function readNote(caches: CacheStorage, cacheName: string): Promise<KeptNote | null> {
  const note = await caches.match(keptNote, { cacheName })
  // Written by `keepSession` alone.
  return note ? ((await note.json()) as KeptNote) : null
}
