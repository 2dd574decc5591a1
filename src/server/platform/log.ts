/** Structured logs (pino) in which secrets have no place: a request is its method and path, no more. */
import type { FastifyBaseLogger } from 'fastify'
import type { LoggerOptions } from 'pino'
import { pino } from 'pino'

export type Log = FastifyBaseLogger

const secretFields = ['password', 'secret', 'token', 'authorization', 'cookie', 'apiKey']

/** To the standard output, unless told. */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    serializers: { req: describeRequest, err: pino.stdSerializers.err },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), remove: true },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** No query: it can hold signatures, codes and passwords. */
function describeRequest(request: { method: string; url: string }) {
  return { method: request.method, path: request.url.split('?', 1)[0] }
}
