/** Many sources at once: names, fair fills, failures, and rate limits for remote hosts (contract 16). */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/server/config/config.ts'
import { securityHeaders } from '../../src/server/http/security-headers.ts'
import { pictures } from '../support/fake-feed.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import type { Mood } from '../support/source-site.ts'
import { openSourceSite } from '../support/source-site.ts'
import type { Person } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

const all = 'demo,rss,mastodon,bluesky,commons'

let site: Awaited<ReturnType<typeof openSourceSite>>
let world: SessionWorld
let ana: Person

beforeAll(async () => {
  site = await openSourceSite()
  world = await createSessionWorld({ FEEDS: all, ...site.settings })
})

beforeEach(async () => {
  site.reset()
  await world.reset()
  // Answers that an earlier test cached have expired.
  world.clock.advance(7 * 3_600_000)
  ana = await world.as('ana')
})

afterAll(async () => {
  await world.close()
  site.close()
})

const read = (id: string) => ana.sessions.read({ params: { id } })
const balance = async () => (await ana.credits.balance()).balance

describe('a session', () => {
  test('of five sources is filled fairly, with alt, credit and focus on its slides', async () => {
    const { rss, tag, bluesky, commons } = site.names
    const subfeeds = ['city', rss, tag, bluesky, commons].join(',')
    const { session, media } = await read(await world.makeFilled(ana, { subfeeds }))
    expect(session).toMatchObject({ fillStatus: 'ready', fillError: null, mediaCount: 25 })
    expect(session.subfeeds).toEqual(['city', rss, tag, bluesky, commons])
    const counts = Map.groupBy(media, ({ subfeed }) => subfeed)
    for (const name of session.subfeeds) expect(counts.get(name), name).toHaveLength(5)
    expect(counts.get(commons)?.[0]).toMatchObject({
      mediaUrl: `${site.origin}/commons/1920px-0.jpg`,
      alt: null,
      credit: {
        author: 'A painter',
        licence: { name: 'CC BY-SA 4.0', url: 'https://creativecommons.org/licenses/by-sa/4.0' },
        url: `${site.origin}/wiki/File:Lake_0.jpg`,
      },
    })
    expect(counts.get(tag)?.[0]).toMatchObject({
      alt: 'A lake, 99',
      focus: { x: 0.75, y: 0.25 },
      credit: { author: 'someone', licence: null },
    })
    const agents = new Set(site.asked.map(({ headers }) => headers['user-agent']))
    expect([...agents]).toEqual([
      expect.stringMatching(/^Lanternist\/[\d.]+.* \(Lanternist; \+http/),
    ])
  })

  test('stores one form of each name, in any spelling', async () => {
    const { subfeeds } = await world.make(ana, {
      subfeeds: `DEMO:City, city ,mastodon:#Lakes@${site.host}, commons:category:lakes_of_asia%2c west`,
    })
    expect(subfeeds).toEqual(['city', site.names.tag, 'commons:Lakes of asia%2C west'])
  })

  test.each(['nowhere:x', 'reddit:pics', 'mastodon:cats', 'rss:http://localhost/', 'bluesky:cats'])(
    'is refused for %s by its name, before anything is charged',
    async (name) => {
      const problem = await refused(world.make(ana, { subfeeds: `city,${name}` }))
      expect(problem).toMatchObject({ status: 400, body: { error: 'Validation Error' } })
      expect(problem.message).toMatch(`Validation failed: subfeeds: ${name} `)
      expect((await refused(ana.feeds.fetch({ body: { subfeeds: name } }))).status).toBe(400)
      const { id } = await world.make(ana)
      const paid = await balance()
      const change = { params: { id: String(id) }, body: { subfeeds: name } }
      expect((await refused(ana.sessions.update(change))).status).toBe(400)
      expect(await balance()).toBe(paid)
    },
  )
})

describe('a source that', () => {
  test.each<[Mood, RegExp]>([
    ['broken', /is not working/],
    ['a web page', /web page/],
    ['no JSON', /JSON/],
    ['endless', /8 MB/],
    [401, /signed in/],
    [403, /not allow/],
    [404, /not found/],
    [410, /gone/],
    [422, /signed in/],
    ['busy', /too many requests/],
  ])('is %s is named, and the rest works', async (mood, words) => {
    site.be(mood)
    const { bluesky } = site.names
    const { session } = await read(await world.makeFilled(ana, { subfeeds: `city,${bluesky}` }))
    expect(session).toMatchObject({ fillStatus: 'ready', mediaCount: 25 })
    expect(session.fillError).toMatch(words)
    expect(session.fillError).toMatch(/^bluesky:@someone\.bsky\.social: /)
  })

  const moods: Mood[] = ['broken', 'busy', 'a web page', 'no JSON', 'endless', 404]
  const names = ['rss', 'tag', 'account', 'commons'] as const
  test.each(names.flatMap((name) => moods.map((mood) => [name, mood] as const)))(
    'is read as %s and is %s adds nothing, and the rest is complete',
    async (name, mood) => {
      site.be(mood)
      const subfeeds = ['city', site.names[name]].join(',')
      const { posts, errors } = await ana.feeds.fetch({ body: { subfeeds, limit: 10 } })
      expect(posts.map(({ subfeed }) => subfeed)).toEqual(Array(5).fill('city'))
      expect(errors).toEqual([{ subfeed: site.names[name], message: expect.stringMatching(/\w/) }])
    },
  )

  test('does not answer takes its ten seconds and no more', async () => {
    site.be('silent')
    const { errors } = await ana.feeds.fetch({ body: { subfeeds: `city,${site.names.rss}` } })
    expect(errors).toEqual([{ subfeed: site.names.rss, message: 'took longer than 10 seconds' }])
  })

  test('asks for a pause gets one, from every node', async () => {
    site.be('busy for a while')
    const subfeeds = site.names.commons
    expect(await refused(ana.feeds.fetch({ body: { subfeeds } }))).toMatchObject({ status: 502 })
    site.be('well')
    const { ctx } = world
    const rests = await ctx.db.selectFrom('resting_hosts').selectAll().execute()
    expect(rests.map(({ host }) => host)).toEqual([site.host])
    const before = site.asked.length
    expect((await refused(ana.feeds.fetch({ body: { subfeeds: site.names.rss } }))).status).toBe(
      502,
    )
    expect(site.asked).toHaveLength(before)
    world.clock.advance(121_000)
    expect((await ana.feeds.fetch({ body: { subfeeds: site.names.rss } })).posts).not.toEqual([])
  })

  test('has not changed may answer 304', async () => {
    const body = { subfeeds: site.names.rss }
    const first = await ana.feeds.fetch({ body })
    world.clock.advance(10 * 60_000)
    expect(await ana.feeds.fetch({ body })).toEqual(first)
    expect(site.asked.at(-1)?.headers['if-none-match']).toBe('"one"')
  })

  test('has pages gets at most five requests for a name', async () => {
    const id = await world.makeFilled(ana, { subfeeds: site.names.account })
    expect((await read(id)).session.mediaCount).toBe(25)
    expect(site.asked.length).toBeLessThanOrEqual(5)
  })
})

test('a host gets at most two requests at a time', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `commons:Lakes ${index}`)
  await Promise.all(names.map((subfeeds) => ana.feeds.fetch({ body: { subfeeds, limit: 5 } })))
  expect(site.maxOpen()).toBeLessThanOrEqual(2)
  expect(site.asked).toHaveLength(12)
})

test('requests that wait for a silent host get its error together with the first one', async () => {
  site.be('silent')
  const names = Array.from({ length: 12 }, (_, index) => `commons:Rivers ${index}`)
  const answers = await Promise.all(
    names.map((subfeeds) => refused(ana.feeds.fetch({ body: { subfeeds, limit: 5 } }))),
  )
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 502))
  expect(site.asked).toHaveLength(2)
})

test('a redirect is a request to its target host', async () => {
  const other = await openSourceSite()
  const both = { ...site.settings, FETCH_ALLOW: `${site.host},${other.host}` }
  const elsewhere = await createSessionWorld({ FEEDS: all, ...both })
  try {
    const bo = await elsewhere.as('bo')
    const { db } = elsewhere.ctx
    const moved = (to: string) => `rss:${site.origin}/moved?to=${encodeURIComponent(to)}`
    const askedOf = async (host: string) =>
      (await db.selectFrom('host_turns').selectAll().where('host', '=', host).executeTakeFirst())
        ?.asked_at.length
    const feed = await bo.feeds.fetch({ body: { subfeeds: moved(`${other.origin}/feed.xml`) } })
    expect(feed.posts.length).toBeGreaterThan(0)
    expect([await askedOf(site.host), await askedOf(other.host)]).toEqual([1, 1])
    // Both redirects of the next request count for the same host, and a redirect loop ends.
    const circle = `${site.origin}/moved?to=${encodeURIComponent(`${site.origin}/moved?to=/moved`)}`
    expect((await refused(bo.feeds.fetch({ body: { subfeeds: `rss:${circle}` } }))).status).toBe(
      502,
    )
    // A host that asks for a pause is not asked through a redirect either.
    other.be('busy for a while')
    const busy = { subfeeds: moved(`${other.origin}/feed.xml?again`) }
    expect((await refused(bo.feeds.fetch({ body: busy }))).status).toBe(502)
    const before = other.asked.length
    other.be('well')
    const resting = { subfeeds: moved(`${other.origin}/feed.xml?later`) }
    expect((await refused(bo.feeds.fetch({ body: resting }))).status).toBe(502)
    expect(other.asked).toHaveLength(before)
    const inward = { subfeeds: moved('http://127.0.0.1:1/feed.xml') }
    expect((await refused(bo.feeds.fetch({ body: inward }))).status).toBe(502)
  } finally {
    await elsewhere.close()
    other.close()
  }
})

test('films in pieces are only used from hosts that pages may reach', async () => {
  const { posts } = await ana.feeds.fetch({ body: { subfeeds: site.names.bluesky, limit: 30 } })
  expect(posts).toHaveLength(30)
  const films = posts.filter(({ is_video }) => is_video)
  expect(films.map(({ media_url }) => media_url)).toEqual(
    [9, 29].map((number) => `${site.origin}/bluesky/${number}.m3u8`),
  )
  const policyOf = (settings: Record<string, string>) => {
    const headers = securityHeaders(parseConfig(settings))
    return /connect-src[^;]*/.exec(headers['content-security-policy'])?.[0]
  }
  const bluesky = "connect-src 'self' https://video.bsky.app https://video.cdn.bsky.app"
  expect(policyOf({ FEEDS: 'rss,bluesky' })).toBe(bluesky)
  expect(policyOf({ FEEDS: 'bluesky', BLUESKY_URL: 'https://sky.example' })).toBe(
    `${bluesky} https://sky.example`,
  )
  expect(policyOf({ FEEDS: 'rss' })).toBe("connect-src 'self'")
})

test('source health is recorded for requests, not for cached answers', async () => {
  const admin = world.visitor()
  await admin.accounts.devSignIn()
  const noted = async () => {
    await ana.feeds.fetch({ body: { subfeeds: site.names.commons } })
    const { sources } = await admin.adminSources.read()
    return sources.find(({ id }) => id === 'commons')?.lastSuccessAt
  }
  const first = await noted()
  world.clock.advance(2 * 60_000)
  const before = site.asked.length
  expect(await noted()).toBe(first)
  expect(site.asked).toHaveLength(before)
  world.clock.advance(2 * 60_000)
  expect(await noted()).not.toBe(first)
})

test('administrators see the health of each source', async () => {
  site.be('broken')
  await ana.feeds.fetch({ body: { subfeeds: `city,${site.names.commons}` } })
  site.be('busy for a while')
  await ana.feeds.fetch({ body: { subfeeds: `city,${site.names.rss}` } })
  const admin = world.visitor()
  await admin.accounts.devSignIn()
  const { sources, hosts } = await admin.adminSources.read()
  expect(sources.map(({ id }) => id)).toEqual([...all.split(','), 'vault'])
  const time = expect.stringMatching(/^\d{4}-/)
  const of = (id: string) => sources.find((source) => source.id === id)
  expect(of('demo')).toMatchObject({ lastSuccessAt: time, lastFailure: null })
  expect(of('commons')).toMatchObject({
    lastFailureAt: time,
    lastFailure: 'is not working (status 500)',
  })
  expect(of('rss')?.lastFailure).toMatch(/too many requests/)
  expect(hosts).toEqual([{ host: site.host, asked: 2, most: 60, restsUntil: time }])
  expect((await refused(ana.adminSources.read())).status).toBe(403)
  // An invalid name says nothing about the health of its source.
  site.be(404)
  world.clock.advance(200_000)
  await ana.feeds.fetch({ body: { subfeeds: `city,${site.names.bluesky}` } })
  const later = await admin.adminSources.read()
  expect(later.sources.find(({ id }) => id === 'bluesky')?.lastFailure).toBeNull()
  expect(later.hosts[0]?.restsUntil).toBeNull()

  const scraped = await (await fetch(`${world.url}/metrics`)).text()
  expect(scraped).toMatch(/lanternist_source_success_age_seconds\{source="demo"\} \d/)
  expect(scraped).toMatch(/^lanternist_resting_hosts 0$/m)
  const figures = await world.ctx.metrics.read()
  expect(figures).toContain('lanternist_source_lists_total{source="commons",outcome="unreachable"}')
  expect(figures).toContain('lanternist_source_lists_total{source="demo",outcome="given"}')
})

describe('suggestions', () => {
  const suggest = async (person: Person, q: string) =>
    (await person.feeds.suggest({ query: { q } })).items.map(({ name }) => name)

  test('come from the named source, or from all, as subfeed names', async () => {
    expect(await suggest(ana, 'bluesky:@some')).toEqual(['bluesky:@some.bsky.social'])
    expect(await suggest(ana, 'commons:la')).toEqual(['commons:La', 'commons:Lakes%2C rivers'])
    expect(await suggest(ana, site.names.rss)).toEqual([site.names.rss])
    world.feed.put('harbour', pictures('harbour', 2))
    expect(await suggest(ana, 'of harbour')).toContain('harbour')
  })

  test('of adult names need a verified age, and a source that is down suggests nothing', async () => {
    world.feed.put('adult', pictures('adult', 2, { nsfw: true }))
    site.be('broken')
    const adult = world.visitor()
    await adult.accounts.devSignIn()
    expect(await suggest(ana, 'of adult')).toEqual([])
    expect(await suggest(adult, 'of adult')).toEqual(['adult'])
  })

  test('are for members, and need a query', async () => {
    expect((await refused(world.visitor().feeds.suggest({ query: { q: 'a' } }))).status).toBe(401)
    expect((await refused(ana.feeds.suggest({ query: { q: ' ' } }))).status).toBe(400)
  })
})

test('FEEDS names any source, and the offered ones are listed in that order', async () => {
  const own = await createWorld({ FEEDS: 'vault,immich,rss,folder', ...site.settings })
  try {
    const { feeds } = await own.visitor().site.read()
    expect(feeds.map(({ id }) => id)).toEqual(['vault', 'rss'])
    const bo = await own.as('bo')
    const [name, other] = ['all', `rss:${site.origin}/feed.xml`]
    const body = { title: 'Mine', subfeeds: `vault:${name},${other}` }
    expect((await bo.sessions.create({ body })).subfeeds).toEqual([name, other])
  } finally {
    await own.close()
  }
  expect(() => parseConfig({ FEEDS: 'rss,nowhere' })).toThrow(/FEEDS must be some of .*vault/)
})

test('the first source does not bypass the roles of folders', async () => {
  const FOLDERS_DIR = await mkdtemp(join(tmpdir(), 'lanternist-folders-'))
  const own = await createWorld({ FEEDS: 'folder,rss', FOLDERS_DIR, ...site.settings })
  try {
    const bo = await own.as('bo')
    const refusal = await refused(bo.feeds.fetch({ body: { subfeeds: 'holidays' } }))
    expect(refusal.message).toBe(
      'Validation failed: subfeeds: holidays belongs to folder, which this site does not offer',
    )
  } finally {
    await own.close()
    await rm(FOLDERS_DIR, { recursive: true })
  }
})

test('fetching a caller’s address costs a token, also if it fails', async () => {
  const limited = await createSessionWorld({
    FEEDS: 'demo,rss,commons',
    RATE_LIMIT_FEED: '3/900',
    ...site.settings,
  })
  try {
    const bo = await limited.as('bo')
    const statusOf = async (subfeeds: string) =>
      (await refused(bo.feeds.fetch({ body: { subfeeds } }))).status
    site.be('broken')
    // A source that the site chose costs the caller nothing, nor does an invalid name.
    for (let count = 0; count < 5; count += 1) {
      expect(await statusOf('commons:Lakes')).toBe(502)
      expect(await statusOf('nowhere:a')).toBe(400)
    }
    for (let count = 0; count < 3; count += 1)
      expect(await statusOf(`rss:${site.origin}/${count}.xml`)).toBe(502)
    expect(await statusOf(`rss:${site.origin}/4.xml`)).toBe(429)
  } finally {
    await limited.close()
  }
})
