/**
 * PostgreSQL inside this process (PGlite), stored in DATA_DIR. It has one connection; PGlite makes every
 * statement wait while another caller's transaction is open.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
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
import { createPglite } from './embedded-pglite.ts'
import { copyTemplate } from './embedded-template.ts'
import { openEmbeddedNotifications } from './notifications.ts'
import { columnParsers } from './tables.ts'
import type { Tables } from './tables.ts'

export type EmbeddedOptions = {
  /** A commit is on the disk before it is acknowledged. */
  readonly isDurable?: boolean
  /** The template of a new database, in place of the built one. */
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
    const reason = freeBytes(dataDir) < fullBytes ? 'the disk is full' : reasonOf(error)
    throw new StartError(`DATA_DIR: the database in ${folder} cannot be opened: ${reason}`)
  }
}

/** The size of a new database with its log until the first checkpoint. */
const newDatabaseMb = 80
const bytesPerMb = 1_048_576
/** PostgreSQL writes its log in files of 16 MB, and its error does not say that the disk is full. */
const fullBytes = bytesPerMb

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * A new folder is filled file by file, and a half-filled one looks like a database that does not open. A
 * marker file lies beside it until it is complete, so that the next start replaces what a killed first
 * start has left. Nothing can be stored in it yet.
 */
async function openOrMake(
  folder: string,
  { isDurable = false, template }: EmbeddedOptions,
): Promise<PGlite> {
  const mark = `${folder}.unfinished`
  mkdirSync(folder, { recursive: true })
  // PGlite's files are readable by every user, so the folder is private.
  chmodSync(folder, 0o700)
  if (existsSync(mark))
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  if (readdirSync(folder).length === 0) {
    const freeMb = Math.floor(freeBytes(folder) / bytesPerMb)
    if (freeMb < newDatabaseMb)
      throw new Error(`a new one needs ${newDatabaseMb} MB, and the disk has ${freeMb} MB left`)
    writeFileSync(mark, '')
    await copyTemplate(folder, template)
  }
  // Without a template the folder is still empty.
  const isFromNothing = readdirSync(folder).length === 0
  const options = { ...embeddedOptions, pgliteWasmModule: await compiledEngine }
  if (isDurable) return openDurable(folder, mark, options, { isFromNothing })
  const pglite = await createPglite({ ...options, dataDir: folder }, { isFromNothing })
  rmSync(mark, { force: true })
  return pglite
}

async function openDurable(
  folder: string,
  mark: string,
  options: PGliteOptions & typeof embeddedOptions,
  made: { readonly isFromNothing: boolean },
): Promise<PGlite> {
  const { DurableFolder, durably, syncPath, syncTree } = await import('./durable-folder.ts')
  const durable = { fs: new DurableFolder(folder), startParams: durably(options.startParams) }
  const pglite = await createPglite({ ...options, ...durable }, made)
  // A new database was filled without fsync, and so was one that ran with EMBEDDED_SYNC=off.
  syncTree(folder)
  rmSync(mark, { force: true })
  // If the marker came back after a power cut, the next start would replace the database.
  syncPath(dirname(folder))
  return pglite
}

// The default of 128 MB is a fifth of the process's memory; the system's cache makes up for less.
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
 * Kysely's own PGlite driver gives every caller the same connection object, so a statement of one request
 * can end up in the open transaction of another. This one gives each caller its own connection object.
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
 * The engine runs on this thread and never yields. Under load, give the event loop a turn between two
 * statements or transactions, so that requests are read.
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

  // oxlint-disable-next-line require-yield -- Kysely requires the method
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('The embedded database does not stream rows.')
  }
}
