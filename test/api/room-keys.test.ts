/**
 * Rooms and API keys: a key with the scope for rooms opens, leads and watches as its owner does. Any
 * other key has no access.
 */
import { expect, onTestFinished, test } from 'vitest'
import { problems } from '../../src/contract/problems.ts'
import { eventually } from '../support/eventually.ts'
import { emailOf } from '../support/admin-world.ts'
import { programOf, withKey } from '../support/key-world.ts'
import { lead, listenToRoom, makeShow, openRoom, statesOf } from '../support/room-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: World
let ana: Person
let bo: Person
let sessionId: number

useWorld(createWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  sessionId = (await makeShow(ana)).id
})

/** Returns all calls that only a leader may make. */
function callsOfLeaders(person: Person, code: string) {
  return [
    () => lead(person, code, { command: 'next' }),
    () => person.rooms.addRemote({ params: { code } }),
    () => person.rooms.listRemotes({ params: { code } }),
    () => person.rooms.removeRemote({ params: { code, id: '1' } }),
  ]
}

async function refusals(person: Person, code: string) {
  const answers = []
  for (const call of callsOfLeaders(person, code)) answers.push(await refused(call()))
  return answers
}

test('a program opens a room and controls it to its end', async () => {
  const program = await programOf(world, ana, ['rooms', 'sessions:read'])
  const { room } = await openRoom(program, sessionId)
  const params = { code: room.code }
  expect((await lead(program, room.code, { command: 'play' })).status).toBe('playing')
  const { id, token } = await program.rooms.addRemote({ params })
  expect(await program.rooms.listRemotes({ params })).toMatchObject([{ id }])
  const headers = { 'x-room-remote': token }
  expect((await lead(world.visitor(), room.code, { command: 'next' }, headers)).slide).toBe(1)
  await program.rooms.removeRemote({ params: { ...params, id: String(id) } })
  expect((await lead(ana, room.code, { command: 'pause' })).status).toBe('paused')
  expect((await lead(program, room.code, { command: 'end' })).status).toBe('ended')
  expect((await refused(program.rooms.read({ params }))).status).toBe(404)
})

test('a key without session access shows no private session in a room, with any command', async () => {
  const program = await programOf(world, ana, ['rooms'])
  const scopeMissing = { status: 403, body: { code: 'SCOPE_MISSING' } }
  expect(await refused(openRoom(program, sessionId))).toMatchObject(scopeMissing)
  const open = await makeShow(ana, { title: 'For all', isPublic: true })
  const { code } = (await openRoom(program, open.id)).room
  for (const call of [
    () => lead(program, code, { command: 'swap', sessionId }),
    () => lead(program, code, { command: 'sessions', sessionIds: [sessionId] }),
  ])
    expect(await refused(call())).toMatchObject(scopeMissing)
  expect((await program.rooms.read({ params: { code } })).room).toMatchObject({
    session: { title: 'For all' },
    sessions: [],
  })
  // Anyone with the code of a link may play its session.
  const params = { id: String(sessionId) }
  const { shareCode } = await ana.sharing.shareSession({ params, body: { password: 'sesame' } })
  const headers = { 'x-share-password': 'sesame' }
  await program.rooms.open({ body: { shareCode }, headers })
})

test('a key of another account, with another scope, or an invalid one controls nothing', async () => {
  const { code } = (await openRoom(ana, sessionId)).room
  for (const { status, body } of await refusals(await programOf(world, bo, ['rooms']), code))
    expect([status, body]).toEqual([403, problems.forbidden.fixed])
  const reader = await programOf(world, ana, ['sessions:read', 'sessions:write'])
  for (const { status, body } of await refusals(reader, code))
    expect([status, body]).toMatchObject([403, problems.scopeMissing.fixed])
  for (const { status } of await refusals(withKey(world, `lan_${'A'.repeat(43)}`), code))
    expect(status).toBe(401)
  // An unknown code is refused first, for every caller.
  for (const { status } of await refusals(reader, 'ABCDEF')) expect(status).toBe(404)
  // Such a key does not remove its holder's access to public endpoints.
  expect((await reader.rooms.read({ params: { code } })).room.state.sequence).toBe(1)
})

test('a disabled account controls nothing, by its browser or by its key', async () => {
  const { code } = (await openRoom(ana, sessionId)).room
  const program = await programOf(world, bo, ['rooms'])
  await world.ctx.db
    .updateTable('users')
    .set({ is_active: false })
    .where('email', '=', emailOf('bo'))
    .execute()
  for (const person of [bo, program])
    for (const { status, body } of await refusals(person, code))
      expect([status, body]).toEqual([403, problems.accountDisabled.fixed])
})

test('adult pictures need a key of an age-verified account, while the key exists', async () => {
  await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  const { id } = await makeShow(ana, { nsfw: true })
  const { code } = (await openRoom(ana, id)).room
  const params = { code }
  const made = await ana.keys.create({ body: { name: 'Wall', scopes: ['rooms'] } })
  const program = withKey(world, made.key)
  expect((await program.rooms.read({ params })).media).toHaveLength(10)
  for (const other of [
    await programOf(world, bo, ['rooms']),
    await programOf(world, ana, ['sessions:read']),
  ]) {
    expect((await refused(other.rooms.read({ params }))).status).toBe(403)
    expect((await other.fetch(`/api/rooms/${code}/events`)).status).toBe(403)
  }
  const screen = await listenToRoom(program, code)
  onTestFinished(() => screen.hangUp())
  await eventually(() => expect(statesOf(screen)).toHaveLength(1))
  await lead(ana, code, { command: 'play' })
  await eventually(() => expect(statesOf(screen)).toHaveLength(2))
  await ana.keys.remove({ params: { id: made.id } })
  await screen.ended
})
