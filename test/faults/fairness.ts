/** The wait of one account for a little work, while another account has a lot of slow work. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../src/client/client.ts'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { createCookieJar } from '../support/cookie-jar.ts'
import type { FaultRow, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import { plainJpeg } from '../support/sample-media.ts'
import { startService, unlimited } from '../support/service-process.ts'

const hostileGifs = 10
const gifPages = 1990
const gifSide = 170
const publications = 30
const slidesEach = 12
const farSiteMs = 300
const maxWaitMs = 30_000
const patienceMs = 3 * maxWaitMs

export const row: FaultRow = {
  budgetSeconds: 240,
  runs: 'in the table',
  machine: 'shared',
  shortTests: ['test/api/job-fairness.test.ts', 'test/api/vault-enrichment-fairness.test.ts'],
  mutant: {
    // All jobs belong to the same account, so neither the order nor the limit on concurrent jobs
    // separates accounts.
    file: 'src/server/jobs/queue.ts',
    line: 'const { startAfter, scope = currentScope() } = options',
    becomes:
      "const { startAfter } = options; const scope = { ...currentScope(), account: 'everyone' }",
  },
  checks: [
    {
      load: `${hostileGifs} hostile GIFs of one account`,
      goal: `another’s picture is known within ${maxWaitMs / 1000} s`,
      run: enrichBehindGifs,
    },
    {
      load: `${publications} publications of one account`,
      goal: `another’s first is out within ${maxWaitMs / 1000} s`,
      run: publishBehindOthers,
    },
  ],
}

async function enrichBehindGifs(): Promise<Verdict> {
  const service = await startService({ ...unlimited, CAPTIONS: 'off' })
  const [hostile, other] = [await register(service.url, 'a'), await register(service.url, 'b')]
  const gif = new Uint8Array(await fullPages(gifPages))
  for (let index = 0; index < hostileGifs; index += 1)
    await hostile.vault.upload({
      form: { file: new File([gif], `${index}.gif`, { type: 'image/gif' }) },
    })
  const jpeg = new Uint8Array(await plainJpeg())
  await other.vault.upload({
    form: { file: new File([jpeg], 'photo.jpg', { type: 'image/jpeg' }) },
  })
  const statusesOf = async (client: Client) =>
    (await client.vault.list()).files.map(({ enrichmentStatus }) => enrichmentStatus)
  const waitedMs = await timeUntil(async () => (await statusesOf(other))[0] === 'completed')
  const waiting = (await statusesOf(hostile)).filter((status) => status !== 'completed').length
  return verdict(`known after ${seconds(waitedMs)} s, while ${waiting} of the GIFs were not`, {
    'too late': waitedMs <= maxWaitMs,
  })
}

async function publishBehindOthers(): Promise<Verdict> {
  const site = await startSlowSite(await plainJpeg())
  try {
    const service = await startService({
      ...unlimited,
      CAPTIONS: 'off',
      FETCH_ALLOW: site.host,
    })
    const [busy, other] = [await register(service.url, 'a'), await register(service.url, 'b')]
    for (let index = 0; index < publications; index += 1) await publish(busy, site.origin, 'Busy')
    await publish(other, site.origin, 'The first')
    const isOut = async () =>
      (await other.community.browse({ query: {} })).items.some(
        (item) => item.kind === 'session' && item.title === 'The first',
      )
    const waitedMs = await timeUntil(isOut)
    return verdict(`out after ${seconds(waitedMs)} s`, { 'too late': waitedMs <= maxWaitMs })
  } finally {
    await site.close()
  }
}

async function publish(client: Client, origin: string, title: string): Promise<void> {
  const slides = Array.from({ length: slidesEach }, (_, index) => ({
    mediaUrl: `${origin}/${index}.jpg`,
  }))
  const { session } = await client.sessions.createManual({ body: { title, slides } })
  const body = { shareToCommunity: true, nsfw: false }
  await client.sessions.update({ params: { id: String(session.id) }, body })
}

async function register(url: string, name: string): Promise<Client> {
  const jar = createCookieJar()
  const fetchWithCookies: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    if (jar.header() !== '') headers.set('cookie', jar.header())
    const response = await fetch(input, { redirect: 'manual', ...init, headers })
    jar.keep(response.headers.getSetCookie())
    return response
  }
  const client = createClient(api, { baseUrl: url, fetch: fetchWithCookies })
  const email = `${name}@example.test`
  await client.accounts.register({ body: { email, password: 'a long enough password' } })
  return client
}

/** Starts a site that delays each picture. */
async function startSlowSite(picture: Uint8Array) {
  const server = createServer((_, response) => {
    void sleep(farSiteMs).then(() => response.writeHead(200).end(picture))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    origin: `http://${host}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Makes a small GIF with as many full frames as the service accepts. */
async function fullPages(pages: number): Promise<Buffer> {
  const create = { width: gifSide, height: gifSide, channels: 3 as const, background: '#468' }
  const single = await sharp({ create }).gif().toBuffer()
  const flags = single[10] ?? 0
  const bodyAt = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const page = single.subarray(bodyAt, -1)
  const head = single.subarray(0, bodyAt)
  return Buffer.concat([head, ...Array.from({ length: pages }, () => page), end])
}

const end = Buffer.from([0x3b])

async function timeUntil(isSo: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now()
  while (!(await isSo())) {
    assert.ok(performance.now() - startedMs < patienceMs, 'never')
    await sleep(200)
  }
  return performance.now() - startedMs
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
