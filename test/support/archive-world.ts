/** Support for tests of archives: exports as bytes, imports by hand, counts of what is left. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openFileStorage } from '../../src/server/platform/storage/file-storage.ts'
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import { StorageUnreachable } from '../../src/server/platform/storage/storage.ts'
import type { PictureSite } from './picture-site.ts'
import { startPictureSite } from './picture-site.ts'
import { plainJpeg } from './sample-media.ts'
import { unzip } from './unzip.ts'
import { clearShelves, putMedia } from './vault-media.ts'
import { samples, storedKeys } from './vault-world.ts'
import type { Person, World } from './world.ts'
import { createWorld } from './world.ts'

export async function exportBytes(person: Person, path: string): Promise<Buffer> {
  const response = await person.fetch(path)
  if (response.status !== 200) throw new Error(`the export answers ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

export function exportSession(person: Person, id: number): Promise<Buffer> {
  return exportBytes(person, `/api/sessions/${id}/export`)
}

export function importArchive(person: Person, archive: Uint8Array) {
  return person.imports.importSession({ form: { file: zipFile(archive) } })
}

export function zipFile(archive: Uint8Array): File {
  return new File([new Uint8Array(archive)], 'export.zip', { type: 'application/zip' })
}

/** Counts the rows and files of all kinds that an import creates. */
export async function everythingIn({ ctx }: World) {
  const count = async (table: string) => {
    const { rows } = await sql<{
      count: number
    }>`select count(*)::int as count from ${sql.table(table)}`.execute(ctx.db)
    return rows[0]?.count
  }
  const tables = ['sessions', 'session_media', 'vault_media', 'unclaimed_files', 'file_origins']
  const counts = await Promise.all(
    [...tables, 'library_imports', 'library_import_items'].map(count),
  )
  return { counts, files: await storedKeys(ctx.storage) }
}

/** Returns the manifest of an archive, and its other files. */
export async function contentsOf(archive: Buffer) {
  const entries = await unzip(archive)
  const manifest: unknown = JSON.parse(String(entries.get('manifest.json')))
  return { entries, manifest, names: [...entries.keys()] }
}

type FailingStorage = Storage & {
  /** Writes to keys that contain this text fail; null: none fail. */
  failsAt: string | null
  /** The number of such writes that succeed first. */
  spared: number
  isUnreadable: boolean
  /** Reads wait for this promise. */
  held: Promise<void> | null
  /** The number of waiting reads. */
  waiting: number
}

/** Creates a storage on its own disk that can fail. */
async function failingStorage(dataDir: string): Promise<FailingStorage> {
  const inner = await openFileStorage({ dataDir })
  const storage: FailingStorage = {
    ...inner,
    failsAt: null,
    spared: 0,
    isUnreadable: false,
    held: null,
    waiting: 0,
    async stat(bucket, key) {
      if (storage.isUnreadable) throw new StorageUnreachable('The disk went away')
      return inner.stat(bucket, key)
    },
    async read(bucket, key, range) {
      storage.waiting += 1
      await storage.held
      storage.waiting -= 1
      return inner.read(bucket, key, range)
    },
    async put(bucket, key, source, options) {
      if (storage.failsAt !== null && key.includes(storage.failsAt) && storage.spared-- <= 0)
        throw new StorageUnreachable('The disk went away')
      return inner.put(bucket, key, source, options)
    },
  }
  return storage
}

export type ArchiveWorld = World & {
  readonly site: PictureSite
  readonly storage: FailingStorage
}

/** Creates a world with a remote site that has pictures, and a disk that can fail. */
export async function createArchiveWorld(): Promise<ArchiveWorld> {
  const site = await startPictureSite()
  const dataDir = await mkdtemp(join(tmpdir(), 'lanternist-archives-'))
  const storage = await failingStorage(dataDir)
  const world = await createWorld({ FETCH_ALLOW: site.host }, { storage })
  return {
    ...world,
    site,
    storage,
    async reset() {
      storage.failsAt = null
      storage.spared = 0
      storage.isUnreadable = false
      storage.held = null
      site.gone.clear()
      site.asked.length = 0
      await clearShelves(world)
    },
    async close() {
      await world.close()
      await site.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Creates a session of two vault files with all possible properties. */
export async function makeSession(person: Person, title = 'Abend · 夜') {
  const jpeg = await plainJpeg({ width: 700, height: 500 })
  const [first, second] = [
    await putMedia(person, jpeg),
    await putMedia(person, samples.gif, 'tiny.gif'),
  ]
  const [tag = { slug: '' }] = await person.classification.tags()
  const category = (await person.classification.categories()).find(({ isDefault }) => !isDefault)
  const { session } = await person.sessions.createManual({
    body: {
      title,
      slides: [
        { mediaId: Number(first), caption: 'Schau hin, 見て, שלום', durationMs: 1500 },
        { mediaId: Number(second), caption: null },
      ],
      tags: [tag.slug],
      categoryId: category?.id ?? null,
      intervalMin: 2,
      intervalMax: 7,
      transition: 'zoom',
      aiPrompt: 'Be kind',
      captionTheme: 'custom',
      isManualMode: true,
      isFavorite: true,
    },
  })
  return { session, jpeg, tag, category }
}

export function sha(bytes: Uint8Array | undefined): string {
  return createHash('sha256')
    .update(bytes ?? Buffer.alloc(0))
    .digest('hex')
}
