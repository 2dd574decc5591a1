/** What tests of archives need: exports as bytes, imports by hand, looks at what is left. */
import { sql } from 'kysely'
import { importSessionArchive } from '../../src/server/features/archives/import-session.ts'
import { unzip } from './unzip.ts'
import { storedKeys } from './vault-world.ts'
import type { Person, World } from './world.ts'

export async function exportBytes(person: Person, path: string): Promise<Buffer> {
  const response = await person.fetch(path)
  if (response.status !== 200) throw new Error(`the export answers ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

export function exportSession(person: Person, id: number): Promise<Buffer> {
  return exportBytes(person, `/api/sessions/${id}/export`)
}

/** In pieces, as a form brings it. */
export async function* inPieces(bytes: Uint8Array, pieceBytes = 65_536) {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

export async function importArchive(world: World, person: Person, bytes: Uint8Array) {
  const { id, ageVerified } = await person.accounts.currentUser()
  return importSessionArchive(world.ctx, { id, ageVerified }, inPieces(bytes))
}

/** Rows and files of all kinds that an import makes. */
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

/** The manifest of an archive, and its other files. */
export async function contentsOf(archive: Buffer) {
  const entries = await unzip(archive)
  const manifest: unknown = JSON.parse(String(entries.get('manifest.json')))
  return { entries, manifest, names: [...entries.keys()] }
}
