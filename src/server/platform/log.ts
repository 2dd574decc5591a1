/** Structured logs (pino) in which secrets have no place: a request is its method and path, no more. */
import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'

export type Log = FastifyBaseLogger

const secretFields = ['password', 'secret', 'token', 'authorization', 'cookie', 'apiKey']

export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    serializers: { req: describeRequest, err: pino.stdSerializers.err },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), remove: true },
  })
}

/** No query: it can hold signatures, codes and passwords. */
function describeRequest(request: { method: string; url: string }) {
  return { method: request.method, path: request.url.split('?', 1)[0] }
}
