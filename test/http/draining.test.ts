/** How connections end when a node stops: nobody who asks on a kept one is cut off. */
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
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
  const { port, drain } = await openServer(longMs)
  const ask = keptConnection(port)
  expect(await ask('/')).toEqual({ status: 200, connection: 'keep-alive' })
  const drained = drain()
  expect(await ask('/')).toEqual({ status: 200, connection: 'close' })
  await drained
})

test('an answer that was begun before the stop says that it is the last', async () => {
  const { app, port, drain, finish } = await openServer(longMs)
  const arrived = once(app.server, 'request')
  const asked = keptConnection(port)('/held')
  await arrived
  const drained = drain()
  finish()
  expect(await asked).toEqual({ status: 200, connection: 'close' })
  await drained
})

test('nobody new is taken in meanwhile', async () => {
  const { port, drain } = await openServer(longMs)
  const ask = keptConnection(port)
  await ask('/')
  const drained = drain()
  await expect(keptConnection(port)('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await ask('/')
  await drained
})

test('connections on which nothing is asked do not hold it up for longer than their grace', async () => {
  const { port, drain } = await openServer(200)
  await keptConnection(port)('/')
  const silent = connect(port, '127.0.0.1')
  await once(silent, 'connect')
  silent.resume()
  await drain()
  await eventually(() => expect(silent.closed).toBe(true))
})
