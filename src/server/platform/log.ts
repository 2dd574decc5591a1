/**
 * Structured logs (pino) in which secrets have no place: a request is its method and the plain words
 * and numbers of its path, no more.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { LoggerOptions } from 'pino'
import { pino } from 'pino'

export type Log = FastifyBaseLogger

const secretFields = ['password', 'secret', 'token', 'authorization', 'cookie', 'apiKey']

/** Where nobody reads the log, what is written past this is lost rather than kept in memory. */
const mostUnreadBytes = 8 * 1024 * 1024

/** To the standard output, unless told. */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    serializers: { req: describeRequest, err: pino.stdSerializers.err },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), remove: true },
  }
  return pino(options, destination ?? pino.destination({ dest: 1, maxLength: mostUnreadBytes }))
}

/** No query: it can hold signatures, codes and passwords. */
function describeRequest(request: { method: string; url: string }) {
  return { method: request.method, path: loggablePath(request.url) }
}

/**
 * Share codes and tokens stand in paths too, in addresses that exist and in mistyped ones. So a part
 * is written down only where it can be none: a number, or a short word as our own paths have them.
 */
export function loggablePath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  return path.split('/').map(loggablePart).join('/')
}

function loggablePart(part: string): string {
  return /^(?:|\d{1,10}|[a-z]{1,20}(?:[-.][a-z]{1,20}){0,3})$/.test(part) ? part : '*'
}
