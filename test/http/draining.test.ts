/** The end of connections when a node stops: no request on a kept connection is cut off. */
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { prepareDrain } from '../../src/server/http/draining.ts'
import { eventually } from '../support/eventually.ts'

const longMs = 20_000

async function openServer(idleGraceMs: number) {
  const app = Fastify({ forceCloseConnections: 'idle' })
  const held = Promise.withResolvers<string>()
  app.get('/', () => 'here')
  app.get('/held', () => held.promise)
  const drain = prepareDrain(app, { drainMs: 2 * longMs, idleGraceMs })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return { app, port, drain, finish: () => held.resolve('done') }
}

/** Waits until the server accepts no new connections. */
function untilClosed({ server }: Pick<FastifyInstance, 'server'>): Promise<void> {
  return eventually(() => expect(server.listening).toBe(false))
}

function keptConnection(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return (path: string) =>
    new Promise<{ status: number | undefined; connection: string | undefined }>(
      (resolve, reject) => {
        get({ port, path, agent }, (response) => {
          const { statusCode: status, headers } = response
          response.resume().once('end', () => resolve({ status, connection: headers.connection }))
        }).once('error', reject)
      },
    )
}

test('a request on a kept connection is answered after the stop began, as the last', async () => {
  const { app, port, drain } = await openServer(longMs)
  const ask = keptConnection(port)
  expect(await ask('/')).toEqual({ status: 200, connection: 'keep-alive' })
  const drained = drain()
  await untilClosed(app)
  expect(await ask('/')).toEqual({ status: 200, connection: 'close' })
  await drained
})

test('a response that started before the stop announces that it is the last', async () => {
  const { app, port, drain, finish } = await openServer(longMs)
  const arrived = once(app.server, 'request')
  const asked = keptConnection(port)('/held')
  await arrived
  const drained = drain()
  await untilClosed(app)
  finish()
  expect(await asked).toEqual({ status: 200, connection: 'close' })
  await drained
})

/** Runs in a thread of its own: connects and sends a request when told to, and reports when it has. */
const visitor = `
  const { parentPort, workerData: { port, step } } = require('node:worker_threads')
  Atomics.wait(step, 0, 0)
  const socket = require('node:net').connect(port, '127.0.0.1')
  socket.once('data', (answer) => parentPort.postMessage(String(answer)))
  socket.once('error', ({ code }) => parentPort.postMessage(code))
  socket.write('GET / HTTP/1.1\\r\\nhost: here\\r\\n\\r\\n', () => {
    Atomics.store(step, 0, 2)
    Atomics.notify(step, 0)
  })`

test('connections in the backlog are answered too', async () => {
  const { port, drain } = await openServer(longMs)
  const step = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(visitor, { eval: true, workerData: { port, step } })
  onTestFinished(async () => void (await worker.terminate()))
  const answered = once(worker, 'message')
  await once(worker, 'online')
  Atomics.store(step, 0, 1)
  Atomics.notify(step, 0)
  Atomics.wait(step, 0, 1, longMs)
  const drained = drain()
  expect((await answered)[0]).toMatch(/^HTTP\/1\.1 200 /)
  await drained
})

test('no new connections are accepted during the stop', async () => {
  const { app, port, drain } = await openServer(longMs)
  const ask = keptConnection(port)
  await ask('/')
  const drained = drain()
  await untilClosed(app)
  await expect(keptConnection(port)('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await ask('/')
  await drained
})

test('idle connections delay the stop no longer than their grace', async () => {
  const { port, drain } = await openServer(200)
  await keptConnection(port)('/')
  const silent = connect(port, '127.0.0.1')
  await once(silent, 'connect')
  silent.resume()
  await drain()
  await eventually(() => expect(silent.closed).toBe(true))
})
