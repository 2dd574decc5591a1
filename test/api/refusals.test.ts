/** The refusals that all endpoints share, checked by iterating over the contract. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { api, endpoints } from '../../src/contract/api.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { changesState } from '../../src/contract/endpoint.ts'
import { problems } from '../../src/contract/problems.ts'
import { isStorable } from '../../src/server/http/storable-text.ts'
import { callEndpoint } from '../support/endpoint-caller.ts'
import { sharedFile, testCorpus, testShared } from '../support/shared-corpora.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let ana: Person
let admin: Person

beforeAll(async () => {
  world = await createWorld()
  ana = await world.as('ana')
  admin = world.visitor()
  await admin.accounts.devSignIn()
})
afterAll(() => world.close())

const changing = endpoints.filter(({ endpoint }) => changesState(endpoint))
const withBody = endpoints.filter(({ endpoint }) => endpoint.body)
/**
 * Endpoints with a number in their path. Those with other path parameters decide themselves what to
 * accept.
 */
const withIds = endpoints.filter(
  ({ endpoint }) =>
    endpoint.params?.safeParse({ id: '1', mediaId: '1', playId: '1' }).success &&
    !endpoint.params.safeParse({ id: 'x', mediaId: '1', playId: 'x' }).success,
)
const withQuery = endpoints.filter(({ endpoint }) => endpoint.query)

/** Returns a parameter that the path accepts: a number for most, a UUID for some. */
function nameFor({ params }: Endpoint): string {
  const uuid = '00000000-0000-4000-8000-000000000001'
  return params?.safeParse({ id: uuid }).success ? uuid : '1'
}

/** A cross-site request, a foreign origin, an opaque origin, and our host on another port. */
const fromElsewhere: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'https://evil.test' },
  { origin: 'null' },
  { origin: 'http://lanternist.test:81' },
]

describe.each(changing)('$name', (entry) => {
  test('cannot be caused by another site', async () => {
    for (const headers of fromElsewhere) {
      const { status, body } = await callEndpoint(ana, entry, { headers })
      expect({ headers, status, body }).toEqual({
        headers,
        status: 403,
        body: problems.crossSite.fixed,
      })
    }
  })

  test('can be caused by our own pages', async () => {
    for (const origin of ['http://lanternist.test', world.url]) {
      const person = world.visitor()
      const { body } = await callEndpoint(person, entry, { headers: { origin } })
      expect(body).not.toEqual(problems.crossSite.fixed)
    }
  })
})

describe.each(withBody)('$name', (entry) => {
  test('refuses a body that cannot be parsed, and one that is no object', async () => {
    // For an unknown room code, the service checks nothing else (contract 17).
    const refusal = entry.endpoint.path.startsWith('/api/rooms/:code')
      ? { status: 404, body: { message: 'Room not found' } }
      : { status: 400, body: { error: 'Bad Request' } }
    for (const body of ['{"a":', '{"a":"\\u0000"}', '{"a":"\\ud800"}'])
      expect(await callEndpoint(callerOf(entry.endpoint), entry, { body })).toMatchObject(refusal)
    const param = nameFor(entry.endpoint)
    const { status } = await callEndpoint(callerOf(entry.endpoint), entry, { body: '[]', param })
    expect(status).toBe(refusal.status)
  })
})

describe.each(withIds)('$name', (entry) => {
  test('refuses invalid ids', async () => {
    const expected = (entry.endpoint.badParams ?? problems.invalidId).fixed
    for (const param of [
      '0',
      '01',
      '-1',
      '1.5',
      '2147483648',
      '99999999999',
      'abc',
      '1e3',
      ' 1',
      '１',
    ])
      expect(await callEndpoint(callerOf(entry.endpoint), entry, { param }), param).toMatchObject({
        status: 400,
        body: expected,
      })
  })
})

describe.each(withQuery)('$name', (entry) => {
  test('refuses a repeated parameter', async () => {
    const { query } = entry.endpoint
    const names = query instanceof z.ZodObject ? Object.keys(query.shape) : ['anything']
    const twice = names.map((name) => `${name}=1&${name}=2`).join('&')
    expect(
      (await callEndpoint(callerOf(entry.endpoint), entry, { query: `?${twice}` })).status,
    ).toBe(400)
  })
})

describe('the JSON corpus', () => {
  const register = { name: 'accounts.register', endpoint: api.accounts.register }

  testShared('valid JSON is read, invalid JSON is refused as such, nothing breaks', async () => {
    const folder = sharedFile('corpora/json/test_parsing')
    const files = readdirSync(folder)
    for (const file of files) {
      const body = new Uint8Array(readFileSync(join(folder, file)))
      // An empty body counts as no body.
      if (body.length === 0) continue
      const answer = await callEndpoint(world.visitor(), register, { body })
      const isParsed = (answer.body as { error?: string }).error === 'Validation Error'
      expect(answer.status, file).toBe(400)
      if (file.startsWith('y_')) expect(isParsed, file).toBe(canBeStored(body))
      if (file.startsWith('n_')) expect(isParsed, file).toBe(false)
    }
    return files.length
  })

  testCorpus('hostile bodies on every endpoint end in an answer of the contract', async () => {
    const bodies = JSON.parse(
      readFileSync(sharedFile('corpora/json/hostile-bodies.json'), 'utf8'),
    ) as Record<string, string>
    let cases = 0
    for (const entry of withBody)
      for (const body of Object.values(bodies)) {
        const { status } = await callEndpoint(callerOf(entry.endpoint), entry, { body })
        expect(status).toBeLessThan(500)
        cases += 1
      }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    return cases
  })
})

describe('the string corpus', () => {
  testCorpus(
    'a hostile name is stored unchanged or refused, and never breaks anything',
    async () => {
      const list = JSON.parse(
        readFileSync(sharedFile('corpora/strings/blns.json'), 'utf8'),
      ) as string[]
      const extra = readFileSync(sharedFile('corpora/strings/sqli-polyglots.txt'), 'utf8').split(
        '\n',
      )
      const strings = [...list, ...extra].filter((text) => text.trim() !== '')
      for (const firstName of strings) {
        const response = await ana.fetch('/api/auth/user', {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ firstName }),
        })
        expect([200, 400], firstName).toContain(response.status)
        const body = (await response.json()) as { firstName?: string }
        if (response.status === 200) expect(body.firstName).toBe(firstName.trim())
      }
      return strings.length
    },
  )

  testShared('open-redirect payloads never lead to another site', async () => {
    const files = ['Open-Redirect-payloads', 'open_redirect_wordlist', 'openredirects']
    const payloads = files.flatMap((name) =>
      readFileSync(sharedFile(`corpora/urls/redirect-${name}.txt`), 'utf8').split('\n'),
    )
    for (const payload of payloads) {
      const query = new URLSearchParams({ redirect: payload })
      const response = await world.visitor().fetch(`/api/login?${query}`)
      const target = new URL(response.headers.get('location') ?? '', 'http://lanternist.test')
      expect(target.host, payload).toBe('lanternist.test')
    }
    return payloads.length
  })
})

test('an unknown route is 404 with the contract’s body, in every method', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const response = await ana.fetch('/api/undress/generate', { method })
    expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }])
  }
})

test('a body of another kind, or a too large one, is refused', async () => {
  const send = (type: string, body: string) =>
    ana.fetch('/api/auth/user', { method: 'PATCH', headers: { 'content-type': type }, body })
  expect((await send('text/xml', '<a/>')).status).toBe(415)
  expect((await send('application/x-www-form-urlencoded', 'firstName=a')).status).toBe(415)
  expect((await send('application/json', `"${'x'.repeat(1_100_000)}"`)).status).toBe(413)
})

/** Returns a person who may call the endpoint. */
function callerOf(endpoint: Endpoint): Person {
  return endpoint.who === 'admin' || endpoint.who === 'super_admin' ? admin : ana
}

/** True when PostgreSQL can store all text of this well-formed JSON. Otherwise the service refuses it. */
function canBeStored(json: Uint8Array): boolean {
  return isStorable(JSON.parse(new TextDecoder().decode(json)))
}
