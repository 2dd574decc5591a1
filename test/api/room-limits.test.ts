/** Rate limits for room requests and for guesses of codes, by address (contract, section 8). */
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { listenToRoom, makeShow, openRoom } from '../support/room-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: World
let ana: Person
let code: string

useWorld(
  () => createWorld({ RATE_LIMIT_ROOM: '6/60' }),
  async (fresh) => {
    world = fresh
    world.clock.advance(3600_000)
    ana = await world.as('ana')
    code = (await openRoom(ana, (await makeShow(ana)).id)).room.code
  },
)

const read = () => world.visitor().rooms.read({ params: { code } })
const from = (ip: string) => world.visitor({ 'x-forwarded-for': ip })

test('every path counts, also with wrong codes', async () => {
  const params = { code: 'ABCDEF' }
  const calls = (person: Person) => [
    () => person.rooms.read({ params }),
    () => person.fetch('/api/rooms/ABCDEF/events'),
    () => person.rooms.command({ params, body: { command: 'play' } }),
    () => person.rooms.addRemote({ params }),
    () => person.rooms.listRemotes({ params }),
    () => person.rooms.removeRemote({ params: { ...params, id: '1' } }),
    () => person.rooms.react({ params, body: { emoji: '👀' } }),
    () => person.rooms.open({ body: { sessionId: 1 } }),
  ]
  for (const place of calls(from('')).keys()) {
    const person = from(`198.51.100.${place + 1}`)
    for (let guess = 0; guess < 6; guess += 1) await refused(person.rooms.read({ params }))
    const answer = await statusOf(calls(person)[place])
    expect(answer).toBe(429)
  }
})

test('an open event stream costs nothing, one that answers 404 does', async () => {
  const guest = from('203.0.113.1')
  for (let number = 0; number < 8; number += 1) {
    const screen = await listenToRoom(guest, code)
    expect(screen.status).toBe(200)
    screen.hangUp()
  }
  for (let guess = 0; guess < 6; guess += 1)
    expect((await listenToRoom(guest, 'ABCDEF')).status).toBe(404)
  expect((await listenToRoom(guest, 'ABCDEF')).status).toBe(429)
  // The right code is refused too. Otherwise the answer would reveal it.
  expect((await listenToRoom(guest, code)).status).toBe(429)
})

test('reactions are limited to one a second by account, else by address', async () => {
  const react = (person: Person) => person.rooms.react({ params: { code }, body: { emoji: '🎉' } })
  const guest = from('203.0.113.2')
  await react(guest)
  await react(ana)
  expect((await refused(react(guest))).status).toBe(429)
  expect((await refused(react(ana))).status).toBe(429)
  await react(from('203.0.113.3'))
  world.clock.advance(1000)
  await react(guest)
})

test('a room accepts a limited number of screens from one address', async () => {
  const screens = []
  for (let screen = 0; screen < 300; screen += 1)
    screens.push(await listenToRoom(from('203.0.113.4'), code))
  expect(new Set(screens.map(({ status }) => status))).toEqual(new Set([200]))
  const last = await listenToRoom(from('203.0.113.4'), code)
  expect([last.status, last.response.headers.get('retry-after')]).toEqual([429, '15'])
  for (const { hangUp } of screens) hangUp()
  await eventually(async () => expect((await read()).room.screens).toBe(0))
})

async function statusOf(call: (() => Promise<unknown>) | undefined): Promise<number> {
  const answer = await call?.().catch((error: unknown) => error)
  return (answer as { status: number }).status
}
