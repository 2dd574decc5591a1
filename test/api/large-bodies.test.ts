/** Large request bodies: the limit for one account, the effect on others, and the delivery of refusals. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/api.ts'
import { needsSignIn } from '../../src/contract/endpoint.ts'
import { eventually } from '../support/eventually.ts'
import type { PictureWorld } from '../support/picture-world.ts'
import { createPictureWorld } from '../support/picture-world.ts'
import { noise } from '../support/pictures.ts'
import type { OpenRequest } from '../support/upload-sender.ts'
import { formType, openRequest, sendBeforeReading } from '../support/upload-sender.ts'
import { boundary, fileOf, pngFile } from '../support/vault-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: PictureWorld
let ana: Person
let bo: Person
type Opened = OpenRequest & { readonly again: () => Promise<Opened> }
const opened: Opened[] = []

beforeAll(async () => {
  world = await createPictureWorld()
})
beforeEach(async () => {
  await world.reset()
  ana = await world.as('ana')
  bo = await world.as('bo')
})
afterEach(() => opened.splice(0).forEach(({ socket }) => socket.destroy()))
afterAll(() => world.close())

const bytesPerMb = 1_048_576
const formBytes = 19 * bytesPerMb
const large = endpoints.filter(
  ({ endpoint }) => endpoint.form !== undefined || endpoint.bodyMaxBytes !== undefined,
)

async function open(
  person: Person | null,
  path: string,
  headers: readonly string[],
  method?: string,
): Promise<Opened> {
  const again = () => open(person, path, headers, method)
  const request = Object.assign(await openRequest(world, person, path, headers, method), { again })
  opened.push(request)
  return request
}

/** Starts a form with a picture that never ends, however much is sent. */
async function openForm(person: Person, path = '/api/babecock/upload-babe') {
  const request = await open(person, path, [formType, `content-length: ${formBytes}`])
  request.socket.write(
    `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n` +
      'content-type: image/png\r\n\r\n',
  )
  return request
}

/**
 * Waits until the service has read the heads of all open requests. Then it refuses more large bodies from
 * Ana. A try of this function can take the slot of a request whose head was not read yet. That request is
 * sent again.
 */
const untilTaken = () =>
  eventually(async () => {
    const displaced = opened.filter(({ answer }) => answer.startsWith('HTTP/1.1 429 '))
    for (const request of displaced) {
      opened.splice(opened.indexOf(request), 1)
      await request.again()
    }
    const image = fileOf(Buffer.alloc(100_000), 'a.png', 'image/png')
    const { status } = await refused(ana.images.uploadFirst({ form: { image } }))
    expect(status).toBe(429)
  })

const picture = async () => fileOf(await noise(300, 300, 'png'), 'a.png', 'image/png')

describe('of one account', () => {
  const ways = ['/api/babecock/upload-cock', '/api/enhance/generate', '/api/library/import']

  test('eight requests at a time are accepted, of any kind, and the ninth gets a Retry-After', async () => {
    await ana.enhancement.giveConsent({ body: { version: 1 } })
    for (let count = 0; count < 7; count += 1) await openForm(ana, ways[count % ways.length])
    const json = ['content-type: application/json', 'content-length: 20000000']
    await open(ana, '/api/images/censor', json)
    await untilTaken()
    const ninth = await openForm(ana)
    await eventually(() => expect(ninth.answer).toMatch(/^HTTP\/1\.1 429 /))
    expect(ninth.answer).toMatch(/\r\nretry-after: \d+\r\n/i)
    const file = fileOf(Buffer.alloc(100_000), 'a.png', 'image/png')
    const failure = await refused(ana.images.uploadFirst({ form: { image: file } }))
    expect(failure).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMIT_EXCEEDED', retryAfter: expect.any(Number) },
    })
    // The limit does not affect small bodies or other accounts.
    await ana.vault.upload({ form: { file: pngFile() } })
    await bo.images.uploadFirst({ form: { image: await picture() } })
  })

  test('an ended or aborted request frees a slot for the next', async () => {
    for (let count = 0; count < 8; count += 1) await openForm(ana)
    await untilTaken()
    opened[0]?.socket.destroy()
    await eventually(async () => {
      await ana.images.uploadFirst({ form: { image: await picture() } })
    })
    await ana.images.uploadSecond({ form: { image: await picture() } })
  })
})

test('unfinished requests of one account block no other account', async () => {
  for (let count = 0; count < 19; count += 1) {
    const { socket } = await openForm(ana)
    socket.write(Buffer.alloc(formBytes - 100_000, 7))
  }
  await untilTaken()
  const trickle = setInterval(() => {
    for (const { socket } of opened) socket.write('x')
  }, 500)
  try {
    for (let count = 0; count < 3; count += 1)
      await bo.images.uploadFirst({ form: { image: await picture() } })
  } finally {
    clearInterval(trickle)
  }
})

describe('without a sign-in', () => {
  test.each(large)('$name accepts no body', ({ endpoint }) => {
    expect(needsSignIn(endpoint)).toBe(true)
  })

  test.each(large)('$name answers before it reads the body', async ({ endpoint }) => {
    const type = endpoint.form ? formType : 'content-type: application/json'
    const request = await open(null, endpoint.path, [type, 'content-length: 100000000'])
    await eventually(() => expect(request.answer).toMatch(/^HTTP\/1\.1 401 /))
  })
})

describe('a refusal', () => {
  test.each([
    ['whose length is told', `content-length: ${8 * bytesPerMb}`],
    ['whose length is not told', 'transfer-encoding: chunked'],
  ])(
    'of a body %s that is too long is read by a sender that first sends everything',
    async (_, length) => {
      const chunk = Buffer.alloc(65_536, ' ')
      const isChunked = length.startsWith('transfer')
      for (let round = 0; round < 10; round += 1) {
        const headers = ['content-type: application/json', length]
        const request = await open(ana, '/api/auth/user', headers, 'PATCH')
        for (let sent = 0; sent < 8 * bytesPerMb; sent += chunk.length) {
          const piece = isChunked ? [`${chunk.length.toString(16)}\r\n`, chunk, '\r\n'] : [chunk]
          for (const part of piece) request.socket.write(part)
          await sleep(0)
        }
        if (isChunked) request.socket.write('0\r\n\r\n')
        await eventually(() => expect(request.answer).toMatch(/^HTTP\/1\.1 413 /))
        expect(request.answer).toContain('"error":"Payload Too Large"')
        expect(request.isClosed).toBe(false)
      }
    },
  )

  const json = 'content-type: application/json'
  const filePart = (name: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="a.png"\r\n` +
    'content-type: image/png\r\n\r\n'
  const tooLong = [
    ['/api/generate-caption', json, '', 64, 413],
    ['/api/media/upload', formType, filePart('file'), 150, 400],
    ['/api/babecock/upload-babe', formType, filePart('image'), 64, 413],
    ['/api/nowhere', json, '', 64, 404],
  ] as const

  test.each(tooLong)(
    'of %s is read by a sender that ends the connection and reads last',
    async (path, type, beginning, megabytes, status) => {
      const bytes = megabytes * bytesPerMb
      const headers = [type, `content-length: ${bytes}`, 'connection: close']
      const request = await open(ana, path, headers)
      request.socket.write(beginning)
      await sendBeforeReading(request, bytes - beginning.length)
      await eventually(() => expect(request.isClosed).toBe(true))
      expect(request.answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(request.answer).toMatch(/\r\n\r\n\{.*\}$/)
    },
  )

  test('of 300 MB is read by a sender that keeps the connection open', async () => {
    const bytes = 300 * bytesPerMb
    const request = await open(ana, '/api/media/upload', [formType, `content-length: ${bytes}`])
    const beginning = filePart('file')
    request.socket.write(beginning)
    await sendBeforeReading(request, bytes - beginning.length)
    await eventually(() => expect(request.answer).toMatch(/^HTTP\/1\.1 400 /))
    expect(request.isClosed).toBe(false)
  })
})
