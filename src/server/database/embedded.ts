/**
 * PostgreSQL inside this process (PGlite), kept in DATA_DIR. It has one connection; PGlite makes
 * every statement wait while another caller's transaction is open.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { PGliteOptions, Transaction } from '@electric-sql/pglite'
import { PGlite } from '@electric-sql/pglite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { Kysely, PGliteDialect } from 'kysely'
import { fromPglite } from 'pg-boss'
import { lockFolder } from '../platform/folder-lock.ts'
import { reasonOf, StartError } from '../platform/start-error.ts'
import { makeCheckpoints } from './checkpoints.ts'
import type { DatabaseHandle } from './database.ts'
import { compiledEngine } from './embedded-engine.ts'
import { copyTemplate } from './embedded-template.ts'
import { openEmbeddedNotifications } from './notifications.ts'
import { columnParsers } from './tables.ts'
import type { Tables } from './tables.ts'

export type EmbeddedOptions = {
  /** A commit is on the disk before it is acknowledged. */
  readonly isDurable?: boolean
  /** The folder of what a new one begins with, in place of what the build made. */
  readonly template?: string
}

export async function openEmbeddedDatabase(
  dataDir: string,
  options: EmbeddedOptions = {},
): Promise<DatabaseHandle> {
  const lock = lockFolder(dataDir)
  const folder = join(dataDir, 'postgres')
  try {
    const pglite = await openOrMake(folder, options)
    const checkpoints = makeCheckpoints(pglite)
    const close = async () => {
      await checkpoints.end()
      await pglite.close()
    }
    return { ...handleOf(pglite), close: () => close().finally(lock.release) }
  } catch (error) {
    lock.release()
    throw new StartError(`DATA_DIR: the database in ${folder} cannot be opened: ${reasonOf(error)}`)
  }
}

/**
 * A new folder is filled file by file, and one that was left half filled can pass for a whole one that
 * does not open. A mark stands beside it until it is whole, so that what a killed first start
 * has left is made anew; nothing can have been kept in it yet.
 */
async function openOrMake(
  folder: string,
  { isDurable = false, template }: EmbeddedOptions,
): Promise<PGlite> {
  const mark = `${folder}.unfinished`
  mkdirSync(folder, { recursive: true })
  // PGlite leaves its files open to everyone; nobody else gets as far as them.
  chmodSync(folder, 0o700)
  if (existsSync(mark))
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  if (readdirSync(folder).length === 0) {
    writeFileSync(mark, '')
    await copyTemplate(folder, template)
  }
  const options = { ...embeddedOptions, pgliteWasmModule: await compiledEngine }
  if (isDurable) return openDurable(folder, mark, options)
  const pglite = await PGlite.create(folder, options)
  rmSync(mark, { force: true })
  return pglite
}

async function openDurable(
  folder: string,
  mark: string,
  options: PGliteOptions & typeof embeddedOptions,
): Promise<PGlite> {
  const { DurableFolder, durably, syncPath, syncTree } = await import('./durable-folder.ts')
  const pglite = await PGlite.create({
    ...options,
    fs: new DurableFolder(folder),
    startParams: durably(options.startParams),
  })
  // A new one was filled without a sync, and so was one that was used in the other mode until now.
  syncTree(folder)
  rmSync(mark, { force: true })
  // A mark that came back with the power would have the next start make all of it anew.
  syncPath(dirname(folder))
  return pglite
}

// PostgreSQL's own 128 MB are a fifth of the process's memory; behind fewer stands the system's cache.
const sharedBuffers = ['-c', 'shared_buffers=32MB']

export const embeddedOptions = {
  parsers: { ...columnParsers },
  startParams: [...PGlite.defaultStartParams, ...sharedBuffers],
}

export function handleOf(pglite: PGlite): DatabaseHandle {
  return {
    db: new Kysely<Tables>({ dialect: new EmbeddedDialect({ pglite }) }),
    async query<Row>(text: string, parameters: readonly unknown[]) {
      await letOthersIn()
      return (await pglite.query<Row>(text, [...parameters])).rows
    },
    queueConnection: { db: fromPglite(pglite), backend: 'pglite' },
    runScripts: (work) =>
      pglite.transaction((transaction) =>
        work({
          run: async (script) => void (await transaction.exec(script)),
          read: async <Row>(query: string) => (await transaction.query<Row>(query)).rows,
        }),
      ),
    openNotifications: (log) => openEmbeddedNotifications(pglite, log),
    close: () => pglite.close(),
  }
}

/**
 * Kysely's own PGlite driver gives everyone the same connection object, so that a statement of one
 * request can slip into the open transaction of another. Ours gives each caller one of its own.
 */
class EmbeddedDialect extends PGliteDialect {
  readonly #pglite: PGlite

  constructor(config: { pglite: PGlite }) {
    super(config)
    this.#pglite = config.pglite
  }

  override createDriver(): Driver {
    return new EmbeddedDriver(this.#pglite)
  }
}

class EmbeddedDriver implements Driver {
  readonly #pglite: PGlite

  constructor(pglite: PGlite) {
    this.#pglite = pglite
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<EmbeddedConnection> {
    return new EmbeddedConnection(this.#pglite)
  }

  beginTransaction = (connection: EmbeddedConnection) => connection.begin()
  commitTransaction = (connection: EmbeddedConnection) => connection.commit()
  rollbackTransaction = (connection: EmbeddedConnection) => connection.rollback()

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

/**
 * The engine works on this thread without ever waiting for anything outside. Between two statements
 * or transactions of a crowd, requests must get a chance to be read.
 */
const letOthersIn = () => setImmediate()

class EmbeddedConnection implements DatabaseConnection {
  readonly #pglite: PGlite
  #open: {
    transaction: Transaction
    end: PromiseWithResolvers<void>
    ended: Promise<void>
  } | null = null

  constructor(pglite: PGlite) {
    this.#pglite = pglite
  }

  async begin(): Promise<void> {
    await letOthersIn()
    const end = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<Transaction>()
    const ended = this.#pglite.transaction((transaction) => {
      begun.resolve(transaction)
      return end.promise
    })
    ended.catch(begun.reject)
    this.#open = { transaction: await begun.promise, end, ended }
  }

  async commit(): Promise<void> {
    this.#open?.end.resolve()
    await this.#open?.ended
    this.#open = null
  }

  async rollback(): Promise<void> {
    this.#open?.end.reject(new Error('rolled back'))
    await this.#open?.ended.catch(() => {})
    this.#open = null
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.#open) await letOthersIn()
    const runner = this.#open?.transaction ?? this.#pglite
    const result = await runner.query<Row>(query.sql, [...query.parameters])
    return { rows: result.rows, numAffectedRows: BigInt(result.affectedRows ?? 0) }
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('The embedded database does not stream rows.')
  }
}
