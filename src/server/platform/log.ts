/**
 * Structured logs (pino) without secrets: of a request they contain only the method, and the plain words
 * and numbers of its path.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { LoggerOptions } from 'pino'
import { pino } from 'pino'

export type Log = FastifyBaseLogger

const secretFields = ['password', 'secret', 'token', 'authorization', 'cookie', 'apiKey']

/** The buffer limit. If the reader of the log stops, lines past this limit are dropped. */
const maxUnreadBytes = 8 * 1024 * 1024

/** Creates a logger. It writes to the standard output by default. */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    serializers: { req: describeRequest, err: pino.stdSerializers.err },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), remove: true },
  }
  return pino(options, destination ?? pino.destination({ dest: 1, maxLength: maxUnreadBytes }))
}

/** Omits the query: it can contain signatures, codes and passwords. */
function describeRequest(request: { method: string; url: string }) {
  return { method: request.method, path: loggablePath(request.url) }
}

/**
 * Returns a path that is safe to log. Paths, existing or mistyped, can contain share codes and tokens. So a
 * part is logged only if it cannot be one: a number, or a short word like those in our own paths.
 */
export function loggablePath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  return path.split('/').map(loggablePart).join('/')
}

function loggablePart(part: string): string {
  return /^(?:|\d{1,10}|[a-z]{1,20}(?:[-.][a-z]{1,20}){0,3})$/.test(part) ? part : '*'
}
