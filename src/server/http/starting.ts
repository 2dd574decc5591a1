/**
 * Answers requests while the start waits for PostgreSQL, because the server is unavailable or another node
 * migrates it. The process is alive and not ready, so no supervisor kills it for waiting.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../config/config.ts'

// Not imported: Node would then load all exports of the module.
const { createServer } = process.getBuiltinModule('node:http')

const usualStartMs = 2000

/** Starts to listen when the start takes longer than usual. Returns the function that stops it. */
export function answerWhileStarting({ databaseUrl, host, port }: Config): () => Promise<void> {
  // The embedded database blocks this thread. A port that the system chooses is not known to clients yet.
  if (!databaseUrl || port === 0) return async () => {}
  const server = createServer(answer)
  // If the port is in use, the node itself reports that when it listens.
  server.on('error', () => {})
  const timer = setTimeout(() => server.listen({ host, port }), usualStartMs)
  return async () => {
    clearTimeout(timer)
    if (!server.listening) return
    const closed = new Promise((resolve) => server.once('close', resolve))
    server.close()
    server.closeAllConnections()
    await closed
  }
}

const failing = ['database', 'storage', 'queue']

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [path] = url.split('?')
  if (path === '/healthz') return send(response, 200, { status: 'ok' })
  const parts = Object.fromEntries(failing.map((part) => [part, 'failing']))
  const body =
    path === '/readyz'
      ? { status: 'unavailable', failing, parts }
      : { error: 'Service Unavailable', message: 'The site is starting, please try again' }
  send(response.setHeader('retry-after', '3'), 503, body)
}

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
    .end(JSON.stringify(body))
}
