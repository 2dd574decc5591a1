/** Accounts on other servers that people let this site read (contract 16). */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'
import { failure, sentence } from './failure.ts'
import { spokenMessage, timestamp } from './values.ts'

export const connectionKinds = ['immich'] as const

const connection = z
  .object({
    id: z.string(),
    kind: z.enum(connectionKinds),
    /** The name of the account there, or its address, or the host. */
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'Connection' })

export const connectionProblems = {
  connectionNotFound: sentence(404, 'Connection not found'),
  connectionRequired: failure(
    400,
    { error: 'Connection required', code: 'CONNECTION_REQUIRED' },
    { message: z.string() },
  ),
  connectionRefused: failure(
    400,
    { error: 'Connection refused', code: 'CONNECTION_REFUSED' },
    { message: z.string() },
  ),
  connectionUnavailable: failure(
    503,
    { error: 'This site does not connect to this kind of server', code: 'CONNECTION_UNAVAILABLE' },
    {},
  ),
}

export const connections = {
  list: endpoint({
    method: 'GET',
    path: '/api/connections',
    summary:
      'The caller’s connected accounts that sessions can be filled from, without their keys.',
    who: 'user',
    answer: json(200, z.array(connection)),
    failures: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/connections',
    summary:
      'Connect an account on another server by its key. The key is tested first and never shown again. It replaces an earlier connection of this kind.',
    who: 'user',
    body: z.object({
      kind: z.enum(connectionKinds),
      // The key is sent in a header, so only these characters are safe.
      apiKey: z
        .string()
        .trim()
        .regex(/^[\x21-\x7e]{1,500}$/, 'must be a key as the server shows it'),
    }),
    answer: json(201, connection),
    failures: [connectionProblems.connectionRefused, connectionProblems.connectionUnavailable],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/connections/:id',
    summary: 'End a connection: deletes its key, and slides no longer show its pictures.',
    who: 'user',
    params: z.object({ id: z.uuid() }),
    badParams: connectionProblems.connectionNotFound,
    answer: json(200, spokenMessage),
    failures: [connectionProblems.connectionNotFound],
  }),
}
