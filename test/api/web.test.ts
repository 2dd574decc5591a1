/** The pages of the web client, as the service sends them. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { keepBuild } from '../../src/server/features/pages/kept-builds.ts'
import { createFakeFeed } from '../support/fake-feed.ts'
import type { World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

const webFolder = fileURLToPath(new URL('../../dist/web', import.meta.url))
let world: World

beforeAll(async () => {
  await buildWebIfStale()
  world = await createWorld({}, { webFolder, feed: createFakeFeed() })
})
afterAll(() => world.close())

const open = async (path: string) => {
  const visitor = world.visitor({ accept: 'text/html' })
  return { response: await visitor.fetch(path), jar: visitor.jar }
}

test('every address of a page gets the page, and a missing file does not', async () => {
  for (const path of ['/', '/login', '/shared/anything', '/library?tag=city']) {
    const { response } = await open(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect(await response.text()).toContain('<title>')
  }
  expect((await open('//')).response.status).toBe(200)
  for (const path of ['/assets/missing.js', '/.env', '/api/unknown', '/media/unknown', '/api'])
    expect((await open(path)).response.status, path).toBe(404)
})

test('the service worker is always revalidated, and may load what pages may show', async () => {
  const { response } = await open('/service-worker.js')
  expect(response.headers.get('content-type')).toMatch(/^(text|application)\/javascript/)
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(response.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; connect-src 'self' https: http:",
  )
  const script = await response.text()
  const [file = ''] = /\/assets\/[\w.-]+\.js/.exec(script) ?? []
  expect((await open(file)).response.status).toBe(200)
})

test('built files may be cached for ever, the page may not', async () => {
  const { response } = await open('/')
  expect(response.headers.get('cache-control')).toBe('no-cache')
  const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(await response.text()) ?? []
  const file = await open(script)
  expect(file.response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('a page that was opened before an update still gets the scripts of its version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-builds-'))
  const assetsOf = async (name: string) => (await readdir(join(folder, 'kept', name))).toSorted()
  for (const build of ['1', '2', '3', '4']) {
    await mkdir(join(folder, build, 'assets'), { recursive: true })
    await writeFile(join(folder, build, 'assets', `page-${build}.js`), build)
    await writeFile(join(folder, build, 'assets', 'same.js'), 'same')
    // A restart does not count as an update.
    for (const _ of ['first start', 'restart'])
      await keepBuild(join(folder, build), join(folder, 'kept'))
  }
  expect(await assetsOf('assets')).toEqual(['page-2.js', 'page-3.js', 'page-4.js', 'same.js'])
  const dataDir = join(folder, 'data')
  await keepBuild(join(folder, '1'), join(dataDir, 'web-builds'))
  const site = await createWorld({ DATA_DIR: dataDir }, { webFolder, feed: createFakeFeed() })
  const script = await site.visitor().fetch('/assets/page-1.js')
  expect([script.status, await script.text()]).toEqual([200, '1'])
  expect(script.headers.get('content-type')).toMatch(/javascript/)
  expect((await site.visitor().fetch('/.builds.json')).status).toBe(404)
  await site.close()
  await rm(folder, { recursive: true })
})

test('no script is in the head twice: Firefox takes the second for one that failed', async () => {
  const ana = await world.as('ana')
  for (const path of ['/', '/library']) {
    const html = await (await ana.fetch(path, { headers: { accept: 'text/html' } })).text()
    const named = [...html.matchAll(/<link rel="modulepreload"[^>]* href="([^"]+)"/g)].map(
      ([, address]) => address,
    )
    expect(named.length).toBeGreaterThan(2)
    expect(named).toEqual([...new Set(named)])
  }
})

describe('a visit with a referral code', () => {
  test('is stored with its source', async () => {
    const direct = await open('/?r=abcd1234')
    expect(direct.jar.get('pending_referral')).toBe('ABCD1234')
    expect(direct.jar.get('referral_source')).toBe('direct')
    const code = '3f1c9a2e-7b54-4d0e-9c0d-1a2b3c4d5e6f'
    const shared = await open(`/shared/${code}?r=ABCD1234`)
    expect(shared.jar.get('referral_source')).toBe('session_share')
    expect(shared.jar.get('referral_source_id')).toBe(code)
  })

  test('is forgotten if the code is unknown', async () => {
    for (const code of ['', 'short', 'ABCD12345', 'ABCD-234', '%00BCD1234']) {
      const { response } = await open(`/?r=${code}`)
      expect(response.status).toBe(200)
      expect(response.headers.getSetCookie()).toEqual([])
    }
  })
})

describe('the page of a share link', () => {
  const share = async (options: { password?: string; expiresAt?: string } = {}) => {
    const ana = await world.as(crypto.randomUUID())
    const body = { title: 'Evening <b>walk</b>', subfeeds: 'city' }
    const { id } = await ana.sessions.create({ body })
    await world.runJobs()
    const params = { id: String(id) }
    return (await ana.sharing.shareSession({ params, body: options })).shareCode
  }

  test('has the title, the count and a card for sites that show links', async () => {
    const code = await share()
    const html = await (await open(`/shared/${code}?r=ABCD1234`)).response.text()
    expect(html).toContain(
      '<meta property="og:title" content="Evening &#60;b&#62;walk&#60;/b&#62;" />',
    )
    expect(html).toContain('<meta property="og:description" content="25 slides" />')
    expect(html).toMatch(new RegExp(`og:image" content="http://[^"]*/shared/${code}/card\\.jpg`))
    expect(html).not.toContain('<b>walk')
  })

  test('has only the card of the site if a password is set, or the link has ended', async () => {
    const expiresAt = new Date(world.clock.now().getTime() - 1000).toISOString()
    const codes = [await share({ password: 'secret' }), await share({ expiresAt })]
    for (const code of [...codes, '3f1c9a2e-7b54-4d0e-9c0d-1a2b3c4d5e6f']) {
      const html = await (await open(`/shared/${code}`)).response.text()
      expect(html).toContain('<meta property="og:title" content="Lanternist" />')
      expect(html).toMatch(/og:image" content="[^"?]*\/card\.jpg"/)
      expect(html).not.toMatch(/Evening|og:description|og:url|\/shared\/[\w-]+\/card/)
    }
  })
})

test('covers are drawn from their address', async () => {
  const { response } = await open('/covers/0123456789abcdef.svg')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(await response.text()).toContain('<svg')
  expect((await open('/covers/nonsense.svg')).response.status).toBe(404)
})
