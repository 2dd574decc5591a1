/**
 * Ends the server's connections without cutting anyone off: each is told with an answer that it was
 * the last, and only those that ask nothing for a while are closed without a word.
 */
import type { Server, ServerResponse } from 'node:http'
import { Server as TcpServer } from 'node:net'
import type { Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { LinkedList } from '../platform/concurrency/linked-list.ts'
import type { createApp } from './app.ts'

type App = Awaited<ReturnType<typeof createApp>>

export type DrainTimes = {
  /** Whoever is still being answered then is cut off. */
  readonly drainMs: number
  /** How long a connection may stay on which nothing is asked: its next request may be on its way. */
  readonly idleGraceMs: number
}

const idleCheckMs = 100

/** Before the server listens; gives what closes it. */
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
    // Closing hangs up only on those that are idle at that moment, not on those that soon will be.
    server.closeIdleConnections()
    // Browsers open some ahead of what they will ask; to Node these look busy.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  return async () => {
    await untilAllAreIn()
    stopListening(server)
    // Not before: who is told that it was the last comes back at once.
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
 * A loop that was busy has not let in yet who has come meanwhile, and a closed door would cut them off:
 * one round for what was already on its way, and one that looks anew.
 */
async function untilAllAreIn(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

/** An HTTP server's own `close` would also hang up on whoever is idle. */
function stopListening(server: Server): void {
  TcpServer.prototype.close.call(server)
}
