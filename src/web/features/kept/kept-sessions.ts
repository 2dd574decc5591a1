/** Lists and deletes the sessions that are stored on this device. */
import type { SignedInUser } from '../../api.ts'
import { forgetKept, isPersonal, type KeptNote, readNote } from '../../worker/kept-names.ts'

/**
 * Lists the stored sessions. `user` is null for a visitor, who has none, and undefined if the user is
 * unknown.
 */
export async function listKept(user: SignedInUser | null | undefined): Promise<KeptNote[]> {
  if (!('caches' in globalThis)) return []
  if (user === null) await forgetKept(caches, { withShared: false })
  const names = (await caches.keys()).filter(isPersonal)
  const notes = await Promise.all(names.map((name) => readNote(caches, name)))
  return notes
    .filter((note) => note !== null)
    .filter(({ isWhole, userId }) => isWhole && (user === undefined || userId === user?.id))
    .toSorted((one, other) => one.title.localeCompare(other.title))
}

export async function forgetSession(cacheName: string): Promise<void> {
  await caches.delete(cacheName)
}
