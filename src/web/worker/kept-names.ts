/** Where things lie on a device: the names that the service worker and the pages share. */

/** A session that somebody keeps on this device; its number stands behind it. */
export const keptPrefix = 'kept-session-'
/** The same of somebody else's session; the code of its link stands behind it. */
export const linkPrefix = 'kept-link-'
/** What a frame plays; its token stands behind it. */
export const framePrefix = 'kept-frame-'
/** What another application has shared with this one, until a page takes it. */
export const sharedCache = 'shared-with-us'
/** Beside the files of a session that is kept: what is known of it. */
export const keptNote = '/api/kept'
/** Held while a session is being kept, so that nobody takes it for one that was broken off. */
export const keepingLock = 'keeping-a-session'

/** What is known of a session that is kept. */
export type KeptNote = {
  readonly cacheName: string
  /** The page that plays it. */
  readonly playPath: string
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

/** What belongs to whoever is signed in; a frame is nobody's. */
export function isPersonal(cacheName: string): boolean {
  return cacheName.startsWith(keptPrefix) || cacheName.startsWith(linkPrefix)
}

export function isKeptName(cacheName: string): boolean {
  return isPersonal(cacheName) || cacheName.startsWith(framePrefix)
}

/** A code is the same in any case. */
export function linkName(code: string): string {
  return linkPrefix + code.toLowerCase()
}

/** Where the interface says what is played of it. */
export function answerAddress(cacheName: string): string {
  if (cacheName.startsWith(keptPrefix)) return `/api/sessions/${cacheName.slice(keptPrefix.length)}`
  if (cacheName.startsWith(linkPrefix)) return `/api/shared/${cacheName.slice(linkPrefix.length)}`
  return `/api/frames/${cacheName.slice(framePrefix.length)}/playlist`
}

/** As caches name what they hold. */
export function absolute(address: string): string {
  return new URL(address, location.origin).href
}

/** When somebody signs out; nothing of a frame. */
export async function forgetKept(
  caches: CacheStorage,
  { withShared }: { withShared: boolean },
): Promise<void> {
  const names = await caches.keys()
  const personal = names.filter((name) => isPersonal(name) || (withShared && name === sharedCache))
  await Promise.all(personal.map((name) => caches.delete(name)))
}

/** Null where the session is not kept. */
export async function readNote(caches: CacheStorage, cacheName: string): Promise<KeptNote | null> {
  const note = await caches.match(keptNote, { cacheName })
  // Written by `keepSession` alone.
  return note ? ((await note.json()) as KeptNote) : null
}
