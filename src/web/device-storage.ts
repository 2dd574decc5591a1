/** Entries of this browser's storage, by the prefix of their names. */

export type NamedStorage = Pick<Storage, 'removeItem' | 'key' | 'length'>

/** Names in the storage that begin with the prefix. */
export function namesFrom(storage: NamedStorage, prefix: string): string[] {
  const names = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
  return names.filter((name) => name.startsWith(prefix))
}

/** Removes everything whose name begins with the prefix. */
export function forgetStored(
  prefix: string,
  storage: () => NamedStorage = () => localStorage,
): void {
  try {
    const kept = storage()
    for (const name of namesFrom(kept, prefix)) kept.removeItem(name)
  } catch {
    // Storage can be switched off: then nothing was kept either.
  }
}
