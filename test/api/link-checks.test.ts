/** Answers of remote sites that count as a broken link, and the limits on how often sites are asked. */
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { checkDueLinks } from '../../src/server/features/link-health/link-checks.ts'
import { createSafeFetch } from '../../src/server/platform/fetch/safe-fetch.ts'
import { startLinkSite } from '../support/link-site.ts'
import type { LinkWorld } from '../support/link-world.ts'
import { createLinkWorld, dayMs, gone, hourMs, minuteMs } from '../support/link-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'

let world: LinkWorld
let ana: Person

useWorld(createLinkWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
})

const heads = () => world.site.asked.filter((line) => line.startsWith('HEAD'))

test('a missing slide is marked and not replaced if the fill was refunded', async () => {
  world.feed.put('city', [])
  const { id: made } = await ana.sessions.create({ body: { title: 'Empty', subfeeds: 'city' } })
  await world.runJobs()
  const id = String(made)
  world.feed.put('city', world.site.posts('city', 6))
  const { posts } = await ana.feeds.fetch({ body: { subfeeds: 'city', limit: 1 } })
  const slides = posts.map((feedPost) => ({ feedPost }))
  await ana.sessions.replaceMedia({ params: { id }, body: { slides } })
  world.site.answers.set('/city/0.jpg', gone)
  await world.check()
  await world.checkAfter(hourMs)
  expect(await world.paths(ana, id)).toEqual(['/city/0.jpg'])
  const { linkHealth } = (await ana.sessions.read({ params: { id } })).session
  expect(linkHealth).toMatchObject({ brokenCount: 1, replacedCount: 0 })
})

describe('broken links', () => {
  test('a clear 404 counts after an hour, any other bad response after a day', async () => {
    const page = { headers: { 'content-type': 'text/html' } }
    const removed = { status: 302, headers: { location: `${world.site.origin}/removed.png` } }
    const clear = ['/404.jpg', '/410.jpg']
    const unclear = ['/403.jpg', '/page.jpg', '/redirected.jpg', '/text.jpg']
    const id = await world.choose(ana, [...clear, ...unclear, '/fine.jpg'])
    world.site.answers.set('/404.jpg', gone)
    world.site.answers.set('/410.jpg', { status: 410 })
    world.site.answers.set('/403.jpg', { status: 403 })
    world.site.answers.set('/page.jpg', page)
    world.site.answers.set('/redirected.jpg', removed)
    world.site.answers.set('/text.jpg', { headers: {}, body: Buffer.from('no picture at all') })
    await world.check()
    await world.checkAfter(59 * minuteMs)
    expect(await world.brokenPaths(ana, id)).toEqual([])
    await world.checkAfter(minuteMs)
    expect(await world.brokenPaths(ana, id)).toEqual(clear)
    await world.checkAfter(22 * hourMs)
    expect(await world.brokenPaths(ana, id)).toEqual(clear)
    await world.checkAfter(2 * hourMs)
    expect(await world.brokenPaths(ana, id)).toEqual([...clear, ...unclear])
  })

  test('a film in pieces exists while its playlist does', async () => {
    const list = { headers: { 'content-type': 'application/vnd.apple.mpegurl' } }
    const addresses = ['/here.m3u8', '/page.m3u8', '/gone.m3u8', '/list.jpg']
    const id = await world.choose(ana, addresses)
    world.site.answers.set('/here.m3u8', list)
    world.site.answers.set('/page.m3u8', { headers: { 'content-type': 'text/html' } })
    world.site.answers.set('/gone.m3u8', gone)
    world.site.answers.set('/list.jpg', list)
    await world.check()
    await world.checkAfter(2 * dayMs)
    expect(await world.brokenPaths(ana, id)).toEqual(addresses.slice(1))
  })

  test('a picture whose HEAD fails is checked with GET', async () => {
    const jpeg = { body: Buffer.from('ffd8ffe000104a46494600010100', 'hex') }
    const id = await world.choose(ana, ['/refusing.jpg', '/denying.jpg', '/untyped.jpg'])
    world.site.answers.set('/refusing.jpg', { ...jpeg, head: 405 })
    world.site.answers.set('/denying.jpg', { ...jpeg, head: 404 })
    world.site.answers.set('/untyped.jpg', {
      ...jpeg,
      headers: { 'content-type': 'application/octet-stream' },
    })
    await world.check()
    await world.checkAfter(2 * dayMs)
    expect(await world.brokenPaths(ana, id)).toEqual([])
    expect(world.site.asked.toSorted()).toEqual([
      'GET /denying.jpg',
      'GET /refusing.jpg',
      'GET /untyped.jpg',
      'HEAD /denying.jpg',
      'HEAD /refusing.jpg',
      'HEAD /untyped.jpg',
    ])
  })

  test('an outage of a site marks nothing, and pauses its checks after three tries', async () => {
    const id = await world.choose(ana, ['/1.jpg', '/2.jpg', '/3.jpg', '/4.jpg', '/5.jpg'])
    world.site.answers.set('*', { status: 500 })
    await world.check()
    expect(heads()).toHaveLength(3)
    await world.checkAfter(30 * minuteMs)
    expect(heads()).toHaveLength(3)
    for (let day = 0; day < 4; day += 1) await world.checkAfter(dayMs)
    expect(heads().length).toBeGreaterThan(5)
    expect(await world.brokenPaths(ana, id)).toEqual([])
  })

  test('Retry-After of a site is respected', async () => {
    await world.choose(ana, ['/1.jpg', '/2.jpg', '/3.jpg'])
    world.site.answers.set('*', { status: 429, headers: { 'retry-after': '36000' } })
    await world.check()
    expect(world.site.asked).toHaveLength(1)
    world.site.answers.clear()
    await world.choose(ana, ['/4.jpg'])
    // The check does not even take the slides of this site, so it has room for slides of other sites.
    const plans = () => world.ctx.db.selectFrom('session_media').select('link_check_at').execute()
    const planned = await plans()
    await world.checkAfter(9 * hourMs)
    expect(world.site.asked).toHaveLength(1)
    expect(await plans()).toEqual(planned)
    await world.checkAfter(hourMs + minuteMs)
    expect(world.site.asked).toHaveLength(5)
  })

  test('a site is paused under every spelling of its name', async () => {
    const { port } = new URL(world.site.origin)
    world.site.answers.set('*', { status: 429, headers: { 'retry-after': '36000' } })
    await world.choose(ana, [`http://127.0.0.1:0${port}/1.jpg`, `http://127.0.0.1:0${port}/2.jpg`])
    await world.check()
    expect(world.site.asked).toHaveLength(1)
    await world.choose(ana, [`http://127.0.0.1:00${port}/3.jpg`])
    await world.checkAfter(20 * minuteMs)
    const plans = () => world.ctx.db.selectFrom('session_media').select('link_check_at').execute()
    const planned = await plans()
    await world.checkAfter(20 * minuteMs)
    expect(world.site.asked).toHaveLength(1)
    expect(await plans()).toEqual(planned)
  })

  test('an unknown host name counts as gone after a day, a failing resolver never does', async () => {
    const id = await world.choose(ana, [
      'https://lost.example.org/a.jpg',
      'https://busy.example.org/b.jpg',
    ])
    const fetch = createSafeFetch({
      allow: [],
      lookup: (hostname, _options, callback) => {
        const code = hostname.startsWith('lost') ? 'ENOTFOUND' : 'EAI_AGAIN'
        callback(Object.assign(new Error(code), { code }), [])
      },
    })
    const ctx = { ...world.ctx, fetch }
    await checkDueLinks(ctx)
    expect(await world.brokenPaths(ana, id)).toEqual([])
    world.clock.advance(dayMs)
    await checkDueLinks(ctx)
    expect(await world.brokenPaths(ana, id)).toEqual(['https://lost.example.org/a.jpg'])
  })

  test('private addresses and our own files are never checked', async () => {
    const inside = await startLinkSite()
    const ours = 'http://lanternist.test/covers/0123456789abcdef.svg'
    await world.choose(ana, [`${inside.origin}/a.jpg`, 'http://10.0.0.1/b.jpg', ours])
    const fetch = vi.fn(world.ctx.fetch)
    await checkDueLinks({ ...world.ctx, fetch })
    await inside.close()
    expect(inside.asked).toEqual([])
    expect(fetch.mock.calls.map(([url]) => url)).not.toContain(ours)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from session_media where is_broken`.execute(world.ctx.db)
    expect(rows).toEqual([{ count: 0 }])
  })
})

describe('checks', () => {
  test('run every week, a limited number for each site, none if they are off', async () => {
    for (const [name, count] of Object.entries({ bea: 50, ben: 50, cleo: 20 }))
      await world.choose(
        await world.as(name),
        Array.from({ length: count }, (_, index) => `/${name}/${index}.jpg`),
      )
    const config = { ...world.ctx.config, linkChecks: false }
    await checkDueLinks({ ...world.ctx, config })
    expect(world.site.asked).toEqual([])
    await world.check()
    expect(world.site.asked).toHaveLength(100)
    await world.check()
    expect(new Set(world.site.asked).size).toBe(120)
    await world.checkAfter(6 * dayMs)
    expect(world.site.asked).toHaveLength(120)
    await world.checkAfter(dayMs + minuteMs)
    expect(world.site.asked).toHaveLength(220)
  })

  test('check a few slides of each owner, however many sites one owner names', async () => {
    const made = Array.from({ length: 500 }, (_, index) => `https://h${index}.example.org/a.jpg`)
    await world.choose(ana, made)
    const ben = await world.as('ben')
    await world.choose(ben, ['https://known.example.org/b.jpg'])
    const asked = new Set<string>()
    const fetch = createSafeFetch({
      allow: [],
      lookup: (hostname, _options, callback) => {
        asked.add(hostname)
        callback(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }), [])
      },
    })
    await checkDueLinks({ ...world.ctx, fetch })
    expect(asked).toContain('known.example.org')
    expect(asked.size).toBe(51)
    await checkDueLinks({ ...world.ctx, fetch })
    expect(asked.size).toBe(101)
  })

  test('on several nodes check each picture once and replace it once', async () => {
    const id = await world.fill(ana, 20)
    world.site.answers.set('/city/7.jpg', gone)
    const checkOnAll = () => Promise.all(Array.from({ length: 8 }, () => world.check()))
    await checkOnAll()
    expect(heads()).toHaveLength(20)
    world.clock.advance(hourMs)
    await checkOnAll()
    const paths = await world.paths(ana, id)
    expect(paths[7]).toBe('/city/20.jpg')
    expect(new Set(paths).size).toBe(20)
    expect(await world.told(id)).toEqual([{ replaced: 1, broken: 0 }])
  })

  test('that die are repeated, and nothing happens twice', async () => {
    const ids = [await world.fill(ana, 2), await world.fill(ana, 2)]
    world.site.answers.set('/city/0.jpg', gone)
    await world.check()
    world.clock.advance(hourMs)
    const dying = { ...world.ctx, fetch: () => Promise.reject(new Error('the node dies')) }
    await expect(checkDueLinks(dying)).rejects.toThrow('the node dies')
    await world.check()
    expect(await world.told(ids[0]!)).toEqual([])
    world.clock.advance(16 * minuteMs)
    // This node dies after the first of the two sessions.
    const { db } = world.ctx
    let transactions = 0
    const dyingLater = new Proxy(db, {
      get(of, property) {
        if (property === 'transaction' && (transactions += 1) > 1) throw new Error('the node dies')
        const value: unknown = Reflect.get(of, property, of)
        return typeof value === 'function' ? value.bind(of) : value
      },
    })
    await expect(checkDueLinks({ ...world.ctx, db: dyingLater })).rejects.toThrow('the node dies')
    await world.checkAfter(16 * minuteMs)
    for (const id of ids) {
      expect(await world.paths(ana, id)).toEqual(['/city/2.jpg', '/city/1.jpg'])
      expect(await world.told(id)).toEqual([{ replaced: 1, broken: 0 }])
    }
  })
})
