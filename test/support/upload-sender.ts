/** Senders that no client would be: they stop in the middle, or never do. Plain sockets on loopback. */
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { boundary } from './vault-world.ts'
import type { Person, World } from './world.ts'

/** Sends so many bytes of a form and hangs up. */
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

/** Sends a file without an end until something is answered; the answer, and how much was sent. */
export async function sendForEver(
  world: World,
  person: Person,
  head: Buffer,
  mostBytes: number,
): Promise<{ answer: string; sentBytes: number }> {
  const socket = await openUpload(world, person, 'transfer-encoding: chunked')
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString()))
  const chunk = Buffer.alloc(65_536, 7)
  let sentBytes = 0
  await sendChunk(socket, head)
  while (!answer.includes('}') && sentBytes < mostBytes) {
    await sendChunk(socket, chunk)
    sentBytes += chunk.length
  }
  socket.destroy()
  return { answer, sentBytes }
}

async function openUpload(world: World, person: Person, lengthHeader: string): Promise<Socket> {
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const head = [
    'POST /api/media/upload HTTP/1.1',
    `host: ${hostname}:${port}`,
    `cookie: ${person.jar.header()}`,
    `content-type: multipart/form-data; boundary=${boundary}`,
    lengthHeader,
  ]
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return socket
}

function sendChunk(socket: Socket, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = () => resolve()
    // A socket that was hung up on takes no more, and says so by closing.
    if (socket.destroyed) return done()
    socket.once('close', done)
    socket.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk]))
    socket.write('\r\n', () => {
      socket.off('close', done)
      done()
    })
  })
}
