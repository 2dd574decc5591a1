/** Opens a migrated database for one test file: a copy of the one that `engines.ts` has prepared. */
import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'
import { inject, test } from 'vitest'
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import { embeddedOptions, handleOf } from '../../src/server/database/embedded.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { quietLog } from '../../src/server/platform/outage-log.ts'
import { templateDatabase } from './engines.ts'

export const engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'embedded'

/** Declares a test that needs several connections, which the embedded database does not have. */
export function testOnServer(promise: string, body: () => Promise<void>): void {
  // oxlint-disable-next-line vitest/valid-title -- the caller states the promise
  test(promise, async ({ skip }) => {
    skip(engine === 'embedded', 'the embedded database has one connection')
    await body()
  })
}

export async function openTestDatabase(): Promise<DatabaseHandle> {
  return engine === 'postgres' ? connectTo(await copyTemplate()) : openCopyOfDump()
}

/** Connects through a pooler with TEST_POOLER=1. */
function connectTo(directUrl: string): Promise<DatabaseHandle> {
  const pooler = inject('poolerUrl')
  if (pooler === '') return connectToServer(directUrl)
  const url = new URL(pooler)
  url.pathname = new URL(directUrl).pathname
  return connectToServer(url.href, quietLog, directUrl)
}

/** The databases of the current test file, for `npm run test:profile`. */
export const databasesMade: string[] = []

/** Creates a database on the test server and returns its URL. It is migrated unless `empty`. */
export async function copyTemplate(options: { empty?: boolean } = {}): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(
    options.empty
      ? `create database ${name}`
      : `create database ${name} template ${templateDatabase}`,
  )
  await client.end()
  databasesMade.push(name)
  url.pathname = `/${name}`
  return url.href
}

async function openCopyOfDump(): Promise<DatabaseHandle> {
  const loadDataDir = await openAsBlob(inject('embeddedDump'))
  compiled ??= WebAssembly.compile(await readFile(fromPglite('pglite.wasm')))
  const pgliteWasmModule = await compiled
  return handleOf(
    await PGlite.create('memory://', { ...embeddedOptions, loadDataDir, pgliteWasmModule }),
  )
}

/** Compiled once for all files that a worker runs. */
let compiled: Promise<WebAssembly.Module> | undefined

function fromPglite(name: string): URL {
  return new URL(name, import.meta.resolve('@electric-sql/pglite'))
}
