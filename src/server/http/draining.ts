/**
 * Closes the server's connections without interrupting requests. Each response says that it is the last on
 * its connection. Only connections that stay idle for a while are closed without notice.
 */
import type { Server, ServerResponse } from 'node:http'
import { Server as TcpServer } from 'node:net'
import type { Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { LinkedList } from '../platform/concurrency/linked-list.ts'
import type { createApp } from './app.ts'

type App = Awaited<ReturnType<typeof createApp>>

export type DrainTimes = {
  /** The time after which unfinished requests are interrupted. */
  readonly drainMs: number
  /** How long an idle connection stays open: its next request may be on its way. */
  readonly idleGraceMs: number
}

const idleCheckMs = 100

/** Prepares the drain before the server listens. Returns the function that closes it. */
export function prepareDrain(app: App, { drainMs, idleGraceMs }: DrainTimes): () => Promise<void> {
  const { server } = app
  const connections = new Set<Socket>()
  const unanswered = new LinkedList<ServerResponse>()
  let isDraining = false
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', (_, response) => {
    if (isDraining) announceEnd(response)
    const link = unanswered.add(response)
    response.once('close', () => unanswered.remove(link))
  })
  const hangUp = () => {
    // Closing ends only connections that are idle now, not those that become idle later.
    server.closeIdleConnections()
    // Browsers open connections in advance. Node counts these as busy.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  return async () => {
    await untilAllAreIn()
    stopListening(server)
    // Not earlier: a client that gets 'connection: close' reconnects at once.
    isDraining = true
    for (const { value } of unanswered.links()) announceEnd(value)
    for (let leftMs = idleGraceMs; leftMs > 0 && connections.size > 0; leftMs -= idleCheckMs)
      await sleep(idleCheckMs)
    const idle = setInterval(hangUp, idleCheckMs)
    const slow = setTimeout(() => server.closeAllConnections(), drainMs - idleGraceMs)
    await app.close().finally(() => {
      clearInterval(idle)
      clearTimeout(slow)
    })
  }
}

function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

/**
 * Accepts connections still in the backlog, which closing the server would reset. The first round handles
 * events that were already pending, and the second polls again.
 */
async function untilAllAreIn(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

/** Stops listening. An HTTP server's own `close` would also close idle connections. */
function stopListening(server: Server): void {
  TcpServer.prototype.close.call(server)
}
