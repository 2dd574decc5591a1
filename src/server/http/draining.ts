/** Ends the server's connections: who is being answered is waited for, who asks nothing is not. */
import type { Socket } from 'node:net'
import type { createApp } from './app.ts'

type App = Awaited<ReturnType<typeof createApp>>

const idleCheckMs = 100

/** Before the server listens; gives what closes it, with the slowest cut off after `drainMs`. */
export function prepareDrain(app: App, drainMs: number): () => Promise<void> {
  const connections = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  const hangUp = () => {
    // Closing hangs up only on those that are idle at that moment, not on those that soon will be.
    app.server.closeIdleConnections()
    // Browsers open some ahead of what they will ask; to Node these look busy.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  return async () => {
    const idle = setInterval(hangUp, idleCheckMs)
    const slow = setTimeout(() => app.server.closeAllConnections(), drainMs)
    await app.close().finally(() => {
      clearInterval(idle)
      clearTimeout(slow)
    })
  }
}
