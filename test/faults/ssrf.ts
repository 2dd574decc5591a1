/**
 * Every list of forbidden addresses, thousands of generated spellings, redirects and DNS names that
 * change, on every endpoint that takes an address. Every connection of the process is recorded, and none
 * reaches a forbidden address.
 */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Call } from '../support/address-endpoints.ts'
import {
  feedEndpoints,
  fetchingEndpoints,
  storingEndpoints,
  untestedEndpoints,
} from '../support/address-endpoints.ts'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import { forbiddenUrl, isForbidden, readForbiddenUrls } from '../support/forbidden-urls.ts'
import type { ApiDocument } from '../support/hostile-requests.ts'
import { dataUri, plain, red } from '../support/pictures.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { devCookie, startService, untilQuiet } from '../support/service-process.ts'

const madeUp = 5000
const atOnce = 8
const importedAtOnce = 20
const slidesOfSession = 100
const feedRedirectsEvery = 101
const controls = ['http://93.184.215.14/a.jpg', 'http://photos.example.org/a.jpg']

export const row: FaultRow = {
  budgetSeconds: 420,
  runs: 'in the table',
  machine: 'shared',
  shortTests: [
    'test/platform/safe-fetch.test.ts',
    'test/platform/user-url.test.ts',
    'test/platform/global-address.test.ts',
  ],
  mutant: {
    file: 'src/server/platform/fetch/safe-fetch.ts',
    line: 'if (!first || !addresses.every(({ address }) => isGlobalAddress(address))) {',
    becomes: 'if (!first) {',
  },
  checks: [
    {
      load: `all lists of the corpora and ${madeUp} made-up spellings, as they are and as redirects, at every endpoint that takes an address`,
      goal: 'no connection to a forbidden address; public ones are connected to',
      run: tryAddresses,
    },
  ],
}

/**
 * A listed address is tried on every endpoint. A generated one is tried on one endpoint and, as a
 * redirect, by an import.
 */
type Tried = { readonly target: string; readonly isListed: boolean }

async function tryAddresses(tools: FaultTools): Promise<Verdict> {
  const { random, scaled, say } = tools
  // This site is on loopback and allowed. The targets of its redirects are not.
  const site = createServer((request, response) => {
    const to = new URL(request.url ?? '/', 'http://here').searchParams.get('to') ?? '/'
    response.writeHead(302, { location: encodeURI(to) }).end()
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  tools.afterwards(async () => site.close())
  const { port: sitePort } = site.address() as AddressInfo
  const home = await newServerHome(tools)
  const databasePort = Number(new URL(home.databaseUrl ?? '').port)
  const service = await startService(
    {
      ...home.settings,
      CAPTIONS: 'demo',
      LINK_CHECKS: 'off',
      FEED: 'rss',
      FEEDS: 'rss,mastodon',
      CREDITS: 'off',
      CONNECTIONS: 'connections.jsonl',
      FETCH_ALLOW: `127.0.0.1:${sitePort}`,
    },
    { program: 'test/support/watched-service.ts' },
  )
  const listed = readForbiddenUrls().filter(() => random.fraction() < scaled(1000) / 1000)
  const made = Array.from({ length: scaled(madeUp, 50) }, () => forbiddenUrl(random))
  const urls: Tried[] = [
    ...[...listed, ...controls].map((target) => ({ target, isListed: true })),
    ...made.map((target) => ({ target, isListed: false })),
  ]
  const untried = await untriedIn(service)
  const requests = await sendAll(service, urls, sitePort, await devCookie(service, 1), say)
  await untilQuiet(service)
  const own = new Set([sitePort, databasePort])
  const seen = connectionsOf(service).filter(({ port }) => !own.has(port))
  const wrong = seen.filter(({ address }) => isForbidden(address))
  const reached = seen.filter(({ address }) => !isForbidden(address))
  for (const { address, port } of wrong.slice(0, 10)) say(`connected to ${address}, port ${port}`)
  return verdict(
    `${urls.length} addresses in ${requests} requests: ${wrong.length} forbidden connections, ${reached.length} public ones`,
    {
      'a forbidden address was connected to': wrong.length === 0,
      'no public address was connected to': reached.length > 0,
      'the service ended': service.isRunning,
      [`nobody tries ${untried.join(', ')}`]: untried.length === 0,
    },
  )
}

async function untriedIn({ url }: ServiceProcess): Promise<string[]> {
  const answer = await fetch(`${url}/api/openapi.json`)
  return untestedEndpoints((await answer.json()) as ApiDocument)
}

/** True for http and https addresses of at most 2000 characters, as the contract requires of slides. */
function isSlideAddress(text: string): boolean {
  return text.length <= 2000 && /^https?:\/\//.test(text)
}

async function sendAll(
  { url }: ServiceProcess,
  urls: readonly Tried[],
  sitePort: number,
  cookie: string,
  say: FaultTools['say'],
): Promise<number> {
  const fine = dataUri(await plain(300, 300, red))
  const redirecting = (target: string) =>
    `http://127.0.0.1:${sitePort}/a.jpg?to=${encodeURIComponent(target.toWellFormed())}`
  const calls: Call[] = []
  const ways = [...fetchingEndpoints, ...feedEndpoints]
  for (const [index, { target, isListed }] of urls.entries()) {
    const turn = index % ways.length
    for (const [index, { call }] of ways.entries())
      if (isListed || index === turn) calls.push(call(target, fine))
    const redirected = fetchingEndpoints[index % fetchingEndpoints.length]
    if (redirected && isListed) calls.push(redirected.call(redirecting(target), fine))
    // Requests to each remote host are limited, and all redirects are on one host.
    const feed = feedEndpoints[index % feedEndpoints.length]
    if (feed && index % feedRedirectsEvery === 0) calls.push(feed.call(redirecting(target), fine))
    const keeping = storingEndpoints[index % storingEndpoints.length]
    if (isListed && keeping) calls.push(keeping.call(target, fine))
  }
  for (let at = 0; at < urls.length; at += importedAtOnce) {
    const some = urls.slice(at, at + importedAtOnce).map(({ target }) => target.slice(0, 2000))
    const body = { title: 'Far', urls: [...some, ...some.map(redirecting)] }
    calls.push({ method: 'POST', path: '/api/sessions/import-joip', body })
  }
  // A job copies published slides.
  const slides = urls
    .filter(({ target, isListed }) => isListed && isSlideAddress(target))
    .flatMap(({ target }) => [{ mediaUrl: target }, { mediaUrl: redirecting(target) }])
  for (let at = 0; at < slides.length; at += slidesOfSession) {
    const some = slides.slice(at, at + slidesOfSession)
    const body = { title: 'Published', slides: some, shareToCommunity: true }
    calls.push({ method: 'POST', path: '/api/sessions/manual', body })
  }
  let next = 0
  const tookMs = new Map<string, { ms: number; count: number }>()
  const sender = async () => {
    for (let call = calls[next++]; call; call = calls[next++]) {
      const startedMs = performance.now()
      const { method, path, body } = call
      const sent = body && {
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }
      const answer = await fetch(`${url}${path}`, { method, headers: { cookie }, ...sent })
      await answer.arrayBuffer()
      const [name = path] = path.split('?')
      const sum = tookMs.get(name) ?? { ms: 0, count: 0 }
      tookMs.set(name, { ms: sum.ms + performance.now() - startedMs, count: sum.count + 1 })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sender))
  for (const [path, { ms, count }] of tookMs)
    say(`${path}: ${count} requests, ${Math.round(ms / count)} ms each`)
  return calls.length
}

function connectionsOf({ folder }: ServiceProcess): { address: string; port: number }[] {
  const file = join(folder, 'connections.jsonl')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { address: string; port: number })
}
