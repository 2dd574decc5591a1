/** The HTTP server itself: how long it waits for headers, and which bodies it waits for. */
import type { RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import { watchBodies } from './bodies/body-pace.ts'

// Together below 30 seconds, after which a connection that trickles its headers is gone.
const headersTimeoutMs = 20_000
const checkMs = 5000
const keepAliveTimeoutMs = 72_000

export function createHttpServer(handler: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      // Bodies are not bounded by one time for all: a library of gigabytes may take hours.
      requestTimeout: 0,
    },
    handler,
  )
  server.once('close', watchBodies(server))
  return server
}
