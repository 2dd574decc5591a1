/** Compressed JSON, on every endpoint that takes JSON: decompressed within the same limits. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/api.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { PictureWorld } from '../support/picture-world.ts'
import { createPictureWorld } from '../support/picture-world.ts'
import { dataUri, noise } from '../support/pictures.ts'
import type { Person } from '../support/world.ts'

let world: PictureWorld
let ana: Person
let admin: Person
let roomCode: string

beforeAll(async () => {
  world = await createPictureWorld()
  await world.reset()
  ana = await world.rich('ana')
  admin = world.visitor()
  await admin.accounts.devSignIn()
  const slides = [{ mediaUrl: 'https://pictures.test/1.jpg' }]
  const { session } = await ana.sessions.createManual({ body: { title: 'Shown', slides } })
  roomCode = (await ana.rooms.open({ body: { sessionId: session.id } })).room.code
})
afterAll(() => world.close())

const withBody = endpoints.filter(({ endpoint }) => endpoint.body)
const jsonMaxBytes = 1_048_576

function send(endpoint: Endpoint, packed: Buffer, encoding = 'gzip') {
  const person = endpoint.who === 'admin' || endpoint.who === 'super_admin' ? admin : ana
  const path = endpoint.path.replace(':featureKey', 'a').replace(':code', roomCode)
  return person.fetch(path.replaceAll(/:(\w+)/g, '1'), {
    method: endpoint.method,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'content-encoding': encoding,
    },
    body: new Uint8Array(packed),
  })
}

describe.each(withBody)('$name', ({ endpoint }) => {
  test('reads compressed bodies', async () => {
    const response = await send(endpoint, gzipSync('{"a":'))
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: 'Bad Request', message: 'The body is not valid JSON' },
    ])
  })

  test('refuses bodies that are too large when unpacked, and invalid compression', async () => {
    const { bodyMaxBytes = jsonMaxBytes } = endpoint
    // Only a thousandth of this size is sent.
    const bomb = gzipSync(Buffer.alloc(bodyMaxBytes + 1, ' '))
    expect((await send(endpoint, bomb)).status).toBe(413)
    expect((await send(endpoint, Buffer.from('{}'))).status).toBe(400)
    expect((await send(endpoint, gzipSync('{"a": 1}').subarray(0, 12))).status).toBe(400)
    expect((await send(endpoint, Buffer.from('{}'), 'zstd')).status).toBe(415)
  })
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a picture in JSON that came as %s is a picture', async (encoding, pack) => {
  const address = dataUri(await noise(400, 300, 'png'))
  const regions = [{ x: 0, y: 0, width: 0.5, height: 0.5 }]
  const body = { imageUrl: address, regions, mode: 'bar', strength: 5 }
  const response = await ana.fetch('/api/images/censor', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    body: new Uint8Array(pack(JSON.stringify(body))),
  })
  expect([response.status, await response.json()]).toMatchObject([200, { success: true }])
})
