/**
 * Ten thousand guesses at the code of a room. An address is limited on every path, and the time of an
 * answer does not reveal if a code ever belonged to a room.
 */
import assert from 'node:assert/strict'
import { roomCodeLength, roomCodeLetters } from '../../src/contract/room-codes.ts'
import { evenFrom, evenness, evenTo, isEven } from '../support/even-times.ts'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Random, Verdict } from '../support/fault.ts'
import { noRefillSeconds, verdict } from '../support/fault.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { devCookie, startService } from '../support/service-process.ts'

const guesses = 10_000
const atOnce = 20
const tries = 240
const timedTries = 4000

export const row: FaultRow = {
  budgetSeconds: 300,
  runs: 'in the table',
  shortTests: ['test/api/room-limits.test.ts', 'test/api/rooms.test.ts'],
  mutant: {
    file: 'src/contract/rooms.ts',
    line: "limit: { policy: 'room', counts: 'failures' },",
    becomes: "limit: 'none',",
  },
  checks: [
    {
      load: `${guesses} wrong codes from one address by three paths, ${atOnce} at once`,
      goal: `${tries} are judged, also where the last one is right`,
      machine: 'shared',
      inSmoke: true,
      run: guessCodes,
    },
    {
      load: `${timedTries} codes of ended rooms and of none, in turns`,
      goal: `U/n² within ${evenFrom}-${evenTo}`,
      run: timeCodes,
    },
  ],
}

async function openService(tools: FaultTools, settings: Record<string, string> = {}) {
  const home = await newServerHome(tools)
  return startService({ ...home.settings, CAPTIONS: 'off', ...settings }, home)
}

async function guessCodes(tools: FaultTools): Promise<Verdict> {
  const limit = { RATE_LIMIT_ROOM: `${tries}/${noRefillSeconds}` }
  const service = await openService(tools, limit)
  const { code } = await openRoom(service)
  const paths = ['', '/events', '/remotes']
  const statuses = new Map<number, number>()
  const count = tools.scaled(guesses)
  let sent = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (sent < count) {
        const path = paths[(sent += 1) % paths.length] ?? ''
        const status = await ask(service, randomCode(tools.random), path)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }),
  )
  const rights = await Promise.all(paths.map((path) => ask(service, code, path)))
  const [judged = 0, refused = 0] = [statuses.get(404), statuses.get(429)]
  return verdict(`${judged} judged, ${refused} refused, the right one: ${rights.join(', ')}`, {
    // Opening the room used one try.
    'not as many were judged as may be': judged === Math.min(tries - 1, sent),
    'something else was answered': judged + refused === sent,
    'the right code got through': sent < tries || rights.every((status) => status === 429),
  })
}

async function timeCodes(tools: FaultTools): Promise<Verdict> {
  const service = await openService(tools)
  const { code, cookie } = await openRoom(service)
  const ended = await fetch(`${service.url}/api/rooms/${code}/commands`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ command: 'end' }),
  })
  assert.equal(ended.status, 200)
  const share = await evenness(
    tools,
    tools.scaled(timedTries, 40),
    (tried) => ask(service, tried, ''),
    {
      first: () => code,
      second: () => randomCode(tools.random),
    },
  )
  return verdict(`U/n² ${share.toFixed(3)}`, { 'the time tells what was a room': isEven(share) })
}

async function openRoom(service: ServiceProcess): Promise<{ code: string; cookie: string }> {
  const cookie = await devCookie(service, 1)
  const headers = { cookie, 'content-type': 'application/json' }
  const made = await fetch(`${service.url}/api/sessions/manual`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ title: 'Evening', slides: [{ mediaUrl: 'https://example.org/a.jpg' }] }),
  })
  const { session } = (await made.json()) as { session: { id: number } }
  const answer = await fetch(`${service.url}/api/rooms`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ sessionId: session.id }),
  })
  assert.equal(answer.status, 201)
  const { room } = (await answer.json()) as { room: { code: string } }
  return { code: room.code, cookie }
}

async function ask({ url }: ServiceProcess, code: string, path: string): Promise<number> {
  const answer = await fetch(`${url}/api/rooms/${code}${path}`)
  // An open event stream would not end.
  if (answer.status === 200) await answer.body?.cancel()
  else await answer.arrayBuffer()
  return answer.status
}

function randomCode(random: Random): string {
  const letter = () => roomCodeLetters[random.between(0, roomCodeLetters.length - 1)]
  return Array.from({ length: roomCodeLength }, letter).join('')
}
