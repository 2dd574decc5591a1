/** Events of a room, for screens on any node, and how a room ends (contract 17). */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Listening } from '../support/event-listener.ts'
import { on } from '../support/event-listener.ts'
import { eventually } from '../support/eventually.ts'
import { setRole } from '../support/admin-world.ts'
import { lead, listenToRoom, makeShow, openRoom, statesOf, typesOf } from '../support/room-world.ts'
import type { TwoNodes } from '../support/two-nodes.ts'
import { createTwoNodes } from '../support/two-nodes.ts'
import type { Person, World } from '../support/world.ts'
import { refused } from '../support/world.ts'

let nodes: TwoNodes
let nodeA: World
let nodeB: World
let ana: Person
let sessionId: number
let code: string

beforeAll(async () => {
  nodes = await createTwoNodes()
  ;({ nodeA, nodeB } = nodes)
})
afterAll(() => nodes.close())
beforeEach(async () => {
  await nodeA.reset()
  ana = await nodeA.as('ana')
  sessionId = (await makeShow(ana)).id
  code = (await openRoom(ana, sessionId)).room.code
})

async function screenOn(world: World, headers: Record<string, string> = {}): Promise<Listening> {
  const screen = await listenToRoom(world.visitor(), code, headers)
  onTestFinished(() => screen.hangUp())
  expect(screen.status).toBe(200)
  return screen
}

const sequencesOf = (screen: Listening) => statesOf(screen).map(({ sequence }) => sequence)
const lastScreens = ({ heard }: Listening) =>
  heard.findLast(({ type }) => type === 'screens')?.data['screens']
const params = () => ({ id: String(sessionId) })

describe('a screen', () => {
  test('gets the state at once and every change, on every node', async () => {
    const [one, other] = [await screenOn(nodeA), await screenOn(nodeB)]
    for (const screen of [one, other])
      await eventually(() => expect(sequencesOf(screen)).toEqual([1]))
    await lead(ana, code, { command: 'play' })
    await lead(on(nodeB, ana), code, { command: 'next' })
    for (const screen of [one, other]) {
      await eventually(() => expect(sequencesOf(screen).at(-1)).toBe(3))
      expect(statesOf(screen).at(-1)).toMatchObject({ status: 'playing', slide: 1 })
      expect(screen.heard.findLast(({ type }) => type === 'state')?.id).toBe(3)
    }
  })

  test('that reconnects gets the newest state only if it is newer', async () => {
    await lead(ana, code, { command: 'play' })
    const behind = await screenOn(nodeA, { 'last-event-id': '1' })
    const current = await screenOn(nodeB, { 'last-event-id': '2' })
    await eventually(() => expect(sequencesOf(behind)).toEqual([2]))
    await eventually(() => expect(lastScreens(current)).toBe(2))
    expect(sequencesOf(current)).toEqual([])
    await lead(ana, code, { command: 'pause' })
    await eventually(() => expect(sequencesOf(current)).toEqual([3]))
  })

  test('with an event id that never existed, as after a restore, gets the newest state', async () => {
    const ahead = await screenOn(nodeA, { 'last-event-id': '999' })
    await eventually(() => expect(sequencesOf(ahead)).toEqual([1]))
    await lead(ana, code, { command: 'play' })
    await eventually(() => expect(sequencesOf(ahead)).toEqual([1, 2]))
  })

  test('is counted across all nodes, and no longer once it has left', async () => {
    const [one, other] = [await screenOn(nodeA), await screenOn(nodeB)]
    for (const screen of [one, other]) await eventually(() => expect(lastScreens(screen)).toBe(2))
    expect((await ana.rooms.read({ params: { code } })).room.screens).toBe(2)
    other.hangUp()
    await eventually(() => expect(lastScreens(one)).toBe(1))
  })

  test('of a dead node stops being counted', async () => {
    const one = await screenOn(nodeA)
    await eventually(() => expect(lastScreens(one)).toBe(1))
    const rooms = await nodeA.ctx.db.selectFrom('rooms').select('id').execute()
    const dead = { room_id: rooms[0]?.id ?? 0, node_id: nodeA.ctx.newId(), screens: 5 }
    await nodeA.ctx.db
      .insertInto('room_screens')
      .values({ ...dead, touched_at: new Date(Date.now() - 14_000) })
      .execute()
    await lead(ana, code, { command: 'play' })
    await eventually(() => expect(lastScreens(one)).toBe(6))
    await expect.poll(() => lastScreens(one)).toBe(1)
  })

  test('sees everyone’s reactions', async () => {
    const [one, other] = [await screenOn(nodeA), await screenOn(nodeB)]
    await nodeB.visitor().rooms.react({ params: { code }, body: { emoji: '🎉' } })
    for (const screen of [one, other])
      await eventually(() =>
        expect(screen.heard).toContainEqual({ id: 0, type: 'reaction', data: { emoji: '🎉' } }),
      )
  })

  test('gets an event when slides change or are swapped, and none without a change', async () => {
    const screen = await screenOn(nodeB)
    const media = () => typesOf(screen).filter((type) => type === 'media').length
    await eventually(() => expect(lastScreens(screen)).toBe(1))
    await nodeA.ctx.db
      .updateTable('session_media')
      .set({ link_check_at: new Date() })
      .where('session_id', '=', sessionId)
      .execute()
    const { media: slides } = await ana.sessions.read({ params: params() })
    await ana.sessions.updateMedia({
      params: { ...params(), mediaId: String(slides[0]?.id) },
      body: { caption: 'Look at the bay.' },
    })
    await eventually(() => expect(media()).toBe(1))
    const kept = slides.slice(1).map(({ id }) => ({ id }))
    await ana.sessions.replaceMedia({ params: params(), body: { slides: kept } })
    await eventually(() => expect(media()).toBeGreaterThan(1))
    expect((await nodeB.visitor().rooms.read({ params: { code } })).media).toHaveLength(9)
    const before = media()
    const other = await makeShow(ana, { title: 'Morning' })
    await lead(ana, code, { command: 'swap', sessionId: other.id })
    await eventually(() => expect(media()).toBe(before + 1))
  })
})

describe('a room ends and notifies every screen', () => {
  async function expectEnded(end: () => Promise<unknown>): Promise<void> {
    const screens = [await screenOn(nodeA), await screenOn(nodeB)]
    for (const screen of screens) await eventually(() => expect(sequencesOf(screen)).toEqual([1]))
    await end()
    for (const screen of screens) {
      await screen.ended
      expect(statesOf(screen).at(-1)).toMatchObject({ status: 'ended', sequence: 2 })
    }
    const { status } = await refused(nodeB.visitor().rooms.read({ params: { code } }))
    expect(status).toBe(404)
  }

  test('by a command', async () => {
    await expectEnded(() => lead(ana, code, { command: 'end' }))
  })

  test('with its session', async () => {
    await expectEnded(() => ana.sessions.remove({ params: params() }))
  })

  test('with its session in the trash, and stays ended when the session is restored', async () => {
    await expectEnded(() => ana.sessions.remove({ params: params(), query: { trash: 'true' } }))
    await ana.trash.restore({ body: { items: [{ kind: 'session', id: sessionId }] } })
    const { status } = await refused(nodeA.visitor().rooms.read({ params: { code } }))
    expect(status).toBe(404)
  })

  test('with its host’s account', async () => {
    await expectEnded(() => ana.accounts.deleteAccount({ body: { confirm: 'ana@example.test' } }))
  })

  test('when its host is disabled', async () => {
    const { id } = await ana.accounts.currentUser()
    const ada = await nodeA.as('ada')
    await setRole(nodeA, 'ada', 'super_admin')
    await expectEnded(() => ada.admin.changeUser({ params: { id }, body: { isActive: false } }))
  })

  test('when it is reported by its code, and stays so when that is dismissed', async () => {
    const admin = nodeA.visitor()
    await admin.accounts.devSignIn()
    let reportId = 0
    await expectEnded(async () => {
      const target = { targetType: 'room', shareCode: code.toLowerCase() } as const
      const body = { ...target, reason: 'non_consensual' } as const
      ;({ reportId } = await nodeB.visitor().moderation.report({ body }))
    })
    expect((await refused(openRoom(ana, sessionId))).status).toBe(422)
    await admin.moderation.resolveReport({
      params: { id: String(reportId) },
      body: { action: 'dismiss' },
    })
    const again = await refused(nodeA.visitor().rooms.read({ params: { code } }))
    expect(again.status).toBe(404)
    const { items } = await admin.moderation.listReports({ query: { status: 'decided' } })
    expect(items[0]).toMatchObject({ targetType: 'room', shareCode: code, targetId: null })
    expect((await ana.sessions.read({ params: params() })).media).toHaveLength(10)
  })

  test('when its host may no longer play it', async () => {
    const bo = await nodeA.as('bo')
    const { shareCode } = await ana.sharing.shareSession({
      params: params(),
      body: { password: 'first' },
    })
    const headers = { 'x-share-password': 'first' }
    code = (await bo.rooms.open({ body: { shareCode }, headers })).room.code
    await expectEnded(() =>
      ana.sharing.shareSession({ params: params(), body: { password: 'another' } }),
    )
  })
})

test('a room that becomes adult closes to others, and its screens get the end', async () => {
  await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  const own = await listenToRoom(ana, code)
  onTestFinished(() => own.hangUp())
  const guest = await screenOn(nodeB)
  await eventually(() => expect(sequencesOf(guest)).toEqual([1]))
  await ana.sessions.update({ params: params(), body: { nsfw: true } })
  await guest.ended
  await eventually(() => expect(typesOf(own)).toContain('media'))
  await ana.accounts.verifyAge({ body: { ageVerified: false } })
  await own.ended
})
