// Addresses that the fetch may and may not connect to. A host in `allow` plays the public internet. The
// test resolves every other name itself, so that the fetch connects only to loopback.

import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSafeFetch, globalOnly } from '../../src/server/platform/fetch/safe-fetch.ts'
import { FetchRefused } from '../../src/server/platform/fetch/user-url.ts'
import { answering, serveBytes, serveHttp } from '../support/loopback-site.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'

const maxBytes = 100_000

test('a page is returned with its status, headers and bytes', async () => {
  const site = await serveHttp((request, response) => {
    response.writeHead(404, { 'x-seen': request.url }).end('not here')
  })
  const fetch = createSafeFetch({ allow: [site.host] })
  const answer = await fetch(`${site.origin}/a%20b?c=d#e`, { maxBytes })
  expect([answer.status, answer.headers['x-seen']]).toEqual([404, '/a%20b?c=d'])
  expect((await answer.bytes()).toString()).toBe('not here')
})

test('every request has its own plain connection, past any proxy', async () => {
  const site = await serveHttp((request, response) => response.end(JSON.stringify(request.headers)))
  const fetch = createSafeFetch({ allow: [site.host] })
  vi.stubEnv('http_proxy', 'http://127.0.0.1:1')
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1')
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const expectedCount of [1, 2]) {
    const headers = { accept: 'image/*', 'Accept-Encoding': 'br' }
    const answer = await fetch(site.origin, { maxBytes, headers })
    const seen: unknown = JSON.parse((await answer.bytes()).toString())
    expect(seen).toMatchObject({ accept: 'image/*', connection: 'close' })
    expect(seen).toMatchObject({ 'accept-encoding': 'identity' })
    expect(site.connectionCount()).toBe(expectedCount)
  }
})

test('a name that resolves to a private address is refused, even with other addresses', async () => {
  const site = await serveHttp((_request, response) => response.end('secret'))
  // Loopback is first, so that even a broken check connects only there.
  const answers = [['127.0.0.1'], ['::1'], ['127.0.0.1', '8.8.8.8'], []]
  for (const scheme of ['http', 'https']) {
    for (const addresses of answers) {
      const fetch = createSafeFetch({ allow: [site.host], lookup: answering(addresses) })
      const url = `${scheme}://photos.example.com:${site.port}/`
      expect(await refusal(fetch(url, { maxBytes }))).toBe('host')
    }
  }
  expect(site.connectionCount()).toBe(0)
})

test('a private address is refused without a connection', async () => {
  const site = await serveHttp((_request, response) => response.end('secret'))
  const fetch = createSafeFetch({ allow: [`127.0.0.1:${site.port + 1}`] })
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '127.1', '0']) {
    expect(await refusal(fetch(`http://${host}:${site.port}/`, { maxBytes }))).toBe('host')
  }
  expect(site.connectionCount()).toBe(0)
})

test('a name that resolves to a public address first and a private one later is checked each time', () => {
  const rebinding = globalOnly(
    answering(['8.8.8.8'], ['127.0.0.1'], ['8.8.8.8', '::1'], ['10.0.0.1', '8.8.8.8']),
  )
  const ask = (all: boolean) => {
    let outcome: unknown
    rebinding('rebind.example.com', { all }, (error, address, family) => {
      outcome = error instanceof FetchRefused ? error.reason : [address, family]
    })
    return outcome
  }
  expect(ask(false)).toEqual(['8.8.8.8', 4])
  expect([ask(false), ask(true), ask(false)]).toEqual(['host', 'host', 'host'])
})

test('the check and the connection use one look-up, and each request has its own', async () => {
  const site = await serveHttp((_request, response) => response.end('once'))
  const lookup = vi.fn<LookupFunction>(answering(['127.0.0.1']))
  const fetch = createSafeFetch({ allow: [`photos.example.com:${site.port}`], lookup })
  for (const expectedCount of [1, 2]) {
    const answer = await fetch(`http://photos.example.com:${site.port}/`, { maxBytes })
    expect((await answer.bytes()).toString()).toBe('once')
    expect(lookup).toHaveBeenCalledTimes(expectedCount)
  }
})

test('a host that cannot be found or reached is unreachable', async () => {
  const site = await serveHttp((_request, response) => response.destroy())
  const fetch = createSafeFetch({ allow: [site.host], lookup: findNothing })
  expect(await refusal(fetch(site.origin, { maxBytes }))).toBe('unreachable')
  expect(await refusal(fetch(`https://${site.host}/`, { maxBytes }))).toBe('unreachable')
  expect(await refusal(fetch('http://nowhere.example.com/', { maxBytes }))).toBe('unreachable')
  site.stop()
  expect(await refusal(fetch(site.origin, { maxBytes }))).toBe('unreachable')
})

testShared('no name of the public SSRF lists leads to a private address', async () => {
  const urls = readFileSync(sharedFile('corpora/urls/ssrf-public.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { u: string; verdict: string })
    .filter(({ verdict }) => verdict === 'name')
    .map(({ u }) => u)
  const fetch = createSafeFetch({ allow: [], lookup: answering(['127.0.0.1']) })
  const wrong: unknown[] = []
  for (const url of urls) {
    const reason = await refusal(fetch(url, { maxBytes }))
    if (reason !== (url.includes('@') ? 'invalid_url' : 'host')) wrong.push([url, reason])
  }
  expectNone(wrong)
  return urls.length
})

test('three redirects are followed, a fourth is not', async () => {
  const site = await serveHttp((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('arrived')
    else response.writeHead(302, { location: String(left - 1) }).end()
  })
  const fetch = createSafeFetch({ allow: [site.host] })
  const answer = await fetch(`${site.origin}/3`, { maxBytes })
  expect(answer.url).toBe(`${site.origin}/0`)
  expect((await answer.bytes()).toString()).toBe('arrived')
  expect(await refusal(fetch(`${site.origin}/4`, { maxBytes }))).toBe('redirects')
})

test.each([301, 302, 303, 307, 308])('a %i keeps the method and follows', async (status) => {
  const site = await serveHttp((request, response) => {
    if (request.url === '/') response.writeHead(status, { location: '/next' }).end('old')
    else response.writeHead(200, { 'x-method': request.method }).end()
  })
  const fetch = createSafeFetch({ allow: [site.host] })
  const answer = await fetch(site.origin, { maxBytes, method: 'HEAD' })
  expect(answer.headers['x-method']).toBe('HEAD')
})

test('a redirect is checked by the same rules as the first URL', async () => {
  const inner = await serveHttp((_request, response) => response.end('secret'))
  let location = ''
  const site = await serveHttp((_request, response) =>
    response.writeHead(302, { location }).write('moved'),
  )
  const fetch = createSafeFetch({ allow: [site.host], lookup: answering(['127.0.0.1']) })
  const expected = [
    [`http://${inner.host}/`, 'host'],
    [`//${inner.host}/`, 'host'],
    [`\\\\${inner.host}/`, 'host'],
    [`/\t/${inner.host}/`, 'host'],
    [`http://localhost:${inner.port}/`, 'host'],
    [`http://[::1]:${inner.port}/`, 'host'],
    [`//0x7f000001:${site.port}/`, 'host'],
    [`http://127.1:${site.port}/`, 'host'],
    [`http://photos.example.com:${inner.port}/`, 'host'],
    [`http://user@${site.host}/`, 'invalid_url'],
    ['http://[', 'invalid_url'],
    ['//', 'invalid_url'],
    ['file:///etc/hostname', 'scheme'],
    ['data:text/plain,hello', 'scheme'],
    [`ftp://${site.host}/`, 'scheme'],
    [`https://${site.host}/`, 'unreachable'],
  ]
  const outcomes = []
  for (const [target = ''] of expected) {
    location = target
    outcomes.push([target, await refusal(fetch(site.origin, { maxBytes }))])
  }
  expect(outcomes).toEqual(expected)
  expect(inner.connectionCount()).toBe(0)
  await site.allClosed()
})

test('a relative redirect stays on its host, and one without a target is an answer', async () => {
  const locations = new Map([
    ['/dir/a', '../b?c'],
    ['/query', '?d'],
    ['/words', Buffer.from('/é').toString('latin1')],
  ])
  const site = await serveHttp((request, response) => {
    const location = locations.get(request.url ?? '')
    if (location) response.writeHead(302, { location }).end()
    else response.writeHead(request.url === '/lost' ? 302 : 200).end()
  })
  const fetch = createSafeFetch({ allow: [site.host] })
  const expected = { '/dir/a': '/b?c', '/query': '/query?d', '/words': '/%C3%A9', '/lost': '/lost' }
  for (const [from, to] of Object.entries(expected)) {
    const answer = await fetch(site.origin + from, { maxBytes })
    expect([answer.url, answer.status]).toEqual([site.origin + to, from === '/lost' ? 302 : 200])
    await answer.discard()
  }
})

test('credentials go only to their own origin', async () => {
  const seen: { path: string | undefined; headers: IncomingHttpHeaders }[] = []
  const next = new Map<string | undefined, string>()
  const serveHop = () =>
    serveHttp(({ url: path, headers }, response) => {
      seen.push({ path, headers })
      const location = next.get(path)
      response.writeHead(location ? 302 : 200, location ? { location } : {}).end()
    })
  const [home, away] = [await serveHop(), await serveHop()]
  next.set('/', '/again').set('/again', `${away.origin}/away`).set('/away', `${home.origin}/end`)
  const fetch = createSafeFetch({ allow: [home.host, away.host] })
  const headers = { Authorization: 'Bearer a', cookie: 'b=c', 'X-Api-Key': 'd', Accept: 'image/*' }
  await (await fetch(home.origin, { maxBytes, headers })).discard()

  expect(seen.map(({ path }) => path)).toEqual(['/', '/again', '/away', '/end'])
  const heard = seen.map(({ headers }) =>
    ['authorization', 'cookie', 'x-api-key', 'accept'].map((name) => headers[name]),
  )
  const all = ['Bearer a', 'b=c', 'd', 'image/*']
  const harmless = [undefined, undefined, undefined, 'image/*']
  expect(heard).toEqual([all, all, harmless, harmless])
})

testShared('no open-redirect payload with a name leads anywhere but back to the site', async () => {
  const names = ['Open-Redirect-payloads', 'open_redirect_wordlist', 'openredirects']
  const payloads = names
    .map((name) => sharedFile(`corpora/urls/redirect-${name}.txt`))
    .flatMap((path) => readFileSync(path, 'utf8').split(/\r?\n/))
    .filter((line) => line !== '' && !namesAddress(line))
  const site = await serveBytes((socket, head) => {
    const index = /^GET \/(\d+) /.exec(head)?.[1]
    const location = index === undefined ? '' : `location: ${payloads[Number(index)]}\r\n`
    socket.end(`HTTP/1.1 ${location ? 302 : 200} Fine\r\n${location}content-length: 0\r\n\r\n`)
  })
  const fetch = createSafeFetch({ allow: [site.host], lookup: answering(['127.0.0.1']) })
  const wrong: unknown[] = []
  for (const [index, payload] of payloads.entries()) {
    try {
      const answer = await fetch(`${site.origin}/${index}`, { maxBytes })
      await answer.discard()
      if (new URL(answer.url).host !== site.host) wrong.push([payload, answer.url])
    } catch (error) {
      if (!(error instanceof FetchRefused)) wrong.push([payload, error])
    }
  }
  expectNone(wrong)
  return payloads.length
})

// True for an address. A broken check would connect to one directly, without a lookup, so the test leaves
// them out.
function namesAddress(location: string): boolean {
  const url = URL.parse(location, 'http://base.example.com/')
  return url !== null && isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0
}

const findNothing: LookupFunction = (name, _options, callback) =>
  callback(Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' }), [])

/** Returns the reason of the refusal. Any other error fails the test. */
async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'not refused'
  } catch (error) {
    if (error instanceof FetchRefused) return error.reason
    throw error
  }
}

function expectNone(wrong: unknown[]): void {
  expect(wrong).toEqual([])
}
