/** The queue for administrators: jobs that wait, run, are retried or were given up. */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'
import { problems } from './problems.ts'
import { pageLimit, spokenMessage, timestamp } from './values.ts'

export const jobStates = ['waiting', 'running', 'retrying', 'dead'] as const

/** A job without its payload, which may name people and their data. */
const job = z
  .object({
    id: z.uuid(),
    name: z.string(),
    state: z.enum(jobStates),
    /** The number of retries so far. */
    retries: z.int(),
    /** The error of the last try, cut to 500 characters. */
    error: z.string().nullable(),
    createdAt: timestamp,
    /** The time when it may start, or start again. */
    startAfter: timestamp,
  })
  .meta({ id: 'Job' })

const params = z.object({ id: z.uuid() })

export const adminJobs = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/jobs',
    summary: 'Jobs in a state, newest first. Dead jobs have used all their retries.',
    who: 'admin',
    query: z.object({
      state: z.enum(jobStates).default('dead'),
      limit: pageLimit(100).default(50),
      cursor: z.string().max(200).optional(),
    }),
    answer: json(200, z.object({ items: z.array(job), nextCursor: z.string().nullable() })),
    failures: [],
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/admin/jobs/:id/retry',
    summary: 'Retry a dead job with its original data.',
    who: 'admin',
    params,
    answer: json(200, spokenMessage),
    failures: [problems.notFound],
  }),
  discard: endpoint({
    method: 'DELETE',
    path: '/api/admin/jobs/:id',
    summary: 'Discard a dead job.',
    who: 'admin',
    params,
    answer: json(200, spokenMessage),
    failures: [problems.notFound],
  }),
}
