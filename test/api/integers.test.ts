/** No integer of a request may exceed its column, checked by iterating over the contract. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../src/contract/api.ts'
import { callEndpoint } from '../support/endpoint-caller.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import type { Person } from '../support/world.ts'

const columnMax = 2_147_483_647
const tooLarge = [columnMax + 1, 2 ** 53, 1e300]

let world: SessionWorld
let ana: Person
let sessionId: string

beforeAll(async () => {
  world = await createSessionWorld()
  await world.reset()
  ana = await world.as('ana')
  const { session } = await ana.sessions.createManual({
    body: { title: 'Lights', slides: [{ mediaUrl: 'https://pictures.test/a.jpg' }] },
  })
  sessionId = String(session.id)
})
afterAll(() => world.close())

/** Returns the path and the maximum of each integer in a JSON Schema. */
function integersIn(schema: unknown, path = ''): [path: string, maximum: unknown][] {
  if (typeof schema !== 'object' || schema === null) return []
  const isInteger = 'type' in schema && schema.type === 'integer'
  const parts = Object.entries(schema).flatMap(([key, part]) => integersIn(part, `${path}/${key}`))
  return isInteger ? [[path, 'maximum' in schema ? schema.maximum : null], ...parts] : parts
}

const bodies = endpoints.flatMap(({ name, endpoint }) =>
  [endpoint.body, endpoint.form?.fields].flatMap((schema) =>
    schema ? integersIn(z.toJSONSchema(schema, { io: 'input' }), name) : [],
  ),
)

const queries = endpoints.flatMap(({ name, endpoint: { query } }) =>
  query instanceof z.ZodObject
    ? Object.entries<z.ZodType>(query.shape)
        .filter(([, field]) => typeof field.safeParse('1').data === 'number')
        .map(([key, field]) => [`${name}/${key}`, field] as const)
    : [],
)

test('the test finds columns without a limit', () => {
  const names = [...bodies, ...queries].map(([name]) => name)
  for (const name of ['categoryId', 'sessionId', 'mediaIds/items', 'mediaId', 'before', 'targetId'])
    expect(names.some((found) => found.includes(`/${name}`))).toBe(true)
})

test.each(bodies)('%s fits a column', (_, maximum) => {
  expect(maximum).toBeLessThanOrEqual(columnMax)
})

test.each(queries)('%s fits a column', (_, field) => {
  for (const value of [...tooLarge.map(String), '99999999999', '9007199254740992'])
    expect(field.safeParse(value).success, value).toBe(false)
})

describe.each(tooLarge)('%d is refused as', (value) => {
  const send = (name: string, body: object, params: Record<string, string> = {}) => {
    const entry = endpoints.find((candidate) => candidate.name === name)
    if (!entry) throw new Error(`${name} is not in the contract`)
    return callEndpoint(ana, entry, { body: JSON.stringify(body), params })
  }
  const slide = { mediaId: value }
  const picture = { mediaUrl: 'https://pictures.test/a.jpg' }
  const title = 'Lights'

  test.each([
    ['sessions.create', { title, subfeeds: 'lights', categoryId: value }],
    ['sessions.createManual', { title, slides: [slide] }],
    ['sessions.createManual', { title, slides: [picture], categoryId: value }],
    ['sessions.update', { categoryId: value }],
    ['sessions.replaceMedia', { slides: [slide] }],
    ['sessions.replaceMedia', { slides: [{ id: value }] }],
    ['captions.generate', { media_url: 'https://pictures.test/a.jpg', sessionId: value }],
    ['captions.prewarm', { sessionId: value }],
    ['captions.captionSession', { sessionId: value }],
    [
      'captions.rewriteBatch',
      { sessionId: value, captions: [{ index: 0, caption: 'a' }], instruction: 'b' },
    ],
    ['enhancement.saveResult', { generationId: value }],
  ])('part of a body of %s', async (name, body) => {
    expect(await send(name, body, { id: sessionId })).toMatchObject({
      status: 400,
      body: { error: 'Validation Error' },
    })
  })

  test('a shown slide', async () => {
    const { playId } = await ana.sessions.play({ params: { id: sessionId } })
    expect(
      await send('sessions.view', { mediaIds: [value] }, { playId: String(playId) }),
    ).toMatchObject({ status: 400 })
  })

  test('a category of the list', async () => {
    const response = await ana.fetch(`/api/sessions?categoryId=${value}`)
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { message: expect.stringContaining('Validation error: categoryId') },
    ])
  })
  test('a position in the lists of an administrator', async () => {
    const admin = world.visitor()
    await admin.accounts.devSignIn()
    const cursor = Buffer.from(JSON.stringify([value])).toString('base64url')
    for (const list of ['tags', 'categories'])
      expect((await admin.fetch(`/api/admin/${list}?cursor=${cursor}`)).status).toBe(400)
  })
})
