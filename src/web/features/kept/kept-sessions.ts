/** Sessions that are kept on this device. */
import type { SignedInUser } from '../../api.ts'
import { forgetKept, isPersonal, type KeptNote, readNote } from '../../worker/kept-names.ts'

/** `user` is null for a visitor, for whom nothing is kept, and undefined where nobody could be asked. */
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

/** The space is given back. */
export async function forgetSession(cacheName: string): Promise<void> {
  await caches.delete(cacheName)
}
