/**
 * Opens an untrusted archive. Content is checked against everything that the archive says about it. A
 * mismatch refuses the whole archive (ArchiveRefused).
 */
import { createHash } from 'node:crypto'
import { ArchiveRefused } from '../archive-fault.ts'
import { parseManifest } from '../import/read-manifest.ts'
import type { Manifest, StoredFile } from '../manifest.ts'
import { manifestName } from '../manifest.ts'
import type { ArchiveBytes } from './archive-bytes.ts'
import { contentOf } from './entry-content.ts'
import type { EntryLimits, ZipEntry } from './zip-directory.ts'
import { readDirectory } from './zip-directory.ts'
import { findDirectory } from './zip-end.ts'
import { readLayout } from './zip-layout.ts'

export type Archive = {
  readonly manifest: Manifest
  /**
   * Returns the content, or null when the archive has no such file. Files that the manifest does not name
   * are never read.
   */
  readonly open: (file: StoredFile) => AsyncIterable<Uint8Array> | null
}

export async function openArchive(bytes: ArchiveBytes, limits: EntryLimits): Promise<Archive> {
  if (bytes.size > limits.archiveBytes) throw new ArchiveRefused('too-large')
  const directory = await findDirectory(bytes, limits)
  const entries = await readDirectory(bytes, directory, limits)
  const layout = await readLayout(bytes, entries, directory.start)
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  const contentOfEntry = (entry: ZipEntry) =>
    contentOf(bytes, entry, layout.get(entry.name) ?? Number.NaN)
  const manifestEntry = byName.get(manifestName)
  if (!manifestEntry) throw new ArchiveRefused('no-manifest')
  if (manifestEntry.bytes > limits.manifestBytes) throw new ArchiveRefused('manifest-too-large')
  const chunks: Buffer[] = []
  for await (const chunk of contentOfEntry(manifestEntry)) chunks.push(chunk)
  return {
    manifest: parseManifest(Buffer.concat(chunks), limits),
    open(file) {
      const entry = byName.get(file.name)
      return entry ? asNamed(contentOfEntry(entry), entry, file) : null
    },
  }
}

async function* asNamed(
  content: AsyncIterable<Buffer>,
  entry: ZipEntry,
  { size, sha256 }: StoredFile,
): AsyncGenerator<Uint8Array> {
  if (entry.bytes !== size) throw new ArchiveRefused('wrong-hash')
  const hash = createHash('sha256')
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw new ArchiveRefused('wrong-hash')
}
