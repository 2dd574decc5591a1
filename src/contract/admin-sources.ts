/** The sources of feeds for administrators: the list and their health. */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'
import { sourceIds } from './sources.ts'
import { timestamp } from './values.ts'

const source = z
  .object({
    id: z.enum(sourceIds),
    /** Accurate to a minute. Null if it has never succeeded. */
    lastSuccessAt: timestamp.nullable(),
    lastFailureAt: timestamp.nullable(),
    /** The problem of the last failure, in plain words. */
    lastFailure: z.string().nullable(),
  })
  .meta({ id: 'SourceHealth' })

const host = z
  .object({
    host: z.string(),
    /** The requests of all nodes within the last minute. */
    asked: z.int(),
    /** The maximum number of requests per minute. */
    most: z.int(),
    /** No request is sent until then. */
    restsUntil: timestamp.nullable(),
  })
  .meta({ id: 'FarHost' })

export const adminSources = {
  read: endpoint({
    method: 'GET',
    path: '/api/admin/sources',
    summary:
      'The sources that the site offers in their order, and the hosts with recent requests or a pause.',
    who: 'admin',
    answer: json(200, z.object({ sources: z.array(source), hosts: z.array(host) })),
    failures: [],
  }),
}
