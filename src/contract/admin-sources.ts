/** The sources of feeds as administrators see them: which there are, and how they do. */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'
import { sourceIds } from './sources.ts'
import { timestamp } from './values.ts'

const source = z
  .object({
    id: z.enum(sourceIds),
    /** To a minute; null where it has given nothing yet. */
    lastSuccessAt: timestamp.nullable(),
    lastFailureAt: timestamp.nullable(),
    /** What was wrong the last time, in plain words. */
    lastFailure: z.string().nullable(),
  })
  .meta({ id: 'SourceHealth' })

const host = z
  .object({
    host: z.string(),
    /** By all nodes, within the last minute. */
    asked: z.int(),
    /** How often it may be asked within a minute. */
    most: z.int(),
    /** It is left alone until then. */
    restsUntil: timestamp.nullable(),
  })
  .meta({ id: 'FarHost' })

export const adminSources = {
  read: endpoint({
    method: 'GET',
    path: '/api/admin/sources',
    summary:
      'The sources that the site offers, the first one first, and the hosts that were asked or rest.',
    who: 'admin',
    answer: json(200, z.object({ sources: z.array(source), hosts: z.array(host) })),
    failures: [],
  }),
}
