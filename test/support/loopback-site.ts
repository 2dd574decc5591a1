// Sites on 127.0.0.1 that a test can make misbehave, and observe. Each closes with its test.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, LookupFunction, Server, Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { eventually } from './eventually.ts'

/** Serves HTTP. */
export async function serveHttp(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
) {
  return listen(createServer((request, response) => void answer(request, response)))
}

/** Serves raw bytes: `answer` gets the head of each request and writes to the socket. */
export async function serveBytes(answer: (socket: Socket, head: string) => unknown) {
  const server = createTcpServer((socket) => {
    // Tests hang up early on purpose.
    socket.on('error', () => {})
    socket.once('data', (head) => void answer(socket, head.toString()))
  })
  return listen(server)
}

/** Returns a DNS lookup with these answers in order; the last one repeats. */
export function answering(...answers: string[][]): LookupFunction {
  let calls = 0
  return (_hostname, options, callback) => {
    const addresses = (answers[calls++] ?? answers.at(-1) ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }))
    if (options.all) callback(null, addresses)
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
}

async function listen(server: Server) {
  const open = new Set<Socket>()
  let connectionCount = 0
  server.on('connection', (socket) => {
    connectionCount++
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  onTestFinished(stop)
  const { port } = server.address() as AddressInfo
  return {
    port,
    host: `127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    stop,
    connectionCount: () => connectionCount,
    someOpen: () => eventually(() => expect(open.size).toBeGreaterThan(0)),
    allClosed: () => eventually(() => expect(open.size).toBe(0)),
  }
}
