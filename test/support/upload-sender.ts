/** Misbehaving upload clients on plain sockets: they stop in the middle, or never stop. */
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { boundary } from './vault-world.ts'
import type { Person, World } from './world.ts'

/** Sends this number of bytes of a form and hangs up. */
export async function sendAndHangUp(
  world: World,
  person: Person,
  form: Buffer,
  sentBytes: number,
): Promise<void> {
  const socket = await openUpload(world, person, `content-length: ${form.length}`)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(form.subarray(0, sentBytes), () => socket.destroy())
  await closed
}

/** Sends an endless file until a response arrives. Returns the response and the number of sent bytes. */
export async function sendForEver(
  world: World,
  person: Person,
  head: Buffer,
  maxBytes: number,
): Promise<{ answer: string; sentBytes: number }> {
  const socket = await openUpload(world, person, 'transfer-encoding: chunked')
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString()))
  const chunk = Buffer.alloc(65_536, 7)
  let sentBytes = 0
  await sendChunk(socket, head)
  while (!answer.includes('}') && sentBytes < maxBytes) {
    await sendChunk(socket, chunk)
    sentBytes += chunk.length
  }
  socket.destroy()
  return { answer, sentBytes }
}

/** A request without a body yet, the response so far, and its end. */
export type OpenRequest = { readonly socket: Socket; answer: string; isClosed: boolean }

/** Sends the head of a request and leaves the body to the caller. */
export async function openRequest(
  world: World,
  person: Person | null,
  path: string,
  headers: readonly string[],
  method = 'POST',
): Promise<OpenRequest> {
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  const request: OpenRequest = { socket, answer: '', isClosed: false }
  socket.on('error', () => {}).on('close', () => (request.isClosed = true))
  socket.on('data', (chunk) => (request.answer += chunk.toString()))
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `cookie: ${person?.jar.header() ?? ''}`,
    ...headers,
  ]
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return request
}

/** Sends this number of bytes of a body and reads nothing before, as simple clients do. */
export async function sendBeforeReading({ socket }: OpenRequest, bytes: number): Promise<void> {
  socket.pause()
  const chunk = Buffer.alloc(262_144, ' ')
  for (let sent = 0; sent < bytes; sent += chunk.length) {
    const piece = chunk.subarray(0, Math.min(chunk.length, bytes - sent))
    await new Promise<void>((resolve) => socket.write(piece, () => resolve()))
  }
  socket.resume()
}

export const formType = `content-type: multipart/form-data; boundary=${boundary}`

async function openUpload(world: World, person: Person, lengthHeader: string): Promise<Socket> {
  const headers = [formType, lengthHeader]
  return (await openRequest(world, person, '/api/media/upload', headers)).socket
}

function sendChunk(socket: Socket, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = () => resolve()
    // A closed socket accepts no data; it only reports its close.
    if (socket.destroyed) return done()
    socket.once('close', done)
    socket.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk]))
    socket.write('\r\n', () => {
      socket.off('close', done)
      done()
    })
  })
}
