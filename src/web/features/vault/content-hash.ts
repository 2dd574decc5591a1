/**
 * Finds files that the vault already has, by their content. The browser hashes outside the main thread, one
 * file at a time, so that a large folder needs no more memory than its largest file.
 */
import { client } from '../../api.ts'
import type { MediaSource } from '../../uploads/gather-media.ts'

export type KnownFile = {
  readonly source: MediaSource
  /** The name of the same content in the vault, or earlier in the same folder. */
  readonly sameAs: string
}

export type Sorted = {
  readonly fresh: readonly MediaSource[]
  readonly known: readonly KnownFile[]
}

/** Larger files are not hashed: the whole file would have to be in memory. */
const maxHashedBytes = 256 * 1_048_576

/** Separates new files from known ones. `seen` maps the hashes of the current run to names. */
export async function sortKnown(
  sources: readonly MediaSource[],
  seen: Map<string, string>,
): Promise<Sorted> {
  const hashed: { source: MediaSource; hash: string | null }[] = []
  for (const source of sources) hashed.push({ source, hash: await hashOf(source) })
  const hashes = new Set(hashed.flatMap(({ hash }) => hash ?? []))
  const names = await findNames([...hashes])
  const fresh: MediaSource[] = []
  const known: KnownFile[] = []
  for (const { source, hash } of hashed) {
    const sameAs = hash === null ? undefined : (names.get(hash) ?? seen.get(hash))
    if (sameAs === undefined) fresh.push(source)
    else known.push({ source, sameAs })
    if (hash !== null) seen.set(hash, source.name)
  }
  return { fresh, known }
}

/** Returns the names of known hashes. If the request fails, none is known and all files are sent. */
async function findNames(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map()
  try {
    const { known } = await client.vault.findKnown({ body: { hashes: [...hashes] } })
    return new Map(known.map(({ hash, name }) => [hash, name]))
  } catch {
    return new Map()
  }
}

/** Returns null if the browser has no hashes, as on sites without TLS, or if the file cannot be read. */
async function hashOf(source: MediaSource): Promise<string | null> {
  if (!window.isSecureContext || source.sizeBytes > maxHashedBytes) return null
  try {
    const file = await source.open()
    const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  } catch {
    // The upload will report why the file cannot be read.
    return null
  }
}
