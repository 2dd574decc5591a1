/**
 * The template of a new embedded database: the build makes it once. Without it a start makes the database
 * itself.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEmbeddedDatabase } from '../../src/server/database/embedded.ts'
import { migrate, readMigrations } from '../../src/server/database/migrations.ts'
import { makeTemplate } from '../../scripts/build-embedded.ts'

let root: string
let template: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'lanternist-template-'))
  template = join(root, 'template')
  await makeTemplate(template)
})
afterAll(() => rm(root, { recursive: true, force: true }))

// PostgreSQL chooses the identifier when a database is created, and copies keep it.
async function identityOf(options: { dataDir: string; template: string; isDurable?: boolean }) {
  const database = await openEmbeddedDatabase(options.dataDir, options)
  try {
    const [row] = await database.query<{ identity: string; letters: string }>(
      `select system_identifier::text as identity, current_setting('server_encoding') as letters
       from pg_control_system()`,
      [],
    )
    return row
  } finally {
    await database.close()
  }
}

test('new databases are copies of it, in both modes, and keep what is written', async () => {
  const first = await identityOf({ dataDir: join(root, 'first'), template })
  expect(first?.letters).toBe('UTF8')
  const durable = { dataDir: join(root, 'durable'), template, isDurable: true }
  expect(await identityOf(durable)).toEqual(first)
  const database = await openEmbeddedDatabase(durable.dataDir, durable)
  await database.query('create table kept as select 1 as one', [])
  await database.close()
  const again = await openEmbeddedDatabase(durable.dataDir, durable)
  expect(await again.query('select one from kept', [])).toEqual([{ one: 1 }])
  await again.close()
})

test('a copy has been migrated, one without a template is by its start', async () => {
  const appliedIn = async (dataDir: string, from: string) => {
    const database = await openEmbeddedDatabase(join(root, dataDir), { template: from })
    const applied = await migrate(database)
    await database.close()
    return applied
  }
  const names = (await readMigrations()).map(({ name }) => name)
  expect(await appliedIn('migrated', template)).toEqual([])
  expect(await appliedIn('not migrated', join(root, 'nowhere'))).toEqual(names)
})

test('a broken template is left alone, and the database is created from scratch', async () => {
  const broken = join(root, 'broken')
  await mkdir(broken)
  await writeFile(join(broken, 'postgresql.conf'), 'not a setting at all')
  const made = await identityOf({ dataDir: join(root, 'second'), template: broken })
  const copied = await identityOf({ dataDir: join(root, 'third'), template })
  expect(made?.letters).toBe('UTF8')
  expect(made?.identity).not.toBe(copied?.identity)
})
