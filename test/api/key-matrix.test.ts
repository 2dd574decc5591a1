/** Every endpoint, called with keys of every scope: each key opens exactly what the contract says. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/api.ts'
import { needsSignIn, unauthorizedOf } from '../../src/contract/endpoint.ts'
import type { KeyScope } from '../../src/contract/key-scopes.ts'
import { keyScopes, scopeOf } from '../../src/contract/key-scopes.ts'
import { problems } from '../../src/contract/problems.ts'
import { emailOf } from '../support/admin-world.ts'
import { callEndpoint } from '../support/endpoint-caller.ts'
import { programOf, withKey } from '../support/key-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

/** The table of the contract's page, repeated here on purpose. */
const opened: Readonly<Record<KeyScope, readonly string[]>> = {
  'sessions:read': [
    'GET /api/jobs/:id',
    'GET /api/sessions',
    'GET /api/sessions/:id',
    'GET /api/sessions/:id/events',
    'GET /api/sessions/:id/export',
    'GET /api/sessions/:id/share',
    'GET /api/shared/:code',
    'GET /api/shared/:code/export',
    'POST /api/plays/:playId/views',
    'POST /api/sessions/:id/play',
  ],
  'sessions:write': [
    'DELETE /api/sessions/:id',
    'GET /api/library/imports/:id',
    'PATCH /api/sessions/:id',
    'PATCH /api/sessions/:id/media/:mediaId',
    'POST /api/captions/ai',
    'POST /api/captions/prewarm',
    'POST /api/generate-caption',
    'POST /api/library/import',
    'POST /api/manual/batch-rewrite-captions',
    'POST /api/manual/generate-ai-caption',
    'POST /api/manual/rewrite-caption',
    'POST /api/sessions',
    'POST /api/sessions/:id/duplicate',
    'POST /api/sessions/:id/refill',
    'POST /api/sessions/:id/share',
    'POST /api/sessions/import-joip',
    'POST /api/sessions/manual',
    'PUT /api/sessions/:id/media',
  ],
  'media:read': [
    'GET /api/trash',
    'GET /api/user/media',
    'GET /api/user/media/:id',
    'GET /api/user/storage',
  ],
  'media:write': [
    'DELETE /api/media/:id/share',
    'DELETE /api/trash',
    'DELETE /api/user/media/*',
    'DELETE /api/user/media/:id',
    'GET /api/enhance/consent/status',
    'GET /api/enhance/recent',
    'GET /api/enhance/status',
    'GET /api/images/results',
    'POST /api/babecock/generate',
    'POST /api/babecock/remix',
    'POST /api/babecock/save',
    'POST /api/babecock/upload-babe',
    'POST /api/babecock/upload-cock',
    'POST /api/enhance/:id/download',
    'POST /api/enhance/clear-stuck',
    'POST /api/enhance/consent',
    'POST /api/enhance/generate',
    'POST /api/enhance/save-result',
    'POST /api/hypnococks/generate',
    'POST /api/images/censor',
    'POST /api/images/discard',
    'POST /api/media/:id/share',
    'POST /api/media/upload',
    'POST /api/trash',
    'POST /api/trash/restore',
    'POST /api/user/media/known',
    'POST /api/user/media/share',
  ],
  'community:read': [
    'GET /api/community',
    'GET /api/community/published',
    'GET /api/community/sessions/:id',
  ],
  rooms: [
    'DELETE /api/rooms/:code/remotes/:id',
    'GET /api/rooms/:code',
    'GET /api/rooms/:code/events',
    'GET /api/rooms/:code/remotes',
    'POST /api/rooms',
    'POST /api/rooms/:code/commands',
    'POST /api/rooms/:code/reactions',
    'POST /api/rooms/:code/remotes',
  ],
}

let world: World
let ana: Person
let unknownKey: Person
let idasKey: Person
const programs = new Map<KeyScope, Person>()

beforeAll(async () => {
  world = await createWorld()
  ana = await world.as('ana')
  await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  for (const scope of keyScopes) programs.set(scope, await programOf(world, ana, [scope]))
  unknownKey = withKey(world, `lan_${'A'.repeat(43)}`)
  idasKey = await programOf(world, await world.as('ida'), [...keyScopes])
  await world.ctx.db
    .updateTable('users')
    .set({ is_active: false })
    .where('email', '=', emailOf('ida'))
    .execute()
})
afterAll(() => world.close())

// A valid id that belongs to no row.
const nothing = { param: '2147483647' }

test('scopeOf returns the scopes of the contract for each endpoint', () => {
  const given = Object.groupBy(
    endpoints.filter(({ endpoint }) => scopeOf(endpoint) !== null),
    ({ endpoint }) => scopeOf(endpoint) ?? 'rooms',
  )
  for (const scope of keyScopes) {
    const names = (given[scope] ?? []).map(({ endpoint: { method, path } }) => `${method} ${path}`)
    expect(names.toSorted(), scope).toEqual(opened[scope])
  }
})

describe.each(endpoints.filter(({ endpoint }) => needsSignIn(endpoint)))('$name', (entry) => {
  const { endpoint } = entry
  const place = `${endpoint.method} ${endpoint.path}`

  test('is open to the scopes of the contract, and to no other', async () => {
    for (const scope of keyScopes) {
      const program = programs.get(scope) ?? unknownKey
      const { status, body } = await callEndpoint(program, entry, nothing)
      if (opened[scope].includes(place)) {
        expect(status, scope).not.toBe(401)
        expect(body, scope).not.toMatchObject(problems.scopeMissing.fixed)
      } else
        expect({ status, body }, scope).toMatchObject({
          status: 403,
          body: problems.scopeMissing.fixed,
        })
    }
  })

  test('an invalid key, or one of a disabled account, is refused', async () => {
    const unknown = await callEndpoint(unknownKey, entry, nothing)
    expect([unknown.status, unknown.body]).toEqual([401, unauthorizedOf(endpoint).fixed])
    const disabled = await callEndpoint(idasKey, entry, nothing)
    expect([disabled.status, disabled.body]).toEqual([403, problems.accountDisabled.fixed])
  })
})

describe.each(endpoints.filter(({ endpoint }) => !needsSignIn(endpoint)))('$name', (entry) => {
  test('answers a key as it answers anyone', async () => {
    const { status } = await callEndpoint(world.visitor(), entry, nothing)
    for (const program of [...programs.values(), unknownKey, idasKey])
      expect((await callEndpoint(program, entry, nothing)).status).toBe(status)
  })
})
