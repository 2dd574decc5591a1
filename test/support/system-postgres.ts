/**
 * PostgreSQL from the system's packages with all its programs. The server from npm lacks pg_dump and
 * replicas.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './free-port.ts'
import { endWithUs } from './service-process.ts'
import { untilConnected } from './until-connected.ts'

const installs = '/usr/lib/postgresql'
const startTimeoutMs = 60_000

export type SystemPostgres = {
  readonly port: number
  readonly urlOf: (database: string) => string
  readonly administer: (statement: string) => Promise<void>
  /** Runs `pg_ctl -m fast stop`, the callback, and `pg_ctl start`. */
  readonly restart: (whileStopped: () => Promise<void>) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Returns the folder of its programs, or null if it is not installed. */
export function systemPostgresFolder(): string | null {
  const [newest] = existsSync(installs)
    ? readdirSync(installs).toSorted((one, other) => Number(other) - Number(one))
    : []
  const folder = join(installs, newest ?? '', 'bin')
  return newest && existsSync(join(folder, 'postgres')) ? folder : null
}

export async function startSystemPostgres(
  settings: readonly string[] = [],
): Promise<SystemPostgres> {
  const folder = newFolder()
  const data = join(folder, 'data')
  await asServer('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'])
  return startOn(folder, settings)
}

/** Starts a streaming replica of that server from a base backup. */
export async function startReplicaOf(primary: SystemPostgres): Promise<SystemPostgres> {
  const folder = newFolder()
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres']
  const how = ['-R', '-X', 'stream', '-c', 'fast', '--no-sync']
  await asServer('pg_basebackup', ['-D', join(folder, 'data'), ...from, ...how])
  return startOn(folder, [])
}

async function startOn(folder: string, settings: readonly string[]): Promise<SystemPostgres> {
  const port = await freePort()
  const words = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    'fsync=off',
    ...settings,
  ].flatMap((setting) => ['-c', setting])
  const launch = () => {
    const server = spawn(
      join(binaries(), 'postgres'),
      ['-D', join(folder, 'data'), '-p', String(port), ...words],
      { ...serverUser(), cwd: folder, stdio: 'ignore', detached: true },
    )
    const ended = once(server, 'exit')
    if (server.pid !== undefined) endWithUs(server.pid, ended)
    return async () => {
      server.kill('SIGINT')
      await ended
    }
  }
  let end = launch()
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  await untilConnected(urlOf('postgres'), startTimeoutMs)
  return {
    port,
    urlOf,
    async administer(statement) {
      const client = new Client({ connectionString: urlOf('postgres') })
      await client.connect()
      try {
        await client.query(statement)
      } finally {
        await client.end()
      }
    },
    async restart(whileStopped) {
      await end()
      await whileStopped()
      end = launch()
      await untilConnected(urlOf('postgres'), startTimeoutMs)
    },
    async stop() {
      await end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function binaries(): string {
  const folder = systemPostgresFolder()
  if (!folder) throw new Error('no PostgreSQL of the system is installed')
  return folder
}

async function asServer(program: string, words: readonly string[]): Promise<void> {
  // Not execFile, which keeps it in our process group: Ctrl-C in a terminal would interrupt it.
  const child = spawn(join(binaries(), program), words, {
    ...serverUser(),
    cwd: tmpdir(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} failed: ${said}`)
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lanternist-system-postgres-'))
  const { uid, gid } = serverUser()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/** Returns another user for root: PostgreSQL refuses to run as root, which is common on CI machines. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const numberOf = (which: '-u' | '-g') => Number(execFileSync('id', [which, 'postgres']))
  return { uid: numberOf('-u'), gid: numberOf('-g') }
}
