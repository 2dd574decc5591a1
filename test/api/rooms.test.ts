/** Rooms: who may open, read and lead them. Without the code nothing is visible (contract 17). */
import { describe, expect, test } from 'vitest'
import { isRoomCode } from '../../src/contract/room-codes.ts'
import { runningSlide } from '../../src/contract/slide-time.ts'
import { hourMs, lead, makeShow, openRoom } from '../support/room-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refusalOf, refused } from '../support/world.ts'

let world: World
let ana: Person
let bo: Person
let sessionId: number
let code: string

useWorld(createWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  sessionId = (await makeShow(ana)).id
  code = (await openRoom(ana, sessionId)).room.code
})

const adult = async (person: Person) => {
  await person.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  return person
}
const read = (person: Person = world.visitor(), ofCode = code) =>
  person.rooms.read({ params: { code: ofCode } })
const statusOf = async (call: Promise<unknown>) => (await refused(call)).status
const nowMs = () => world.clock.now().getTime()

describe('a room', () => {
  test('is opened with addresses that contain no secret, and waits', async () => {
    const { room, ...addresses } = await openRoom(ana, sessionId, { loop: true })
    expect(isRoomCode(room.code)).toBe(true)
    expect(addresses).toEqual({
      hostUrl: `http://lanternist.test/rooms/${room.code}/host`,
      joinUrl: `http://lanternist.test/rooms/${room.code}`,
      tvUrl: `http://lanternist.test/tv/${room.code}`,
    })
    expect(room).toMatchObject({
      session: { title: 'Evening', mediaCount: 10, nsfw: false },
      state: { sequence: 1, status: 'waiting', slide: 0, speed: 1, blackout: false },
      screens: 0,
    })
    expect(room.state.settings).toEqual({
      intervalMin: 3,
      intervalMax: 10,
      transition: 'fade',
      captions: true,
      loop: true,
    })
    const lastsMs = new Date(room.endsAt).getTime() - new Date(room.createdAt).getTime()
    expect(lastsMs).toBe(12 * 3600 * 1000)
  })

  test('is readable by everyone with its code, in upper or lower case', async () => {
    for (const person of [world.visitor(), bo, ana]) {
      const { room, media } = await read(person, code.toLowerCase())
      expect(room.code).toBe(code)
      expect(media).toHaveLength(10)
    }
  })

  test('of a manual session starts paused', async () => {
    const byHand = await makeShow(ana, { isManualMode: true })
    expect((await openRoom(ana, byHand.id)).room.state.status).toBe('paused')
  })

  test('is opened by those who may play the session, and by no other account', async () => {
    const own = { sessionId }
    expect(await statusOf(world.visitor().rooms.open({ body: own }))).toBe(401)
    expect(await statusOf(bo.rooms.open({ body: own }))).toBe(403)
    expect(await statusOf(bo.rooms.open({ body: { sessionId: 2_000_000_000 } }))).toBe(404)
    expect(await statusOf(bo.rooms.open({ body: {} }))).toBe(400)
    const { shareCode } = await ana.sharing.shareSession({
      params: { id: String(sessionId) },
      body: { password: 'open sesame' },
    })
    expect(await statusOf(bo.rooms.open({ body: { shareCode } }))).toBe(401)
    const headers = { 'x-share-password': 'open%20sesame' }
    const byLink = await bo.rooms.open({ body: { shareCode }, headers })
    expect((await read(ana, byLink.room.code)).media).toHaveLength(10)
    expect(await statusOf(bo.rooms.open({ body: { shareCode: world.ctx.newId() } }))).toBe(404)
    await ana.sharing.shareSession({
      params: { id: String(sessionId) },
      body: { password: null, expiresAt: new Date(nowMs() + 60_000).toISOString() },
    })
    world.clock.advance(61_000)
    const reason = () => refusalOf(bo.rooms.open({ body: { shareCode } }))
    expect(await reason()).toEqual([410, 'SHARE_EXPIRED'])
    const stopped = { expiresAt: new Date(0).toISOString() }
    await ana.sharing.shareSession({ params: { id: String(sessionId) }, body: stopped })
    expect(await reason()).toEqual([410, 'SHARE_STOPPED'])
  })

  test('is one of at most a hundred open rooms of a host', async () => {
    for (let number = 1; number < 100; number += 1) await openRoom(ana, sessionId)
    const { status, body } = await refused(openRoom(ana, sessionId))
    expect([status, body]).toMatchObject([429, { message: 'Too many rooms are open' }])
    await lead(ana, code, { command: 'end' })
    await openRoom(ana, sessionId)
  })
})

describe('an unknown or ended code', () => {
  const paths = [
    ['GET', ''],
    ['GET', '/events'],
    ['POST', '/commands'],
    ['POST', '/remotes'],
    ['GET', '/remotes'],
    ['DELETE', '/remotes/x'],
    ['POST', '/reactions'],
  ] as const

  test('answers the same to everyone, before anything else is checked', async () => {
    await lead(ana, code, { command: 'end' })
    for (const unknown of [code, 'ABCDEF', 'abcde', 'O0O0O0', 'ABCDEFG', '%00'])
      for (const person of [world.visitor(), bo, ana])
        for (const [method, path] of paths) {
          const response = await person.fetch(`/api/rooms/${unknown}${path}`, {
            method,
            ...(method === 'POST' && { body: 'no json', headers: { 'content-type': 'text/json' } }),
          })
          expect([response.status, await response.text()], `${method} ${unknown}${path}`).toEqual([
            404,
            '{"message":"Room not found"}',
          ])
        }
  })
})

describe('a command', () => {
  test('is the host’s or a remote’s', async () => {
    const play = { command: 'play' } as const
    expect(await statusOf(lead(world.visitor(), code, play))).toBe(401)
    expect(await statusOf(lead(bo, code, play))).toBe(403)
    const { id, token, remoteUrl } = await ana.rooms.addRemote({ params: { code } })
    expect(remoteUrl).toBe(`http://lanternist.test/remote/${code}#${token}`)
    const headers = { 'x-room-remote': token }
    expect((await lead(world.visitor(), code, play, headers)).status).toBe('playing')
    const [kept] = await ana.rooms.listRemotes({ params: { code } })
    expect(kept).toMatchObject({ id, lastUsedAt: expect.any(String) })
    expect(JSON.stringify(kept)).not.toContain(token)
    // A remote of one room does not work in another room of the same host.
    const other = (await openRoom(ana, sessionId)).room.code
    expect(await statusOf(lead(world.visitor(), other, play, headers))).toBe(401)
    await ana.rooms.removeRemote({ params: { code, id: String(id) } })
    expect(await statusOf(lead(world.visitor(), code, play, headers))).toBe(401)
    expect(await statusOf(lead(bo, code, play, headers))).toBe(403)
    expect((await lead(ana, code, play, headers)).status).toBe('playing')
  })

  test('first moves the state to the current slide, then changes it', async () => {
    await lead(ana, code, { command: 'play' })
    world.clock.advance(3.4 * hourMs)
    const paused = await lead(ana, code, { command: 'pause' })
    expect(paused).toMatchObject({ sequence: 3, status: 'paused', slide: 3 })
    expect(paused.positionMs).toBeGreaterThanOrEqual(0.4 * hourMs)
    world.clock.advance(2 * hourMs)
    const playing = await lead(ana, code, { command: 'play' })
    expect(playing).toMatchObject({ sequence: 4, status: 'playing', slide: 3, positionMs: 0 })
    const { media } = await read()
    const on = runningSlide(playing, media, nowMs())
    expect(on.slide).toBe(3)
    expect(on.positionMs - paused.positionMs).toBeLessThan(0.1 * hourMs)
  })

  test('goes forward and back, and stops at the ends unless it loops', async () => {
    const step = async (command: 'next' | 'previous') => (await lead(ana, code, { command })).slide
    expect(await step('previous')).toBe(0)
    expect(await step('next')).toBe(1)
    expect((await lead(ana, code, { command: 'seek', slide: 9 })).slide).toBe(9)
    expect(await step('next')).toBe(9)
    const settings = { loop: true }
    await lead(ana, code, { command: 'settings', settings })
    expect(await step('next')).toBe(0)
    expect((await read()).room.state.status).toBe('waiting')
  })

  test('changes speed without a jump, and pace, captions and light', async () => {
    await lead(ana, code, { command: 'play' })
    world.clock.advance(0.4 * hourMs)
    const fast = await lead(ana, code, { command: 'speed', speed: 2 })
    const { media } = await read()
    const { slide, positionMs } = runningSlide(fast, media, nowMs())
    expect([slide, fast.speed]).toEqual([0, 2])
    expect(positionMs).toBeGreaterThanOrEqual(0.4 * hourMs)
    const settings = { intervalMin: 20, captions: false, transition: 'none' } as const
    const calm = await lead(ana, code, { command: 'settings', settings })
    // The bound that was not sent moved to match the other.
    expect(calm.settings).toMatchObject({ ...settings, intervalMax: 20 })
    expect((await lead(ana, code, { command: 'blackout', blackout: true })).blackout).toBe(true)
  })

  test('that is invalid is refused and changes nothing', async () => {
    const before = (await read()).room.state
    for (const body of [
      { command: 'dance' },
      { command: 'seek' },
      { command: 'seek', slide: 10 },
      { command: 'seek', slide: -1 },
      { command: 'speed', speed: 5 },
      { command: 'speed', speed: 0.1 },
      { command: 'settings', settings: { intervalMin: 9, intervalMax: 3 } },
      { command: 'settings', settings: { intervalMin: 61 } },
      { command: 'blackout' },
    ])
      expect(await statusOf(lead(ana, code, body as never)), JSON.stringify(body)).toBe(400)
    for (const path of ['commands', 'reactions']) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }
      expect((await ana.fetch(`/api/rooms/${code}/${path}`, init)).status).toBe(400)
    }
    const params = { code }
    expect(await statusOf(ana.rooms.react({ params, body: { emoji: '🦊' } as never }))).toBe(400)
    expect((await read()).room.state).toEqual(before)
  })

  test('for an older state is refused with the newer one', async () => {
    const { sequence } = await lead(ana, code, { command: 'play' })
    const next = { command: 'next', ifSequence: sequence } as const
    await lead(ana, code, next)
    const { status, body } = await refused(lead(ana, code, next))
    expect([status, body]).toMatchObject([409, { state: { sequence: sequence + 1 } }])
  })

  test('is not lost when many arrive at once', async () => {
    const before = (await read()).room.state.sequence
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => lead(ana, code, { command: 'next' })),
    )
    const sequences = answers.map(({ sequence }) => sequence).toSorted((a, b) => a - b)
    expect(sequences).toEqual(Array.from({ length: 30 }, (_, index) => before + index + 1))
  })

  test('plays another session if the host may play it', async () => {
    const other = await makeShow(ana, { title: 'Morning', intervalMin: 7, intervalMax: 7 })
    await lead(ana, code, { command: 'seek', slide: 4 })
    // The host's account leads as the host, whatever token it sends.
    const { token } = await ana.rooms.addRemote({ params: { code } })
    const headers = { 'x-room-remote': token }
    const swap = (id: number) => lead(ana, code, { command: 'swap', sessionId: id }, headers)
    const { seed } = (await read()).room.state
    expect(await swap(other.id)).toMatchObject({
      slide: 0,
      status: 'waiting',
      seed,
      settings: { intervalMin: 7, intervalMax: 7 },
    })
    expect((await read()).room.session.title).toBe('Morning')
    const bos = await makeShow(bo)
    expect(await statusOf(swap(bos.id))).toBe(403)
    expect(await statusOf(swap(2_000_000_000))).toBe(404)
    const nsfw = await makeShow(ana, { nsfw: true })
    expect(await statusOf(swap(nsfw.id))).toBe(403)
    await bo.sessions.update({ params: { id: String(bos.id) }, body: { isPublic: true } })
    await swap(bos.id)
    await bo.sessions.update({ params: { id: String(bos.id) }, body: { isPublic: false } })
    expect(await statusOf(read())).toBe(404)
  })
})

describe('the list of a room', () => {
  const list = (sessionIds: number[], person = ana, headers = {}) =>
    lead(person, code, { command: 'sessions', sessionIds }, headers)

  test('limits the sessions of a remote, so that it cannot find others by counting ids', async () => {
    const [listed, unlisted] = [await makeShow(ana, { title: 'Morning' }), await makeShow(ana)]
    const { token } = await ana.rooms.addRemote({ params: { code } })
    const headers = { 'x-room-remote': token }
    const swap = (id: number) =>
      lead(world.visitor(), code, { command: 'swap', sessionId: id }, headers)
    for (const id of [listed.id, unlisted.id, 2_000_000_000])
      expect(await statusOf(swap(id))).toBe(403)
    await list([listed.id, listed.id])
    await swap(listed.id)
    expect((await read()).room.session.title).toBe('Morning')
    for (const id of [unlisted.id, 2_000_000_000]) expect(await statusOf(swap(id))).toBe(403)
    await list([])
    expect(await statusOf(swap(listed.id))).toBe(403)
  })

  test('is set by the host from sessions that they may play, and does not change the running show', async () => {
    const bos = await makeShow(bo)
    const { token } = await ana.rooms.addRemote({ params: { code } })
    const headers = { 'x-room-remote': token }
    await lead(ana, code, { command: 'seek', slide: 3 })
    const before = (await read()).room.state
    expect(await statusOf(list([sessionId], world.visitor(), headers))).toBe(403)
    expect(await statusOf(list([sessionId], bo))).toBe(403)
    expect(await statusOf(list([sessionId], world.visitor()))).toBe(401)
    expect(await statusOf(list([bos.id]))).toBe(403)
    expect(await statusOf(list([2_000_000_000]))).toBe(404)
    // The first session on the list that cannot be played is the one that is refused.
    expect(await statusOf(list([sessionId, bos.id, 2_000_000_000]))).toBe(403)
    expect(await statusOf(list([2_000_000_000, bos.id, sessionId]))).toBe(404)
    expect(await statusOf(list(Array.from({ length: 51 }, (_, index) => index + 1)))).toBe(400)
    expect((await read()).room.state).toEqual(before)
    expect(await list([sessionId])).toEqual({ ...before, sequence: before.sequence + 1 })
  })

  test('is shown to host and remotes, without sessions that the host may no longer play', async () => {
    const morning = await makeShow(ana, { title: 'Morning' })
    expect((await openRoom(ana, sessionId)).room.sessions).toEqual([])
    await list([morning.id, sessionId])
    const { token } = await ana.rooms.addRemote({ params: { code } })
    const headers = { 'x-room-remote': token }
    const byRemote = await world.visitor().rooms.read({ params: { code }, headers })
    const shown = [
      { id: morning.id, title: 'Morning' },
      { id: sessionId, title: 'Evening' },
    ]
    expect(byRemote.room.sessions).toEqual(shown)
    expect((await read(ana)).room.sessions).toEqual(shown)
    for (const person of [bo, world.visitor()])
      expect((await read(person)).room).not.toHaveProperty('sessions')
    await ana.sessions.remove({ params: { id: String(morning.id) } })
    expect((await read(ana)).room.sessions).toEqual(shown.slice(1))
  })
})

describe('remotes', () => {
  test('are created, listed and removed by the host; the oldest are removed above the limit', async () => {
    for (const [person, status] of [
      [world.visitor(), 401],
      [bo, 403],
    ] as const) {
      expect(await statusOf(person.rooms.addRemote({ params: { code } }))).toBe(status)
      expect(await statusOf(person.rooms.listRemotes({ params: { code } }))).toBe(status)
      const params = { code, id: '1' }
      expect(await statusOf(person.rooms.removeRemote({ params }))).toBe(status)
    }
    for (const id of ['2000000000', 'x'])
      expect([400, 404]).toContain(await statusOf(ana.rooms.removeRemote({ params: { code, id } })))
    const first = await ana.rooms.addRemote({ params: { code } })
    for (let number = 0; number < 20; number += 1) await ana.rooms.addRemote({ params: { code } })
    const kept = await ana.rooms.listRemotes({ params: { code } })
    expect(kept).toHaveLength(20)
    expect(kept.map(({ id }) => id)).not.toContain(first.id)
  })
})

describe('adult pictures', () => {
  test('need age-verified accounts', async () => {
    const { id } = await makeShow(await adult(ana), { nsfw: true })
    expect(await statusOf(adult(bo).then(() => openRoom(bo, id)))).toBe(403)
    const { room } = await openRoom(ana, id)
    expect((await read(bo, room.code)).media).toHaveLength(10)
    const cy = await world.as('cy')
    for (const person of [world.visitor(), cy]) {
      const { status, body } = await refused(read(person, room.code))
      expect([status, body]).toMatchObject([403, { code: 'AGE_VERIFICATION_REQUIRED' }])
      const params = { code: room.code }
      expect(await statusOf(person.rooms.react({ params, body: { emoji: '✨' } }))).toBe(403)
      expect((await person.fetch(`/api/rooms/${room.code}/events`)).status).toBe(403)
    }
    const cys = await makeShow(cy, { nsfw: true })
    expect(await statusOf(openRoom(cy, cys.id))).toBe(403)
  })
})

test('a room ends half a day after the last command, and a sweep deletes it', async () => {
  world.clock.advance(6 * 3600 * 1000)
  await lead(ana, code, { command: 'play' })
  world.clock.advance(11.9 * 3600 * 1000)
  await read()
  world.clock.advance(0.2 * 3600 * 1000)
  expect(await statusOf(read())).toBe(404)
  world.clock.advance(24 * 3600 * 1000)
  const { sweepRooms } = await import('../../src/server/features/rooms/jobs.ts')
  await sweepRooms.run(world.ctx, {})
  expect(await world.ctx.db.selectFrom('rooms').select('id').execute()).toEqual([])
})

test('everyone can read the server’s clock, and it is never cached', async () => {
  const response = await world.visitor().fetch('/api/time')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const { now } = await world.visitor().rooms.time()
  expect(Math.abs(now - nowMs())).toBeLessThan(10_000)
})
