/** Lists and removes entries of the browser's storage by a prefix of their names. */

export type NamedStorage = Pick<Storage, 'removeItem' | 'key' | 'length'>

/** Returns the names that begin with the prefix. */
export function namesFrom(storage: NamedStorage, prefix: string): string[] {
  const names = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
  return names.filter((name) => name.startsWith(prefix))
}

/** Removes all entries whose names begin with the prefix. */
export function forgetStored(
  prefix: string,
  storage: () => NamedStorage = () => localStorage,
): void {
  try {
    const kept = storage()
    for (const name of namesFrom(kept, prefix)) kept.removeItem(name)
  } catch {
    // A browser can block storage; then nothing was stored either.
  }
}
