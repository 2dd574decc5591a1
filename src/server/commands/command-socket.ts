/**
 * Lets `npm run admin` reach a running service. Only one process can open the embedded database, so a
 * command cannot open it while the service runs. The service listens on a socket in DATA_DIR that only its
 * own user can open, and runs the command itself.
 */
import { rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { reasonOf } from '../platform/start-error.ts'
import { type CommandResult, runCommand } from './admin-commands.ts'

/** The system's limit for the path of a socket. */
const longestPathBytes = 103
const longestCommandBytes = 4096
const commandPatienceMs = 5000

const command = z.array(z.string()).max(10)
const result = z.object({ exitCode: z.number(), text: z.string() })

export async function listenForCommands(ctx: Context, dataDir: string): Promise<void> {
  const path = socketPath(dataDir)
  if (Buffer.byteLength(path) > longestPathBytes) {
    ctx.log.warn(
      { event: 'command_socket_missing', path },
      'the path of DATA_DIR is too long for a socket: stop the service to run admin commands',
    )
    return
  }
  // This process holds the lock of the folder, so an existing socket is left from a killed process.
  await rm(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => void answer(ctx, socket))
  server.maxConnections = 4
  server.on('error', (error) =>
    ctx.log.warn(
      { event: 'command_socket_missing', err: error },
      'failed to open the command socket: stop the service to run admin commands',
    ),
  )
  listenPrivately(() => server.listen(path))
  ctx.stopping.addEventListener('abort', () => server.close())
}

/** Listens with a restrictive umask: the socket file is created with it, so at no time can others open it. */
function listenPrivately(listen: () => void): void {
  const mask = process.umask(0o177)
  try {
    listen()
  } finally {
    process.umask(mask)
  }
}

async function answer(ctx: Context, socket: Socket): Promise<void> {
  socket.on('error', () => socket.destroy())
  socket.setTimeout(commandPatienceMs, () => socket.destroy())
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += chunk.length
    if (bytes > longestCommandBytes) socket.destroy()
  })
  try {
    const words = command.parse(JSON.parse(await text(socket)))
    // The command itself has no time limit.
    socket.setTimeout(0)
    socket.end(JSON.stringify(await runCommand(words, (run) => run(ctx))))
  } catch {
    socket.destroy()
  }
}

/** Returns null if no service listens. */
export async function askRunningService(
  dataDir: string,
  words: readonly string[],
): Promise<CommandResult | null> {
  const socket = await connectTo(socketPath(dataDir))
  if (socket === null) return null
  socket.end(JSON.stringify(words))
  const said = await text(socket)
  if (said === '') throw new Error('the running service ended before it answered')
  return result.parse(JSON.parse(said))
}

function connectTo(path: string): Promise<Socket | null> {
  return new Promise((done, fail) => {
    const socket = connect({ path, allowHalfOpen: true })
    socket.once('connect', () => done(socket))
    socket.once('error', (error: NodeJS.ErrnoException) =>
      ['ENOENT', 'ECONNREFUSED', 'EINVAL'].includes(error.code ?? '')
        ? done(null)
        : fail(new Error(`the running service cannot be reached: ${reasonOf(error)}`)),
    )
  })
}

function socketPath(dataDir: string): string {
  return join(resolve(dataDir), 'admin.sock')
}
