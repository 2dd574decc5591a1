/** Access through a link (contract 4.2 and 8): passwords, and links that need no account. */
import { describe, expect, test } from 'vitest'
import { shareHeaders } from '../../src/client/client.ts'
import { sweepEvents } from '../../src/server/features/sessions/jobs.ts'
import { pictures } from '../support/fake-feed.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refusalOf, refused } from '../support/world.ts'

let world: SessionWorld
let ana: Person
let bo: Person
let id: string

useWorld(
  () => createSessionWorld({ RATE_LIMIT_SHARE_PASSWORD: '3/900' }),
  async (fresh) => {
    world = fresh
    world.clock.advance(3600_000)
    ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
    world.feed.put('city', [
      ...pictures('adult', 2, { subfeed: 'city', nsfw: true }),
      ...pictures('city', 5),
    ])
    await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
    id = await world.makeFilled(ana)
  },
)

const share = (body: object = {}) => ana.sharing.shareSession({ params: { id }, body })
const soon = () => new Date(world.clock.now().getTime() + 60_000).toISOString()
const from = (ip: string) => world.visitor({ 'x-forwarded-for': ip })

describe('a password of a link', () => {
  const right = 'open sesame'

  /** Returns every read that takes these headers, as bo makes it from this address. */
  async function readsOf(code: string, ip: string, password: string) {
    const member = from(ip)
    member.jar.set('connect.sid', bo.jar.get('connect.sid') ?? '')
    const headers = shareHeaders({ code, password })
    const params = { id }
    const body = { media_url: 'http://city.test/0.jpg', sessionId: Number(id) }
    return {
      preview: () => from(ip).sharing.preview({ params: { code }, headers }),
      open: () => member.sharing.open({ params: { code }, headers }),
      read: () => member.sessions.read({ params, headers }),
      play: () => member.sessions.play({ params, headers }),
      events: () => member.sessions.events({ params, headers }),
      caption: () => member.captions.generate({ body, headers }),
      prewarm: () => member.captions.prewarm({ body: { sessionId: Number(id) }, headers }),
    }
  }

  test('can be guessed a few times by an address, with any endpoint', async () => {
    const { shareCode: code } = await share({ password: right })
    const names = Object.keys(await readsOf(code, '', ''))
    for (const [place, name] of names.entries()) {
      const ip = `198.51.100.${place + 1}`
      const wrong = Object.entries(await readsOf(code, ip, 'guess')).find(([key]) => key === name)
      for (let guess = 0; guess < 3; guess += 1)
        expect(await refused(Promise.resolve(wrong?.[1]())), name).toMatchObject({
          status: 401,
          body: { requiresPassword: true },
        })
      const closed = await refused(Promise.resolve(wrong?.[1]()))
      expect(closed, name).toMatchObject({ status: 429, body: { error: 'Too Many Requests' } })
      const waitSeconds = Number(closed.headers.get('retry-after'))
      expect(closed.body).toMatchObject({ retryAfter: waitSeconds })
      expect(waitSeconds).toBeGreaterThan(0)
      expect(waitSeconds).toBeLessThanOrEqual(300)
      expect(closed.headers.get('x-ratelimit-limit')).toBe('3')
      // The right password is refused too. Otherwise the answer would reveal it.
      const { preview } = await readsOf(code, ip, right)
      expect((await refused(preview())).status).toBe(429)
    }
    await (await readsOf(code, '203.0.113.200', right)).open()
    world.clock.advance(300_000)
    await (await readsOf(code, '198.51.100.1', right)).preview()
  })

  test('counts only wrong passwords, and one address is a whole /64', async () => {
    const { shareCode: code } = await share({ password: right })
    const params = { code }
    const visitor = from('2001:db8:1:2::1')
    for (let times = 0; times < 8; times += 1) {
      await visitor.sharing.preview({ params, headers: shareHeaders({ password: right }) })
      expect((await refused(visitor.sharing.preview({ params }))).status).toBe(401)
    }
    const guess = (ip: string) =>
      refused(from(ip).sharing.preview({ params, headers: shareHeaders({ password: 'no' }) }))
    for (const last of ['2', '3', '4'])
      expect((await guess(`2001:db8:1:2::${last}`)).status).toBe(401)
    expect((await guess('2001:db8:1:2:ffff::5')).status).toBe(429)
    expect((await guess('2001:db8:1:3::1')).status).toBe(401)
  })

  test('is limited for one code over all addresses, and for no other code', async () => {
    const { shareCode: code } = await share({ password: right })
    const other = await world.makeFilled(ana, { title: 'Other' })
    const { shareCode: otherCode } = await ana.sharing.shareSession({
      params: { id: other },
      body: { password: right },
    })
    const headers = shareHeaders({ password: 'guess' })
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, guess) =>
        refused(from(`203.0.113.${guess}`).sharing.preview({ params: { code }, headers })),
      ),
    )
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(30)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(10)
    const attempt = from('203.0.113.39').sharing.preview({ params: { code: otherCode }, headers })
    expect((await refused(attempt)).status).toBe(401)
  })

  test('may hold any letters, and is sent encoded', async () => {
    for (const password of ['пароль 🏮', 'half%', '100%25', 'Größe']) {
      const { shareCode: code } = await share({ password })
      const headers = shareHeaders({ code, password })
      expect((await bo.sharing.open({ params: { code }, headers })).session.title).toBe('Evening')
    }
    // A value that cannot be decoded is used as it is.
    const { shareCode: code } = await share({ password: 'half%' })
    const headers = { 'x-share-password': 'half%' }
    expect((await bo.sharing.open({ params: { code }, headers })).session.title).toBe('Evening')
  })
})

describe('a link for anyone', () => {
  test('works without an account, only while it is set to anyone', async () => {
    const { shareCode: code } = await share({ access: 'anyone' })
    const params = { code }
    const visitor = world.visitor()
    expect(await ana.sharing.readShare({ params: { id } })).toMatchObject({ access: 'anyone' })
    const { session, media } = await visitor.sharing.open({ params })
    expect(session.title).toBe('Evening')
    expect(media.map(({ nsfw }) => nsfw)).toEqual([false, false, false, false, false])
    expect((await visitor.sharing.preview({ params })).requiresAuth).toBe(false)
    expect((await bo.sharing.open({ params })).media).toHaveLength(5)
    await share()
    await visitor.sharing.open({ params })
    await share({ access: null })
    expect((await refused(visitor.sharing.open({ params }))).status).toBe(401)
    expect((await visitor.sharing.preview({ params })).requiresAuth).toBe(true)
  })

  test('does not change who may read without it', async () => {
    await share({ access: 'anyone', password: 'open sesame' })
    expect((await ana.sessions.read({ params: { id } })).session.isPublic).toBe(false)
    await share({ password: null })
    expect((await ana.sessions.read({ params: { id } })).session.isPublic).toBe(true)
  })

  test('can be played for free by its headers alone', async () => {
    await ana.sessions.update({ params: { id }, body: { captionTheme: 'custom', aiPrompt: 'Hm' } })
    const { shareCode: code } = await share({ access: 'anyone' })
    const visitor = world.visitor()
    const headers = shareHeaders({ code })
    const { media } = await visitor.sharing.open({ params: { code } })
    const mediaIds = media.map((slide) => slide.id)
    const play = await visitor.sessions.play({ params: { id }, headers })
    expect(play.credits).toBeNull()
    const params = { playId: String(play.playId) }
    const body = { mediaIds }
    const seen = { charged: 0, balance: null }
    expect(await visitor.sessions.view({ params, body, headers })).toEqual(seen)
    const again = { ...headers, 'idempotency-key': 'one' }
    expect(await visitor.sessions.view({ params, body, headers: again })).toEqual(seen)
    expect((await refused(visitor.sessions.view({ params, body }))).status).toBe(401)
    expect((await refused(visitor.sessions.play({ params: { id } }))).status).toBe(401)
    // A visitor cannot report views of a member's play, and a member cannot report views of a visitor's.
    const own = await bo.sessions.play({ params: { id } })
    const others = visitor.sessions.view({ params: { playId: String(own.playId) }, body, headers })
    expect((await refused(others)).status).toBe(404)
    expect((await refused(bo.sessions.view({ params, body }))).status).toBe(404)
    world.clock.advance(25 * 3600_000)
    await sweepEvents(world.ctx)
    expect((await refused(visitor.sessions.view({ params, body, headers }))).status).toBe(404)
    expect(await world.ctx.db.selectFrom('plays').select('user_id').execute()).toHaveLength(1)
  })

  test('opens nothing else, and no other session', async () => {
    const { shareCode: code } = await share({ access: 'anyone' })
    const other = await world.makeFilled(ana, { title: 'Other' })
    const visitor = world.visitor()
    const headers = shareHeaders({ code })
    const params = { id }
    const ways = [
      () => visitor.sessions.play({ params: { id: other }, headers }),
      () => visitor.sessions.play({ params: { id: '2147483647' }, headers }),
      () => visitor.sessions.read({ params, headers }),
      () => visitor.sessions.events({ params, headers }),
      () => visitor.sessions.refill({ params, headers }),
      () => visitor.captions.prewarm({ body: { sessionId: Number(id) }, headers }),
      () =>
        visitor.captions.generate({
          body: { media_url: 'http://city.test/0.jpg', sessionId: Number(id) },
          headers,
        }),
      () => visitor.sharing.open({ params: { code: '3f1c9a2e-7b54-4d0e-9c0d-1a2b3c4d5e6f' } }),
    ]
    for (const way of ways) expect((await refused(way())).status).toBe(401)
  })

  test('shows no slide and no cover of a session with an adult theme', async () => {
    await ana.sessions.update({ params: { id }, body: { captionTheme: 'joi' } })
    const { shareCode: code } = await share({ access: 'anyone' })
    const params = { code }
    const { session, media } = await world.visitor().sharing.open({ params })
    expect([session.title, session.thumbnail, media]).toEqual(['Evening', null, []])
    const preview = await world.visitor().sharing.preview({ params })
    expect([preview.session.thumbnail, preview.media]).toEqual([null, []])
    expect((await refused(bo.sharing.open({ params }))).status).toBe(403)
  })

  test('asks for its password, expires, and is hidden like any other', async () => {
    const { shareCode: code } = await share({
      access: 'anyone',
      password: 'sesame',
      expiresAt: soon(),
    })
    const params = { code }
    const headers = shareHeaders({ code, password: 'sesame' })
    const visitor = world.visitor()
    const { playId } = await visitor.sessions.play({ params: { id }, headers })
    const view = { params: { playId: String(playId) }, body: { mediaIds: [1] } }
    const ways = [
      (sent: Record<string, string>) => visitor.sharing.open({ params, headers: sent }),
      (sent: Record<string, string>) => visitor.sessions.play({ params: { id }, headers: sent }),
      (sent: Record<string, string>) => visitor.sessions.view({ ...view, headers: sent }),
    ]
    for (const way of ways) {
      await way(headers)
      const asked = await refused(way(shareHeaders({ code })))
      expect(asked).toMatchObject({ status: 401, body: { requiresPassword: true } })
    }
    world.clock.advance(61_000)
    const reason = (way: (typeof ways)[number]) => refusalOf(way(headers))
    for (const way of ways) expect(await reason(way)).toEqual([410, 'SHARE_EXPIRED'])
    await share({ expiresAt: new Date(world.clock.now().getTime() - 1).toISOString() })
    for (const way of ways) expect(await reason(way)).toEqual([410, 'SHARE_STOPPED'])
    await share({ expiresAt: null, password: null })
    await visitor.sharing.open({ params })
    const body = { targetType: 'shared_session', shareCode: code, reason: 'minor' } as const
    await visitor.moderation.report({ body })
    for (const way of ways) expect((await refused(way(headers))).status).toBe(401)
    expect((await refused(visitor.sharing.preview({ params }))).status).toBe(404)
    expect((await refused(ana.sessions.read({ params: { id } }))).status).toBe(404)
  })

  test('is read within the public limit of an address', async () => {
    const { shareCode: code } = await share({ access: 'anyone' })
    const limited = await createSessionWorld({ RATE_LIMIT_PUBLIC: '2/900' })
    try {
      const visitor = limited.visitor()
      for (const _ of [1, 2])
        expect((await refused(visitor.sharing.open({ params: { code } }))).status).toBe(401)
      expect((await refused(visitor.sharing.open({ params: { code } }))).status).toBe(429)
    } finally {
      await limited.close()
    }
  })
})
