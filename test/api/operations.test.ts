/** The endpoints for operators of a node (contract 4.11). */
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { endpoints } from '../../src/contract/api.ts'
import { failuresOf } from '../../src/contract/endpoint.ts'
import { version } from '../../src/server/config/version.ts'
import { eventually } from '../support/eventually.ts'
import type { World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ METRICS_TOKEN: 'a-metrics-token' })
})
afterAll(() => world.close())

test('a node reports that it is alive and ready, part by part', async () => {
  expect(await world.visitor().operations.alive()).toEqual({ status: 'ok' })
  expect(await world.visitor().operations.ready()).toEqual({
    status: 'ready',
    parts: { database: 'ok', storage: 'ok', queue: 'ok' },
    adapters: { feed: 'demo', captions: 'demo' },
  })
})

test('a failing part is named with 503', async () => {
  const check = vi.spyOn(world.ctx.storage, 'check').mockRejectedValue(new Error('disk is gone'))
  await eventually(async () => {
    const failure = await refused(world.visitor().operations.ready())
    expect(failure).toMatchObject({ status: 503, body: { failing: ['storage'] } })
  })
  check.mockRestore()
  await eventually(async () => void (await world.visitor().operations.ready()))
})

test('many concurrent readiness requests cost one check', async () => {
  const check = vi.spyOn(world.ctx.storage, 'check')
  await eventually(async () => {
    await world.visitor().operations.ready()
    expect(check).toHaveBeenCalled()
  })
  await Promise.all(Array.from({ length: 100 }, () => world.visitor().fetch('/readyz')))
  // The requests of the crowd together may take longer than one check is cached.
  expect(check.mock.calls.length).toBeLessThan(10)
  check.mockRestore()
})

describe('metrics', () => {
  test('are for loopback peers without a proxy, and for others with the token', async () => {
    expect(await world.visitor().operations.metrics()).toContain('lanternist_request_seconds')
    const remote = { 'x-forwarded-for': '203.0.113.5' }
    expect((await refused(world.visitor(remote).operations.metrics())).status).toBe(401)
    const wrong = { ...remote, authorization: 'Bearer another' }
    expect((await refused(world.visitor(wrong).operations.metrics())).status).toBe(401)
    const right = { ...remote, authorization: 'Bearer a-metrics-token' }
    expect(await world.visitor(right).operations.metrics()).toContain('process_cpu')
  })

  test('count requests by endpoint, not by address', async () => {
    await refused(world.visitor().accounts.currentUser())
    const text = await world.visitor().operations.metrics()
    expect(text).toContain(
      'lanternist_request_seconds_count{endpoint="accounts.currentUser",status="401"}',
    )
  })
})

test('the metrics show which jobs wait, and for how long', async () => {
  const { db, queue } = world.ctx
  await queue.send(db, 'sweep-captions', {}, {})
  await sql`update pgboss.job set start_after = now() - interval '100 seconds'
    where state = 'created'`.execute(db)
  const text = await world.visitor().operations.metrics()
  expect(text).toContain('lanternist_jobs_waiting{queue="sweep-captions"} 1')
  const waited = /lanternist_oldest_job_seconds\{queue="sweep-captions"\} (\S+)/.exec(text)?.[1]
  expect(Number(waited)).toBeGreaterThan(99)
})

describe('the OpenAPI document', () => {
  test('is 3.1, of the project’s version, and has every endpoint with every failure', async () => {
    const document = (await world.visitor().operations.openapi()) as {
      openapi: string
      info: { version: string }
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
    }
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.version).toBe(version)
    for (const { endpoint } of endpoints) {
      const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{folder}/{path}')
      const operation = document.paths[path]?.[endpoint.method.toLowerCase()]
      const statuses = [endpoint.answer, ...failuresOf(endpoint)].map(({ status }) =>
        String(status),
      )
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(statuses))
    }
  })

  test('is valid, with every schema in it', async () => {
    const document = await world.visitor().operations.openapi()
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
    // OpenAPI leaves schemas to the JSON Schema standard, and so does its validator.
    const ajv = new Ajv2020({ strict: false })
    const schemas = schemasIn(document)
    expect(schemas.length).toBeGreaterThan(endpoints.length)
    for (const schema of schemas)
      expect([schema, ajv.validateSchema(schema), ajv.errors]).toEqual([schema, true, null])
  })

  test('refers only to itself', async () => {
    const document = await world.visitor().operations.openapi()
    const pointers = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
    expect(pointers.length).toBeGreaterThan(0)
    for (const [, pointer = ''] of pointers)
      expect(
        pointer
          .split('/')
          .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document),
        pointer,
      ).toBeDefined()
  })

  test('has a page without external files', async () => {
    const page = await world.visitor().operations.docs()
    expect(page).toContain('POST /api/login')
    expect(page).not.toMatch(/<script|https?:\/\//)
  })
})

test('every answer carries a request id and the security headers', async () => {
  const response = await world.visitor().fetch('/api/tags')
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
  expect(response.headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('cache-control')).toBe('no-store')
})

/** Returns named and inline schemas. */
function schemasIn(part: unknown, key = ''): object[] {
  if (typeof part !== 'object' || part === null) return []
  if (key === 'schema') return [part]
  if (key === 'schemas') return Object.values(part)
  return Object.entries(part).flatMap(([name, value]) => schemasIn(value, name))
}
