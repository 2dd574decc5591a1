/** The state of a running node, for operators and tools (contract 4.11). */
import { z } from 'zod'
import { endpoint, json, text } from './endpoint.ts'
import { failure } from './failure.ts'
import { problems } from './problems.ts'
import { sourceIds } from './sources.ts'

const part = z.enum(['ok', 'failing'])

const parts = z.object({ database: part, storage: part, queue: part })

/** The providers of feeds and captions. 'demo' means that their content is not real. */
const adapters = z.object({
  feed: z.enum([...sourceIds, 'off']),
  captions: z.enum(['openai', 'demo', 'off']),
})

const notReady = failure(503, { status: 'unavailable' }, { failing: z.array(z.string()), parts })

export const operations = {
  alive: endpoint({
    method: 'GET',
    path: '/healthz',
    summary: 'Liveness: the process answers.',
    who: 'anyone',
    answer: json(200, z.object({ status: z.literal('ok') })),
    failures: [],
  }),
  ready: endpoint({
    method: 'GET',
    path: '/readyz',
    summary: 'Readiness of database, storage and queue, and the sources of feeds and captions.',
    who: 'anyone',
    answer: json(200, z.object({ status: z.literal('ready'), parts, adapters })),
    failures: [notReady],
  }),
  metrics: endpoint({
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics for Prometheus, for loopback peers and for others with the token.',
    who: 'anyone',
    answer: text('text/plain; version=0.0.4; charset=utf-8'),
    failures: [problems.unauthorized],
  }),
  openapi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'The OpenAPI 3.1 document of this API.',
    who: 'anyone',
    answer: json(200, z.record(z.string(), z.unknown())),
    failures: [],
  }),
  docs: endpoint({
    method: 'GET',
    path: '/api/docs',
    summary: 'The documentation of this API as a page.',
    who: 'anyone',
    answer: text('text/html; charset=utf-8'),
    failures: [],
  }),
}

export const operationProblems = { notReady }
