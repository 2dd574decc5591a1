/** Turns every thrown error into a response (contract, section 5). */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseOutage, isDiskFull } from '../database/outage.ts'
import { StorageUnreachable } from '../platform/storage/storage.ts'
import { Problem, problem, unavailable } from './problem.ts'

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = error instanceof Problem ? error : problemOf(error)
  if (known.failure.status >= 500 && !(error instanceof Problem))
    request.log.error({ event: 'request_failed', err: error }, 'request failed')
  return reply.status(known.failure.status).headers(known.headers).send(known.body)
}

/** Converts outages and Fastify's own refusals to failures of the contract. Anything else is our fault. */
function problemOf(error: unknown): Problem {
  if (error instanceof StorageUnreachable)
    return problem.storageUnreachable({ message: 'Files cannot be reached at the moment' })
  if (isDatabaseOutage(error))
    return unavailable('The database cannot be reached at the moment, please try again')
  if (isDiskFull(error)) return unavailable('The database is full, please try again later')
  const status = isFastifyError(error) ? error.statusCode : undefined
  if (status === 415)
    return problem.unsupportedMediaType({ message: 'The content type is not supported' })
  if (status !== undefined && status >= 400 && status < 500)
    return problem.badRequest({ message: 'The request could not be read' })
  return problem.internal()
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('FST_')
}
