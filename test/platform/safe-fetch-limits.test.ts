// Limits of the fetch on bytes and time, whatever the remote server does.

import type { LookupFunction } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  createSafeFetch,
  type SafeFetchOptions,
} from '../../src/server/platform/fetch/safe-fetch.ts'
import { FetchRefused } from '../../src/server/platform/fetch/user-url.ts'
import { answering, serveBytes, serveHttp } from '../support/loopback-site.ts'

type Site = { host: string; origin: string }

test('HEAD returns the declared length without a limit, no body, and no open socket', async () => {
  const site = await serveHttp((_request, response) => {
    response.writeHead(200, { 'content-length': '5000000', 'content-encoding': 'gzip' }).end()
  })
  const answer = await fetchFrom(site, '/', { method: 'HEAD', maxBytes: 10 })
  expect(answer.headers['content-length']).toBe('5000000')
  await site.allClosed()
  expect(await answer.bytes()).toHaveLength(0)
})

test('a body at the limit is accepted, one byte more is refused', async () => {
  const site = await serveHttp((_request, response) => response.end('x'.repeat(1000)))
  expect(await readFrom(site, '/', { maxBytes: 1000 })).toBe('x'.repeat(1000))
  expect(await readFrom(site, '/', { maxBytes: 999 })).toEqual(refused('too_large'))
})

test('the limit holds against an endless body, and the socket is closed', async () => {
  const site = await serveHttp((_request, response) => {
    const writeMore = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    }
    response.on('drain', writeMore)
    writeMore()
  })
  const answer = await fetchFrom(site, '/', { maxBytes: 100_000 })
  let receivedBytes = 0
  const reading = (async () => {
    for await (const chunk of answer.body) receivedBytes += chunk.byteLength
  })()
  await expect(reading).rejects.toEqual(refused('too_large'))
  expect(receivedBytes).toBeLessThanOrEqual(100_000)
  await site.allClosed()
})

const chunked = 'transfer-encoding: chunked\r\n'

test.each([
  ['says less than it sends', 'content-length: 3\r\n', 'abcdef', 'abc'],
  ['says more than it sends', 'content-length: 10\r\n', 'abcdef', refused('unreachable')],
  ['says more than the limit', 'content-length: 9999999\r\n', 'abcdef', refused('too_large')],
  ['says nothing', '', 'abcdef', 'abcdef'],
  ['says nothing and sends too much', '', 'x'.repeat(101), refused('too_large')],
  ['says two lengths', 'content-length: 3\r\ncontent-length: 6\r\n', 'ab', refused('unreachable')],
  ['says a negative length', 'content-length: -1\r\n', 'abcdef', refused('unreachable')],
  ['breaks off a chunk', chunked, '8\r\nabc', refused('unreachable')],
  ['sends a chunk past the limit', chunked, `fff\r\n${'x'.repeat(0xfff)}`, refused('too_large')],
])('a server that %s passes neither too much nor half', async (_what, length, body, expected) => {
  const site = await serveBytes((socket) => socket.end(`HTTP/1.1 200 OK\r\n${length}\r\n${body}`))
  expect(await readFrom(site, '/', { maxBytes: 100 })).toEqual(expected)
})

test('a compressed response is refused, so that a bomb is never unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(5_000_000))
  const site = await serveHttp((_request, response) => {
    // The response never ends, so only our side can close the connection.
    response.writeHead(200, { 'content-encoding': 'gzip' }).write(bomb)
  })
  expect(await readFrom(site, '/', { maxBytes: 10_000_000 })).toEqual(refused('encoding'))
  await site.allClosed()
})

test('endless headers are refused', async () => {
  const site = await serveBytes((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const writeMore = () => {
      while (!socket.destroyed && socket.write(`x-more: ${'y'.repeat(1000)}\r\n`));
    }
    socket.on('drain', writeMore)
    writeMore()
  })
  expect(await readFrom(site, '/')).toEqual(refused('unreachable'))
})

test('the time limit includes a silent server and a slow body', async () => {
  const site = await serveHttp((request, response) => {
    if (request.url === '/silent') return
    response.writeHead(200, { 'content-length': '1000' })
    const drip = setInterval(() => response.write('.'), 10)
    response.on('close', () => clearInterval(drip))
  })
  expect(await readFrom(site, '/silent', { timeoutMs: 50 })).toEqual(refused('timeout'))
  expect(await readFrom(site, '/drip', { timeoutMs: 200 })).toEqual(refused('timeout'))
  await site.allClosed()
})

test('the time limit includes a handshake that never completes', async () => {
  const site = await serveBytes(() => {})
  const fetch = createSafeFetch({ allow: [site.host] })
  const work = fetch(`https://${site.host}/`, { maxBytes: 100, timeoutMs: 50 })
  await expect(work).rejects.toEqual(refused('timeout'))
  await site.allClosed()
})

test('the time limit includes all redirects together', async () => {
  const site = await serveHttp((request, response) => {
    const left = Number(request.url?.slice(1))
    const headers = left === 0 ? {} : { location: `/${left - 1}` }
    setTimeout(() => response.writeHead(left === 0 ? 200 : 302, headers).end(), 150)
  })
  expect(await readFrom(site, '/3', { timeoutMs: 400 })).toEqual(refused('timeout'))
})

test('the time limit includes the look-up, and a late one leads to no connection', async () => {
  const site = await serveHttp((_request, response) => response.end('here'))
  const late: (() => void)[] = []
  const lookup: LookupFunction = (...question) => {
    late.push(() => answering(['127.0.0.1'])(...question))
  }
  const host = `slow.example.com:${new URL(site.origin).port}`
  const fetch = createSafeFetch({ allow: [host], lookup })
  const work = fetch(`http://${host}/`, { maxBytes: 100, timeoutMs: 50 })
  await expect(work).rejects.toEqual(refused('timeout'))
  for (const answer of late) answer()
  // A complete second request gives the first one enough time to connect.
  expect(await readFrom(site, '/')).toBe('here')
  expect([late.length, site.connectionCount()]).toEqual([1, 1])
})

test('an unread body is closed at the time limit, and reports it afterwards', async () => {
  const site = await serveHttp((_request, response) => response.write('begun'))
  const answer = await fetchFrom(site, '/', { timeoutMs: 200 })
  await site.allClosed()
  await expect(answer.bytes()).rejects.toEqual(refused('timeout'))
})

test('an abandoned body frees its socket at once', async () => {
  const site = await serveHttp((_request, response) => response.write('begun'))
  for await (const chunk of (await fetchFrom(site, '/')).body) {
    expect(Buffer.from(chunk).toString()).toBe('begun')
    break
  }
  await site.allClosed()
  await (await fetchFrom(site, '/')).discard()
  await site.allClosed()
})

test('a server that disconnects while nothing reads does no harm', async () => {
  const site = await serveHttp((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('begun')
    setTimeout(() => response.destroy(), 20)
  })
  const answer = await fetchFrom(site, '/')
  await site.allClosed()
  await expect(answer.bytes()).rejects.toEqual(refused('unreachable'))
})

test('the caller can abort at any point, with its own reason', async () => {
  const site = await serveHttp((request, response) => {
    if (request.url === '/body') response.write('begun')
  })
  const reason = new Error('changed my mind')
  const early = fetchFrom(site, '/body', { signal: AbortSignal.abort(reason) })
  await expect(early).rejects.toBe(reason)
  expect(site.connectionCount()).toBe(0)

  const waiting = new AbortController()
  const unanswered = fetchFrom(site, '/silent', { signal: waiting.signal })
  await site.someOpen()
  waiting.abort(reason)
  await expect(unanswered).rejects.toBe(reason)

  const reading = new AbortController()
  const begun = await fetchFrom(site, '/body', { signal: reading.signal })
  reading.abort(reason)
  await expect(begun.bytes()).rejects.toBe(reason)
  await site.allClosed()
})

function fetchFrom(site: Site, path: string, options: Partial<SafeFetchOptions> = {}) {
  const fetch = createSafeFetch({ allow: [site.host] })
  return fetch(site.origin + path, { maxBytes: 1_000, ...options })
}

/** Returns the body as text, or the refusal. Any other error fails the test. */
async function readFrom(site: Site, path: string, options: Partial<SafeFetchOptions> = {}) {
  try {
    const answer = await fetchFrom(site, path, options)
    return (await answer.bytes()).toString()
  } catch (error) {
    if (error instanceof FetchRefused) return refused(error.reason)
    throw error
  }
}

function refused(reason: FetchRefused['reason']) {
  return expect.objectContaining({ name: 'FetchRefused', reason })
}
