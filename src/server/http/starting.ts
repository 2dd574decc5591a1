/**
 * Answers for a node whose start waits for PostgreSQL: while the server is away, or while another node
 * migrates it. The process is alive and not ready, so that nothing that watches it ends it for waiting.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../config/config.ts'

// Not imported: Node would then load all of its exports.
const { createServer } = process.getBuiltinModule('node:http')

const usualStartMs = 2000

/** Begins once a start takes longer than most; ends with the function that it returns. */
export function answerWhileStarting({ databaseUrl, host, port }: Config): () => Promise<void> {
  // The embedded database works on this thread, and a port of the system's choice is known to nobody yet.
  if (!databaseUrl || port === 0) return async () => {}
  const server = createServer(answer)
  // A port that is taken is reported when the node itself listens.
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
