/**
 * The baseline: the performance of this machine with only node:http and pg. Every statement is prepared
 * under a name, and PostgreSQL builds every JSON answer. It does only what the answers need: no schemas, no
 * limits, no security headers, no log.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { Pool } from 'pg'
import { accountRoutes } from './raw/accounts.ts'
import { imageRoutes } from './raw/images.ts'
import { ledgerRoutes } from './raw/ledger.ts'
import { sessionRoutes } from './raw/sessions.ts'
import { uploadRoutes } from './raw/uploads.ts'
import { vaultRoutes } from './raw/vault.ts'

export type Answer = { readonly status: number; readonly json: string }

export type Handler = (pool: Pool, request: IncomingMessage) => Promise<Answer>

const poolSize = 12

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: poolSize })
const routes: Readonly<Record<string, Handler>> = {
  ...accountRoutes,
  ...imageRoutes,
  ...ledgerRoutes,
  ...sessionRoutes,
  ...uploadRoutes,
  ...vaultRoutes,
}

const server = createServer((request, response) => {
  const path = request.url?.replace(/\?.*$/, '').replace(/\/\d+$/, '/:id')
  const handle = routes[`${request.method} ${path}`]
  if (!handle) return send(response, { status: 404, json: '{"message":"Not found"}' })
  handle(pool, request).then(
    (answer) => send(response, answer),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      send(response, { status: 500, json: '{"message":"Internal server error"}' })
    },
  )
})
server.listen(Number(process.env['PORT']), process.env['HOST'])

function send(response: ServerResponse, { status, json }: Answer): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(json),
  })
  response.end(json)
}
