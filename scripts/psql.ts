/**
 * Runs `npm run psql -- [arguments of psql]`: psql on the service's database. The embedded database speaks
 * PostgreSQL's protocol but has no port, so it gets one on loopback while psql runs. The service must be
 * stopped meanwhile.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { requireSite } from '../src/server/commands/existing-site.ts'
import { parseConfig, readEnvironment } from '../src/server/config/config.ts'
import { lockFolder } from '../src/server/platform/folder-lock.ts'
import { reasonOf } from '../src/server/platform/start-error.ts'

export async function listenOnLoopback(
  pglite: PGlite,
): Promise<{ url: string; close: () => void }> {
  const server = createServer((socket) => converse(socket, pglite))
  // The database has a single connection, so only one client may connect.
  server.maxConnections = 1
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, close: () => server.close() }
}

/** Requests for encryption, which are sent before anything else and declined with 'N'. */
const encryptionRequests = new Set([80_877_103, 80_877_104])
const terminate = 'X'.charCodeAt(0)

/** Serves one client. The first message starts with its length, each later one with type and length. */
function converse(socket: Socket, pglite: PGlite): void {
  let unread = Buffer.alloc(0)
  let hasStarted = false
  let turn = Promise.resolve()
  const answer = async (message: Uint8Array) => {
    socket.write(await pglite.execProtocolRaw(message))
  }
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk])
    for (;;) {
      const lengthAt = hasStarted ? 1 : 0
      if (unread.length < lengthAt + 4) return
      const end = lengthAt + unread.readInt32BE(lengthAt)
      if (unread.length < end) return
      const message = unread.subarray(0, end)
      unread = unread.subarray(end)
      if (!hasStarted && encryptionRequests.has(message.readInt32BE(4))) {
        socket.write('N')
      } else if (hasStarted && message[0] === terminate) {
        turn = turn.then(() => void socket.end())
      } else {
        hasStarted = true
        turn = turn.then(() => answer(message)).catch((error: Error) => void socket.destroy(error))
      }
    }
  })
}

async function runOnEmbedded(dataDir: string, words: readonly string[]): Promise<number> {
  const folder = join(dataDir, 'postgres')
  const lock = lockFolder(dataDir)
  try {
    const pglite = await PGlite.create(folder)
    const { url, close } = await listenOnLoopback(pglite)
    try {
      return await runPsql(url, words)
    } finally {
      close()
      await pglite.close()
    }
  } finally {
    lock.release()
  }
}

async function runPsql(url: string, words: readonly string[]): Promise<number> {
  const psql = spawn('psql', [url, ...words], { stdio: 'inherit' })
  // Ctrl-C is for psql; this process ends after it.
  process.on('SIGINT', () => {})
  try {
    const [code] = (await once(psql, 'exit')) as [number | null]
    return code ?? 1
  } catch (error) {
    throw new Error('psql cannot be started; it is in the package postgresql-client', {
      cause: error,
    })
  }
}

if (process.argv[1] === import.meta.filename) {
  try {
    const words = process.argv.slice(2)
    const environment = readEnvironment(process.cwd(), process.env)
    requireSite(environment, 'database')
    const { databaseUrl, dataDir } = parseConfig(environment)
    process.exitCode = databaseUrl
      ? await runPsql(databaseUrl, words)
      : await runOnEmbedded(dataDir, words)
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`)
    process.exitCode = 1
  }
}
