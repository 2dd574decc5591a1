/** The cache names that the service worker and the pages share. */

/** The prefix for a session kept on this device, followed by its id. */
export const keptPrefix = 'kept-session-'
/** The prefix for a session of another user, followed by the code of its link. */
export const linkPrefix = 'kept-link-'
/** The prefix for the content of a frame, followed by its token. */
export const framePrefix = 'kept-frame-'
/** Files that another application has shared with this one, until a page takes them. */
export const sharedCache = 'shared-with-us'
/** The address of the note about a kept session, stored beside its files. */
export const keptNote = '/api/kept'
/** The lock held while a session is being kept, so that it does not look like an interrupted one. */
export const keepingLock = 'keeping-a-session'

/** The data about a kept session. */
export type KeptNote = {
  readonly cacheName: string
  /** The page that plays it. */
  readonly playPath: string
  readonly title: string
  readonly userId: string
  readonly nsfw: boolean
  readonly slides: number
  readonly bytes: number
  /** The number of files that could not be fetched. */
  readonly missing: number
  /** Only complete sessions are listed. */
  readonly isWhole: boolean
}

/** Requests from pages to the worker. */
export type WorkerRequest =
  | {
      readonly ask: 'keep-file'
      readonly cacheName: string
      readonly address: string
      readonly maxBytes: number
    }
  /** A page is open. `entry` is its first script, which identifies its version. */
  | { readonly ask: 'here'; readonly entry: string }
  | { readonly ask: 'take-over' }

/** The result for a file. `away` may succeed later, `missing` never will. */
export type KeepOutcome =
  | { readonly outcome: 'kept'; readonly bytes: number }
  | { readonly outcome: 'missing' | 'away' | 'full' | 'large' }

/** True for a cache that belongs to the signed-in user. A frame belongs to no user. */
export function isPersonal(cacheName: string): boolean {
  return cacheName.startsWith(keptPrefix) || cacheName.startsWith(linkPrefix)
}

export function isKeptName(cacheName: string): boolean {
  return isPersonal(cacheName) || cacheName.startsWith(framePrefix)
}

/** Returns the cache name of a link. Codes are case-insensitive. */
export function linkName(code: string): string {
  return linkPrefix + code.toLowerCase()
}

/** Returns the address of the API response that lists the slides. */
export function answerAddress(cacheName: string): string {
  if (cacheName.startsWith(keptPrefix)) return `/api/sessions/${cacheName.slice(keptPrefix.length)}`
  if (cacheName.startsWith(linkPrefix)) return `/api/shared/${cacheName.slice(linkPrefix.length)}`
  return `/api/frames/${cacheName.slice(framePrefix.length)}/playlist`
}

/** Returns the full address, as caches store it. */
export function absolute(address: string): string {
  return new URL(address, location.origin).href
}

/** Deletes the kept sessions of the signed-in user, but no frames. */
export async function forgetKept(
  caches: CacheStorage,
  { withShared }: { withShared: boolean },
): Promise<void> {
  const names = await caches.keys()
  const personal = names.filter((name) => isPersonal(name) || (withShared && name === sharedCache))
  await Promise.all(personal.map((name) => caches.delete(name)))
}

/** Returns null if the session is not kept. */
export async function readNote(caches: CacheStorage, cacheName: string): Promise<KeptNote | null> {
  const note = await caches.match(keptNote, { cacheName })
  // Only `keepSession` writes it.
  return note ? ((await note.json()) as KeptNote) : null
}
