/** Senders that are too slow or continue after their answer, on a server with short limits. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { problems } from '../../src/contract/problems.ts'
import type { BodyPace } from '../../src/server/http/bodies/body-pace.ts'
import { watchBodies } from '../../src/server/http/bodies/body-pace.ts'
import { readBody } from '../../src/server/http/bodies/body.ts'
import { readForm } from '../../src/server/http/bodies/form.ts'
import { eventually } from '../support/eventually.ts'

const never = 1_000_000_000
const patient: BodyPace = {
  idleMs: never,
  graceMs: never,
  minBytesPerSecond: 1,
  lingerMs: never,
  lingerBytes: never,
  lingerGraceMs: never,
  checkMs: 10,
}
const closers: (() => void)[] = []

afterEach(() => closers.splice(0).forEach((close) => close()))

/** Sends the headers. Returns the answer, and if the connection is closed. */
async function receive(
  pace: Partial<BodyPace>,
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  headers = 'content-length: 1000000',
) {
  const server = createServer((request, response) => void handle(request, response))
  const stop = watchBodies(server, { ...patient, ...pace })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const seen = { answer: '', isClosed: false }
  socket.on('error', () => {}).on('close', () => (seen.isClosed = true))
  socket.on('data', (chunk: Buffer) => (seen.answer += chunk.toString()))
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n`)
  closers.push(() => {
    stop()
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { seen, socket }
}

function trickle(socket: Socket, text = 'x'): void {
  const timer = setInterval(() => socket.write(text), 5)
  closers.push(() => clearInterval(timer))
}

async function readJson(request: IncomingMessage, response: ServerResponse) {
  const limits = { maxBytes: never, tooLarge: problems.tooLarge, memory: null }
  await readBody(request, limits).then(
    () => response.end('read'),
    (error: { body: { message: string } }) => response.writeHead(400).end(error.body.message),
  )
}

test('a body that trickles is answered and dropped, although it never stops', async () => {
  const { seen, socket } = await receive({ graceMs: 100, minBytesPerSecond: 100_000 }, readJson)
  trickle(socket)
  await eventually(() => expect(seen.isClosed).toBe(true))
  expect(seen.answer).toMatch(/^HTTP\/1\.1 400 [^]*The upload has stalled/)
})

test('a fast start does not pay for a slow rest', async () => {
  const { seen, socket } = await receive({ graceMs: 100, minBytesPerSecond: 100_000 }, readJson)
  // Nine seconds of data at the lowest allowed rate.
  socket.write('x'.repeat(900_000))
  trickle(socket)
  await eventually(() => expect(seen.isClosed).toBe(true))
  expect(seen.answer).toContain('The upload has stalled')
})

test('a body that stops is dropped', async () => {
  const { seen, socket } = await receive({ idleMs: 60 }, readJson)
  socket.write('x'.repeat(5000))
  await eventually(() => expect(seen.isClosed).toBe(true))
  expect(seen.answer).toContain('The upload has stalled')
})

test('a form that trickles is dropped too', async () => {
  const readAll = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      for await (const part of readForm(request, { maxFileBytes: never }))
        if (part.kind === 'file') for await (const _ of part.content);
    } catch (error) {
      response.writeHead(400).end(String((error as { body?: { message: string } }).body?.message))
    }
  }
  const type = 'content-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000'
  const pace = { graceMs: 100, minBytesPerSecond: 100_000 }
  const { seen, socket } = await receive(pace, readAll, type)
  socket.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
  trickle(socket)
  await eventually(() => expect(seen.isClosed).toBe(true))
  expect(seen.answer).toContain('The upload has stalled')
})

test('a body that keeps moving may take any time', async () => {
  const { seen, socket } = await receive(
    { graceMs: 20, idleMs: 1000, minBytesPerSecond: 1000 },
    readJson,
    'content-type: application/x-www-form-urlencoded\r\ncontent-length: 100000',
  )
  // Takes many times the grace period, a thousand bytes at a time.
  for (let sent = 0; sent < 100_000; sent += 1000) {
    socket.write('x'.repeat(1000))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await eventually(() => expect(seen.answer).toMatch(/^HTTP\/1\.1 200 [^]*read/))
})

test('a sender is not blamed for the time in which nothing reads', async () => {
  const { seen, socket } = await receive(
    { graceMs: 30, idleMs: 30, minBytesPerSecond: 1_000_000 },
    async (request, response) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await readJson(request, response)
    },
    'content-type: application/x-www-form-urlencoded\r\ncontent-length: 1000',
  )
  socket.write('x'.repeat(1000))
  await eventually(() => expect(seen.answer).toMatch(/^HTTP\/1\.1 200 /))
})

test('an unread body is dropped with its sender', async () => {
  const { seen } = await receive({ idleMs: 60 }, () => {})
  await eventually(() => expect(seen.isClosed).toBe(true))
  expect(seen.answer).toBe('')
})

test.each([
  ['so long', { lingerMs: 100 }],
  ['so much', { lingerBytes: 200_000 }],
  ['so late', { lingerGraceMs: 100, minBytesPerSecond: never }],
])('after its response a sender may send %s and no more', async (_, pace) => {
  const { seen, socket } = await receive(
    pace,
    (_request, response) => response.writeHead(413).end('too large'),
    'content-length: 1000000000',
  )
  trickle(socket, 'x'.repeat(10_000))
  await eventually(() => expect(seen.isClosed).toBe(true))
  expect(seen.answer).toMatch(/^HTTP\/1\.1 413 [^]*too large/)
})

test('a connection that ends with its response is dropped when its sender continues for too long', async () => {
  const { seen, socket } = await receive(
    { lingerBytes: 200_000 },
    (_request, response) => response.writeHead(413).end('too large'),
    'connection: close\r\ncontent-length: 1000000000',
  )
  trickle(socket, 'x'.repeat(10_000))
  await eventually(() => expect(seen.isClosed).toBe(true))
  expect(seen.answer).toMatch(/^HTTP\/1\.1 413 [^]*too large/)
})
