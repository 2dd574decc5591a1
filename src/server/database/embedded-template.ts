/**
 * The template of a new embedded database. initdb and the migrations produce the same files in every
 * folder and take most of the CPU time of a first start, so the build runs them once. Without a template
 * of this version, the first start runs them itself.
 */
import { createHash } from 'node:crypto'
import { cpSync, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeLiveViews } from './live-views.ts'
import { readMigrations } from './migrations.ts'

/** Copies the template, if there is one, into an empty folder. */
export async function copyTemplate(folder: string, file?: string): Promise<void> {
  const template = file ?? (await templateFile())
  // PostgreSQL recognises a database by this file. Leave other folders alone.
  if (!existsSync(join(template, 'PG_VERSION'))) return
  // Synchronous: six times as fast, and no request waits yet.
  cpSync(template, folder, { recursive: true })
}

/** The folder's name contains a hash of everything the template is made from. */
export async function templateFile(): Promise<string> {
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
