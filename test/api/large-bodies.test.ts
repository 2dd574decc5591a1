/** Large JSON bodies wait for room in memory, as forms do. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import type { PictureWorld } from '../support/picture-world.ts'
import { createPictureWorld } from '../support/picture-world.ts'
import type { Person } from '../support/world.ts'

let world: PictureWorld

beforeAll(async () => {
  world = await createPictureWorld()
  await world.reset()
})
afterAll(() => world.close())

/** Two of them do not fit into the room there is. */
const bodyBytes = 50 * 1_048_576

/** Says how long the body is, and sends so much of it. */
function send(person: Person, bytes: number) {
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  const sent = { socket, answer: '', isFlushed: false }
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => (sent.answer += chunk.toString()))
  const head = [
    'POST /api/babecock/generate HTTP/1.1',
    `host: ${hostname}:${port}`,
    `cookie: ${person.jar.header()}`,
    'content-type: application/json',
    `content-length: ${bodyBytes}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(Buffer.alloc(bytes, ' '), () => (sent.isFlushed = true))
  return sent
}

test('a second large body is taken only when the first one has gone', async () => {
  const first = send(await world.as('ana'), bodyBytes - 1)
  await eventually(() => expect(first.isFlushed).toBe(true))
  const second = send(await world.as('bo'), bodyBytes)
  // Long enough to read all of it.
  await sleep(1000)
  expect({ isFlushed: second.isFlushed, answer: second.answer }).toEqual({
    isFlushed: false,
    answer: '',
  })
  first.socket.destroy()
  await eventually(() => expect(second.answer).toMatch(/^HTTP\/1\.1 400 /))
  second.socket.destroy()
})
