/** Parsing forms: part by part, within their limits, and with senders that disconnect. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readForm } from '../../src/server/http/bodies/form.ts'

const boundary = 'a-boundary'
const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`
const tail = `\r\n--${boundary}--\r\n`
const closers: (() => void)[] = []

afterEach(() => closers.splice(0).forEach((close) => close()))

/**
 * Starts a server for one request. Returns the outcome of its handler, and a socket that has sent the
 * headers.
 */
async function receive<T>(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<T>,
  lengthHeader = 'transfer-encoding: chunked',
) {
  let settle: (outcome: Promise<T>) => void
  const outcome = new Promise<T>((resolve) => (settle = resolve))
  const server = createServer((request, response) => settle(handle(request, response)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  closers.push(() => {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  socket.write(
    `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\n${lengthHeader}\r\n\r\n`,
  )
  const send = (text: string) =>
    socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
  return { outcome, socket, send }
}

async function readAll(request: IncomingMessage, maxFileBytes = 1000) {
  const parts: [string, string][] = []
  for await (const part of readForm(request, { maxFileBytes })) {
    if (part.kind === 'field') parts.push([part.name, part.value])
    else {
      const chunks: Uint8Array[] = []
      for await (const chunk of part.content) chunks.push(chunk)
      parts.push([part.name, Buffer.concat(chunks).toString()])
    }
  }
  return parts
}

test('parts arrive in their order, however the stream is cut', async () => {
  const { outcome, send } = await receive((request) => readAll(request))
  const field = `--${boundary}\r\ncontent-disposition: form-data; name="source"\r\n\r\nhere\r\n`
  for (const letter of `${head}a file\r\n${field}${tail.slice(2)}`) send(letter)
  send('')
  expect(await outcome).toEqual([
    ['file', 'a file'],
    ['source', 'here'],
  ])
})

test('a file past its limit fails at once, without waiting for its end', async () => {
  const { outcome, send } = await receive((request) => readAll(request, 10))
  send(`${head}12345678901`)
  await expect(outcome).rejects.toThrow('larger than its limit')
})

test('a form that is much too long for its file fails before it is read', async () => {
  const { outcome, socket } = await receive(
    (request) => readAll(request, 10),
    'content-length: 10000000',
  )
  socket.write(`${head}123`)
  await expect(outcome).rejects.toThrow('larger than its limit')
})

test('a sender that is refused in the middle can read the reason', async () => {
  const { socket, send } = await receive(async (request, response) => {
    await readAll(request, 10).catch(() => response.writeHead(400).end('too large'))
  })
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  send(`${head}${'x'.repeat(5000)}`)
  for (let round = 0; round < 200 && !answer.includes('too large'); round += 1) {
    send('x'.repeat(5000))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(answer).toContain('HTTP/1.1 400')
})

test.each([
  ['before its first part', ''],
  ['in the middle of a file', `${head}half a fi`],
  ['before its last boundary', `${head}a file\r\n--${boundary}`],
])('a form that is interrupted %s fails', async (_, sent) => {
  const { outcome, socket, send } = await receive((request) => readAll(request))
  if (sent !== '') send(sent)
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.destroy()
  await expect(outcome).rejects.toMatchObject({ failure: { status: 400 } })
})

test('a form whose sender disconnects before it is read fails too', async () => {
  const { outcome, socket, send } = await receive(async (request) => {
    await new Promise((resolve) => request.once('close', resolve))
    return readAll(request)
  })
  send(`${head}half a fi`)
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.destroy()
  await expect(outcome).rejects.toMatchObject({ failure: { status: 400 } })
})
