/**
 * What a new embedded database begins with. PostgreSQL's initdb and the migrations make the same in
 * every folder, and take most of the processor time that a first start needs until it is ready: so the
 * build does it once. Where that was not done, or for another version, it is done in the folder.
 */
import { createHash } from 'node:crypto'
import { cpSync, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeLiveViews } from './live-views.ts'
import { readMigrations } from './migrations.ts'

/** Into an empty folder, where there is one to copy. */
export async function copyTemplate(folder: string, place?: string): Promise<void> {
  const template = place ?? (await templatePlace())
  // By this file PostgreSQL knows a database; what is none is left alone.
  if (!existsSync(join(template, 'PG_VERSION'))) return
  // In a sixth of the time that it takes file by file, and nobody is kept from anything yet.
  cpSync(template, folder, { recursive: true })
}

/** Under a name that changes with everything that it is made from. */
export async function templatePlace(): Promise<string> {
  const parts = [
    await versionOf('@electric-sql/pglite'),
    await versionOf('pg-boss'),
    makeLiveViews,
    ...(await readMigrations()).map(({ name, hash }) => `${name} ${hash}`),
  ]
  const name = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)
  return fileURLToPath(new URL(`../../../dist/embedded/${name}`, import.meta.url))
}

async function versionOf(name: string): Promise<string> {
  const described = new URL('../package.json', import.meta.resolve(name))
  const { version } = JSON.parse(await readFile(described, 'utf8')) as { version: string }
  return version
}
