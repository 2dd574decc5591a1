/**
 * A real Redis on a free loopback port. Without the binary, tests that need it are skipped and print a
 * message.
 */
import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

export type RedisServer = {
  url: string
  port: number
  /** Leaves it connected but silent, like a server that is swapping or cut off. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

const binary = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'redis-server'))
  .find(isExecutable)

export const hasRedisServer = binary !== undefined

/** Prints the reason once per test file, so that no test is skipped silently. */
export function sayIfNoRedisServer(what: string): void {
  if (!hasRedisServer) console.log(`skipped: ${what}: no redis-server on the PATH`)
}

/** Starts a server. A `port` restarts it at the address of an earlier server. */
export async function startRedisServer(options: { port?: number } = {}): Promise<RedisServer> {
  if (!binary) throw new Error('no redis-server on the PATH')
  // Another process may take the free port first: then try another one.
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const port = options.port ?? (await freePort())
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', tmpdir()]
    const nothingKept = ['--save', '', '--appendonly', 'no', '--daemonize', 'no']
    const words = ['-c', keeperScript, 'sh', binary, ...place, ...nothingKept]
    // Ctrl-C in a terminal goes only to this process, which ends the server.
    const keeper = spawn('sh', words, { detached: true })
    const pid = await pidOnceListening(keeper)
    if (pid !== undefined) return handle(keeper, pid, port)
    keeper.stdin.end()
  }
  throw new Error('redis-server did not start')
}

/**
 * The shell kills the server when its input closes, which happens however a test ends. The data are
 * worthless, and a frozen server would not react to a signal other than KILL.
 */
const keeperScript = '"$@" </dev/null & echo "pid=$!"; cat >/dev/null; kill -KILL $!; wait'

function handle(keeper: ChildProcessWithoutNullStreams, pid: number, port: number): RedisServer {
  const ended = new Promise((resolve) => keeper.once('exit', resolve))
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    freeze: () => void process.kill(pid, 'SIGSTOP'),
    thaw: () => void process.kill(pid, 'SIGCONT'),
    async stop() {
      keeper.stdin.end()
      await ended
    },
  }
}

function pidOnceListening(keeper: ChildProcessWithoutNullStreams): Promise<number | undefined> {
  return new Promise((resolve) => {
    let output = ''
    keeper.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (/ready to accept connections/i.test(output)) {
        resolve(Number(/^pid=(\d+)$/m.exec(output)?.[1]))
      } else if (/failed listening/i.test(output)) resolve(undefined)
    })
    keeper.once('exit', () => resolve(undefined))
    setTimeout(() => resolve(undefined), 10_000).unref()
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
