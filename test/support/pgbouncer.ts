/** A real PgBouncer in transaction mode before a test PostgreSQL. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { endWithUs } from './service-process.ts'
import { untilConnected } from './until-connected.ts'

const program = '/usr/sbin/pgbouncer'
const startTimeoutMs = 30_000

export type Pooler = {
  /** Returns the address of the same database through the pooler. */
  readonly urlOf: (directUrl: string) => string
  readonly stop: () => Promise<void>
}

export const hasPgBouncer = () => existsSync(program)

export async function startPgBouncer(serverUrl: string): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new URL(serverUrl)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port} user=postgres password=postgres`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      // Few, so that statements of one client use connections of another.
      'default_pool_size = 4',
      'max_client_conn = 500',
    ].join('\n'),
  )
  // It refuses to run as root, which is common on CI machines.
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const pooler = spawn(program, [...user, file], { stdio: 'ignore', detached: true })
  const ended = once(pooler, 'exit')
  if (pooler.pid !== undefined) endWithUs(pooler.pid, ended)
  const urlOf = (directUrl: string) => {
    const url = new URL(directUrl)
    url.port = String(port)
    return url.href
  }
  await untilConnected(urlOf(serverUrl), startTimeoutMs)
  return {
    urlOf,
    async stop() {
      pooler.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
