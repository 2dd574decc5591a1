/** Where things lie on a device: the names that the service worker and the pages share. */

/** A session that somebody keeps on this device; its number stands behind it. */
export const keptPrefix = 'kept-session-'
/** What a frame plays; its token stands behind it. */
export const framePrefix = 'kept-frame-'
/** What another application has shared with this one, until a page takes it. */
export const sharedCache = 'shared-with-us'
/** Beside the files of a session that is kept: what is known of it. */
export const keptNote = '/api/kept'

/** What is known of a session that is kept. */
export type KeptNote = {
  readonly id: number
  readonly title: string
  readonly userId: string
  readonly slides: number
  readonly bytes: number
}

/** What pages ask of the worker. */
export type WorkerRequest =
  | { readonly ask: 'keep-session'; readonly note: KeptNote; readonly addresses: readonly string[] }
  | { readonly ask: 'keep-frame'; readonly token: string; readonly addresses: readonly string[] }
  | { readonly ask: 'take-over' }

export type WorkerAnswer =
  | { readonly done: number; readonly total: number; readonly bytes: number }
  | { readonly isKept: boolean; readonly bytes: number }

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
