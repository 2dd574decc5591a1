/**
 * Connections to accounts on remote servers (contract 16): their key appears nowhere, and their pictures
 * become slides.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseCommand } from '../../src/server/commands/admin-commands.ts'
import type { ImmichMood } from '../support/immich-server.ts'
import { immichKey, openImmichServer } from '../support/immich-server.ts'
import { recordingWorldLog } from '../support/recording-log.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import { tracesOf } from '../support/account-traces.ts'
import { exportOf, unzip } from '../support/unzip.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let immich: Awaited<ReturnType<typeof openImmichServer>>
let world: SessionWorld
let ana: Person
let ben: Person
const { log, lines } = recordingWorldLog()

beforeAll(async () => {
  immich = await openImmichServer()
  world = await createSessionWorld(immich.settings, { log })
})
beforeEach(async () => {
  immich.reset()
  await world.reset()
  // Answers that an earlier test cached have expired.
  world.clock.advance(7 * 3_600_000)
  ana = await world.as('ana')
  ben = await world.as('ben')
})
afterAll(async () => {
  await world.close()
  immich.close()
})

const body = { kind: 'immich' as const, apiKey: immichKey }
const connect = (person = ana) => person.connections.create({ body })
const read = (id: string, person = ana) => person.sessions.read({ params: { id } })
const get = (path: string | null, headers: Record<string, string> = {}) =>
  fetch(new URL(path ?? '', world.url), { headers })
const album = 'immich:album/Summer%2C at sea'

describe('a connection', () => {
  test('is stored after its key has read an album and a thumbnail, and is returned without the key', async () => {
    const made = await connect()
    expect(made).toEqual({
      id: expect.any(String),
      kind: 'immich',
      name: 'Ana of Immich',
      createdAt: expect.any(String),
      lastUsedAt: null,
    })
    expect(await ana.connections.list()).toEqual([made])
    expect(await ben.connections.list()).toEqual([])
    const paths = immich.asked.map(({ path }) => path)
    expect(paths).toContain('albums')
    expect(paths).toContainEqual(expect.stringMatching(/^assets\/.+\/thumbnail\?size=thumbnail$/))
  })

  test.each<[string, () => void, RegExp]>([
    ['is unknown', () => immich.changeKey('another'), /does not accept the key/],
    ['may not read albums', () => immich.allow('asset.read', 'asset.view'), /album\.read/],
    ['may not see pictures', () => immich.allow('album.read', 'asset.read'), /asset\.view/],
    ['meets a broken server', () => immich.be('broken'), /is not working/],
    ['meets something else', () => immich.be('a web page'), /web page/],
    ['is said back', () => immich.be('repeats the key'), /^Immich: Bad header …$/],
  ])(
    'is refused if the key %s, with a message that does not contain it',
    async (_, prepare, words) => {
      prepare()
      const problem = await refused(connect())
      expect(problem).toMatchObject({ status: 400, body: { code: 'CONNECTION_REFUSED' } })
      expect(problem.message).toMatch(words)
      expect(await ana.connections.list()).toEqual([])
    },
  )

  test('does not need the permission to read the account’s name', async () => {
    immich.allow('album.read', 'asset.read', 'asset.view')
    expect((await connect()).name).toBe(new URL(immich.origin).host)
  })

  test('replaces the earlier one, and another account’s cannot be ended', async () => {
    const first = await connect()
    immich.changeKey('a-newer-key')
    const second = await ana.connections.create({ body: { ...body, apiKey: 'a-newer-key' } })
    expect(await ana.connections.list()).toEqual([second])
    expect(second.id).toBe(first.id)
    const params = { id: second.id }
    expect((await refused(ben.connections.remove({ params }))).status).toBe(404)
    expect(await ana.connections.remove({ params })).toEqual({ message: 'Connection ended' })
    expect(await ana.connections.list()).toEqual([])
    expect((await refused(ana.connections.remove({ params }))).status).toBe(404)
  })

  test.each(['', 'two words', 'line\nbreak', 'é'.repeat(5), 'x'.repeat(501)])(
    'refuses an invalid key: %j',
    async (apiKey) => {
      const problem = await refused(ana.connections.create({ body: { kind: 'immich', apiKey } }))
      expect(problem.status).toBe(400)
      expect(immich.asked).toEqual([])
    },
  )

  test('does not exist if the site names no server', async () => {
    const without = await createSessionWorld()
    try {
      const someone = await without.as('someone')
      const problem = await refused(someone.connections.create({ body }))
      expect(problem).toMatchObject({ status: 503, body: { code: 'CONNECTION_UNAVAILABLE' } })
      const { feeds } = await someone.site.read()
      expect(feeds.map(({ id }) => id)).not.toContain('immich')
    } finally {
      await without.close()
    }
  })
})

describe('a session', () => {
  test('needs a connection before anything is charged', async () => {
    const required = { status: 400, body: { code: 'CONNECTION_REQUIRED' } }
    const { id } = await world.make(ana)
    const { balance } = await ana.credits.balance()
    await connect(ben)
    expect(await refused(world.make(ana, { subfeeds: album }))).toMatchObject(required)
    expect(await refused(ana.feeds.fetch({ body: { subfeeds: album } }))).toMatchObject(required)
    const change = { params: { id: String(id) }, body: { subfeeds: album } }
    expect(await refused(ana.sessions.update(change))).toMatchObject(required)
    expect((await ana.credits.balance()).balance).toBe(balance)
    const { feeds } = await ana.site.read()
    expect(feeds.find((feed) => feed.id === 'immich')).toMatchObject({ needsConnection: true })
  })

  test.each<[string, number]>([
    [album, 25],
    ['immich:ALBUM/721e1a4b-aa12-441e-8d3b-5ac7ab283bb6', 25],
    ['immich:Favorites', 5],
    ['immich:random', 25],
    ['immich:memories', 3],
  ])('is filled from %s', async (subfeeds, count) => {
    await connect()
    const { session, media } = await read(await world.makeFilled(ana, { subfeeds }))
    expect(session).toMatchObject({ fillStatus: 'ready', fillError: null, mediaCount: count })
    for (const slide of media) {
      expect(slide.mediaUrl).toMatch(/^\/media\/connected\/[\w/-]+\/(?:preview|playback)\?s=/)
      expect(slide).toMatchObject({ credit: null, feedPostUrl: null })
    }
  })

  test('names what failed and why, and the rest works', async () => {
    await connect()
    const names = ['city', 'immich:album/Nowhere', 'immich:album/Empty', album]
    immich.allow('album.read')
    const { session } = await read(await world.makeFilled(ana, { subfeeds: names.join(',') }))
    expect(session.fillStatus).toBe('ready')
    expect(session.fillError).toBe(
      [
        'immich:album/Nowhere: no such album',
        'immich:album/Empty: the key lacks the permission asset.read',
        `${album}: the key lacks the permission asset.read`,
      ].join('; '),
    )
  })

  test.each<[ImmichMood, string]>([
    ['broken', 'is not working (status 500)'],
    ['busy for a while', 'has too many requests, try again later'],
    ['silent', 'took longer than 10 seconds'],
    ['endless', 'sent more than 8 MB'],
    ['a web page', 'answered with a web page instead of data'],
  ])('of a server that is %s reports it, and the rest works', async (mood, words) => {
    await connect()
    immich.be(mood)
    const subfeeds = `city,immich:favorites`
    const { session } = await read(await world.makeFilled(ana, { subfeeds }))
    expect(session).toMatchObject({ fillStatus: 'ready', mediaCount: 25 })
    expect(session.fillError).toBe(`immich:favorites: ${words}`)
    // While a server asks for patience, it gets no requests. They resume after that time.
    immich.be('well')
    const before = immich.asked.length
    const again = ana.feeds.fetch({ body: { subfeeds: 'immich:random' } })
    if (mood === 'busy for a while') {
      expect((await refused(again)).status).toBe(502)
      expect(immich.asked).toHaveLength(before)
      world.clock.advance(121_000)
    } else await again
    const { posts } = await ana.feeds.fetch({ body: { subfeeds: 'immich:memories' } })
    expect(posts).toHaveLength(3)
  })

  test('trusts the content of a response, not its declared type', async () => {
    await connect()
    immich.be('lying types')
    const { posts } = await ana.feeds.fetch({ body: { subfeeds: 'immich:favorites' } })
    expect(posts).toHaveLength(5)
  })

  test('of a key without one permission fails with its name where it is needed', async () => {
    await connect()
    immich.allow('album.read', 'asset.read', 'asset.view')
    const subfeeds = ['immich:favorites', 'immich:memories'].join(',')
    const { session } = await read(await world.makeFilled(ana, { subfeeds }))
    expect(session).toMatchObject({ fillStatus: 'ready', mediaCount: 5 })
    expect(session.fillError).toBe('immich:memories: the key lacks the permission memory.read')
  })

  test('leaves out archived and trashed assets, over all pages', async () => {
    await connect()
    const ids = new Set<string>()
    let after: string | undefined
    do {
      const page = await ana.feeds.fetch({
        body: { subfeeds: album, limit: 50, ...(after === undefined ? {} : { after }) },
      })
      for (const { id } of page.posts) ids.add(id)
      after = page.after ?? undefined
    } while (after !== undefined)
    expect(ids.size).toBe(116)
  })

  test('is private: one account’s answers are not given to another', async () => {
    await connect()
    immich.asked.length = 0
    await ana.feeds.fetch({ body: { subfeeds: album } })
    const asked = immich.asked.length
    await ana.feeds.fetch({ body: { subfeeds: album } })
    expect(immich.asked).toHaveLength(asked)
    immich.changeKey('bens')
    await ben.connections.create({ body: { ...body, apiKey: 'bens' } })
    immich.asked.length = 0
    await ben.feeds.fetch({ body: { subfeeds: album } })
    expect(immich.asked.length).toBeGreaterThan(0)
    const { items } = await ben.feeds.suggest({ query: { q: 'immich:summer' } })
    expect(items.map(({ name }) => name)).toContain(album)
  })
})

describe('what a slide shows', () => {
  test('is streamed as a preview, or as a film with ranges, while slide, session and connection exist', async () => {
    const { id: connection } = await connect()
    const id = await world.makeFilled(ana, { subfeeds: album })
    const { media } = await read(id)
    const picture = await get(media[0]?.mediaUrl ?? null)
    expect(picture.status).toBe(200)
    expect(picture.headers.get('content-type')).toBe('image/jpeg')
    expect(picture.headers.get('cache-control')).toMatch('private')
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(immich.picture)
    expect((await get(media[0]?.thumbnail ?? null)).status).toBe(200)
    const film = media.find(({ type }) => type === 'video')
    const part = await get(film?.mediaUrl ?? null, { range: 'bytes=2-5' })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 2-5/${immich.film.length}`)
    expect(await part.text()).toBe('film')

    const forged = (media[0]?.mediaUrl ?? '').replace('preview', 'playback')
    expect((await get(forged)).status).toBe(404)
    const [first, second, third] = media.map(({ mediaUrl }) => mediaUrl)
    const slides = media.slice(1).map((slide) => ({ id: slide.id, mediaUrl: slide.mediaUrl ?? '' }))
    await ana.sessions.replaceMedia({ params: { id }, body: { slides } })
    expect((await get(first ?? null)).status).toBe(404)
    expect((await get(second ?? null)).status).toBe(200)
    // The owner can still see media that could become a slide; other people cannot.
    const cookie = { cookie: ana.jar.header() }
    expect((await get(first ?? null, cookie)).status).toBe(200)
    expect((await get(first ?? null, { cookie: ben.jar.header() })).status).toBe(404)
    await ana.connections.remove({ params: { id: connection } })
    expect((await get(second ?? null, cookie)).status).toBe(404)
    await connect()
    await ana.sessions.remove({ params: { id }, query: {} })
    expect((await get(third ?? null)).status).toBe(404)
  })

  test('is shown to others through the link, until the link ends', async () => {
    await connect()
    const id = await world.makeFilled(ana, { subfeeds: album })
    const { shareCode } = await ana.sharing.shareSession({ params: { id }, body: {} })
    const shared = await ben.sharing.open({ params: { code: shareCode } })
    const address = shared.media[0]?.mediaUrl ?? ''
    expect(address).toMatch(/\?g=share\.\d+&s=/)
    expect((await get(address)).status).toBe(200)
    await world.ctx.db.deleteFrom('session_shares').execute()
    expect((await get(address)).status).toBe(404)
  })

  test('leaves others their films while one viewer keeps unread streams open', async () => {
    await connect()
    const id = await world.makeFilled(ana, { subfeeds: album })
    const filmOf = (media: readonly { type: string; mediaUrl: string | null }[]) =>
      media.find(({ type }) => type === 'video')?.mediaUrl ?? ''
    const { shareCode } = await ana.sharing.shareSession({ params: { id }, body: {} })
    const byLink = filmOf((await ben.sharing.open({ params: { code: shareCode } })).media)
    const ownFilm = filmOf((await read(id)).media)
    const from = (viewer: string) => ({ 'x-forwarded-for': viewer })
    immich.be('an endless film')
    const holding: Promise<unknown>[] = []
    const ends = new AbortController()
    const hold = (viewer: string) => {
      const init = { headers: from(viewer), signal: ends.signal }
      const asked = fetch(`${world.url}${byLink}`, init).catch(() => null)
      holding.push(asked)
      return asked
    }
    const isFilmAsked = ({ path }: { path: string }) => path.endsWith('video/playback')
    try {
      // The limits: six streams for one viewer, and eight for one link.
      for (let count = 0; count < 14; count += 1) void hold('203.0.113.1')
      await expect.poll(() => immich.asked.filter(isFilmAsked).length).toBe(6)
      const others = ['203.0.113.2', '203.0.113.3'].map(hold)
      for (const film of others) expect((await film)?.status).toBe(200)
      for (const viewer of ['203.0.113.4', '203.0.113.5', '203.0.113.6']) void hold(viewer)
      // Neither limit uses the last slots: the owner's stream still starts.
      immich.be('well')
      const film = await get(ownFilm, { cookie: ana.jar.header(), ...from('203.0.113.7') })
      expect(await film.text()).toBe(immich.film.toString())
      expect(immich.asked.filter(isFilmAsked)).toHaveLength(9)
    } finally {
      ends.abort()
      await Promise.all(holding)
    }
    // Ended streams free their slots.
    const after = await get(byLink, from('203.0.113.1'))
    expect(await after.text()).toBe(immich.film.toString())
  })

  test('is only a picture or a film, whatever type the server declares', async () => {
    await connect()
    const { media } = await read(await world.makeFilled(ana, { subfeeds: album }))
    immich.be('lying types')
    expect((await get(media[0]?.mediaUrl ?? null)).status).toBe(404)
    immich.be('a web page')
    expect((await get(media[0]?.mediaUrl ?? null)).status).toBe(404)
    immich.be('broken')
    expect((await get(media[0]?.mediaUrl ?? null)).status).toBe(404)
  })

  test('is limited in size, however much the server sends', async () => {
    await connect()
    const { media } = await read(await world.makeFilled(ana, { subfeeds: album }))
    immich.be('endless')
    const { status, body } = await get(media[0]?.mediaUrl ?? null)
    expect(status).toBe(200)
    let bytes = 0
    const reading = async () => {
      for await (const chunk of body ?? []) bytes += chunk.byteLength
    }
    await expect(reading()).rejects.toThrow()
    expect(bytes).toBeGreaterThan(1_000_000)
    expect(bytes).toBeLessThanOrEqual(64 * 1_048_576)
  })

  test('is exported to an archive as a file', async () => {
    await connect()
    const id = await world.makeFilled(ana, { subfeeds: 'immich:memories' })
    const response = await get(`/api/sessions/${id}/export`, { cookie: ana.jar.header() })
    const entries = await unzip(Buffer.from(await response.arrayBuffer()))
    expect([...entries.keys()].some((name) => name.endsWith('.jpg'))).toBe(true)
  })
})

describe('its key', () => {
  test('is in no response, log, export, error, job or column', async () => {
    const seen: string[] = [JSON.stringify(await connect())]
    const id = await world.makeFilled(ana, { subfeeds: `${album},immich:album/Nowhere` })
    seen.push(JSON.stringify([await read(id), await ana.connections.list()]))
    seen.push(JSON.stringify(await ana.feeds.fetch({ body: { subfeeds: album } })))
    immich.be('repeats the key')
    world.clock.advance(7 * 3_600_000)
    seen.push(JSON.stringify((await refused(connect())).body))
    seen.push(JSON.stringify((await refused(ana.feeds.fetch({ body: { subfeeds: album } }))).body))
    await world.make(ana, { subfeeds: album })
    seen.push(await allRows())
    await world.runJobs()
    seen.push(await allRows(), lines.join('\n'))
    immich.be('well')
    const { entries, json } = await exportOf(ana)
    const text = [...entries.values()].map((bytes) => bytes.toString('latin1'))
    expect(json('connections.json')).toMatchObject([{ kind: 'immich', name: 'Ana of Immich' }])
    for (const [index, words] of [...seen, ...text].entries())
      for (const spelling of [immichKey, Buffer.from(immichKey).toString('hex')])
        expect(words.includes(spelling), String(index)).toBe(false)
    expect(seen.join('').length).toBeGreaterThan(10_000)
  })

  test('is deleted with its account, and is encrypted again when the keys change', async () => {
    await connect()
    const { id: userId } = await ana.accounts.currentUser()
    const renew = parseCommand(['renew-secrets'])
    expect(await renew(world.ctx)).toMatch(/0 keys of connections/)
    const later = {
      ...world.ctx.config,
      secretKeys: ['a newer one', ...world.ctx.config.secretKeys],
    }
    expect(await renew({ ...world.ctx, config: later })).toMatch(/1 keys of connections/)
    expect(await renew({ ...world.ctx, config: later })).toMatch(/0 keys of connections/)
    const rows = await world.ctx.db.deleteFrom('users').where('id', '=', userId).execute()
    expect(rows).toHaveLength(1)
    expect(await tracesOf(world, userId)).not.toContain('connections.user_id')
  })
})

/** Returns every row of every table, including the queue's. */
async function allRows(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
    from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`.execute(world.ctx.db)
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`
      select t::text as text from ${sql.raw(name)} t`.execute(world.ctx.db)
    texts.push(...rows.map(({ text }) => text))
  }
  return texts.join('\n')
}
