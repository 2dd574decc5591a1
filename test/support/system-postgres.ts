/**
 * PostgreSQL as the system's packages bring it, with all of its programs: for what the server from npm
 * lacks, which is pg_dump and replicas.
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
  /** As `pg_ctl -m fast stop` and, after what is done meanwhile, `pg_ctl start` do it. */
  readonly restart: (whileStopped: () => Promise<void>) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Its programs' folder, or null where no such package is installed. */
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

/** A streaming replica of that server, from a base backup. */
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
  // Not by execFile, which keeps it in our group: a terminal's Ctrl-C would end it in the middle.
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

/** PostgreSQL refuses to run as root, which CI machines often are. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const numberOf = (which: '-u' | '-g') => Number(execFileSync('id', [which, 'postgres']))
  return { uid: numberOf('-u'), gid: numberOf('-g') }
}
