/**
 * The accounting of `npm run faults -- cluster`: the requests that are retried, and the losses that are
 * explained.
 */
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { failures } from '../../src/contract/api.ts'
import { excusedFailures, excusedLines, outOfReach } from '../support/cluster-reach.ts'
import { createWire, LostInFlight } from '../support/cluster-wire.ts'
import { promisesSeen } from '../support/contract-check.ts'
import { serveHttp } from '../support/loopback-site.ts'

/** Returns a site that breaks off its first answers. */
async function siteThatBreaks(times: number) {
  const asked: (string | undefined)[] = []
  const site = await serveHttp((request: IncomingMessage, response) => {
    asked.push(request.method)
    if (asked.length <= times) return response.destroy()
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end('{}')
  })
  return { url: site.origin, asked }
}

test('a GET and a call with a key are sent again, and nothing else is', async () => {
  const wire = createWire()
  const first = await siteThatBreaks(1)
  expect((await wire.send(first.url)).status).toBe(200)
  const second = await siteThatBreaks(1)
  const headers = { 'idempotency-key': 'once' }
  expect((await wire.send(second.url, { method: 'POST', headers })).status).toBe(200)
  const third = await siteThatBreaks(1)
  await expect(wire.send(third.url, { method: 'POST' })).rejects.toThrow(LostInFlight)
  expect([first, second, third].map(({ asked }) => asked.length)).toEqual([2, 2, 1])
  expect(wire.counts).toEqual({ requests: 5, retries: 2 })
})

test('a loss is explained by a kill while it was under way, and by no other', async () => {
  const wire = createWire()
  const { url } = await siteThatBreaks(3)
  wire.noteKill(performance.now() - 20, performance.now() - 10)
  await expect(wire.send(url, { method: 'POST' })).rejects.toThrow(LostInFlight)
  expect(wire.unexplained()).toHaveLength(1)
  const fromMs = performance.now()
  await expect(wire.send(url, { method: 'POST' })).rejects.toThrow(LostInFlight)
  wire.noteKill(fromMs, performance.now())
  expect([wire.losses.length, wire.unexplained().length]).toEqual([2, 1])
})

test('a stream that breaks off is a loss, unless its listener has gone', async () => {
  const wire = createWire()
  const { origin: url } = await serveHttp((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    setTimeout(() => response.destroy(), 50)
  })
  await expect((await wire.send(url)).text()).rejects.toThrow(LostInFlight)
  expect(wire.losses).toHaveLength(1)
  const leaving = new AbortController()
  const answer = await wire.send(url, { signal: leaving.signal })
  leaving.abort()
  await expect(answer.text()).rejects.toThrow('abort')
  expect(wire.losses).toHaveLength(1)
})

test('what a proxy says of itself is a loss', async () => {
  const wire = createWire()
  const { origin: url } = await serveHttp((_, response) => {
    response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>503</h1>')
  })
  await expect(wire.send(url, { method: 'POST' })).rejects.toThrow(LostInFlight)
})

test('what is out of reach is in the contract', () => {
  const { promised } = promisesSeen()
  expect(excusedFailures.filter((name) => !(name in failures))).toEqual([])
  expect(excusedLines.filter((line) => !promised.includes(line))).toEqual([])
  expect(promised.filter((line) => outOfReach(line) !== null).length).toBeLessThan(200)
})
