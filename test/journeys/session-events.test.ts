/** Events of a session, listened to on another node than the one that fills it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkAnswer } from '../support/contract-check.ts'
import { createFakeFeed } from '../support/fake-feed.ts'
import { connectToServer } from '../../src/server/platform/database-server.ts'
import { copyTemplate, engine } from '../support/test-database.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let nodeA: World
let nodeB: World

beforeAll(async () => {
  const settings = { SESSION_SECRET: 'the same on both nodes' }
  if (engine === 'embedded') {
    console.info('one node: the embedded database has one process')
    nodeA = await createWorld(settings, { feed: createFakeFeed() })
    nodeB = nodeA
    return
  }
  const url = await copyTemplate()
  const open = async () =>
    createWorld(settings, { feed: createFakeFeed(), database: await connectToServer(url) })
  nodeA = await open()
  nodeB = await open()
})
afterAll(async () => {
  await nodeA.close()
  if (nodeB !== nodeA) await nodeB.close()
})

type Heard = { id: number; type: string; data: Record<string, unknown> }

/** Listens until `enough` says so, then hangs up. */
async function listen(
  person: Person,
  sessionId: number,
  enough: (heard: readonly Heard[]) => boolean,
  lastEventId?: number,
): Promise<Heard[]> {
  const stop = new AbortController()
  const response = await person.fetch(`/api/sessions/${sessionId}/events`, {
    signal: stop.signal,
    headers: lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) },
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  checkAnswer('sessions.events', { status: response.status, headers: response.headers, body: '' })
  const heard: Heard[] = []
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8')
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const [, id, type, data] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(frame) ?? []
      if (id && type && data) heard.push({ id: Number(id), type, data: JSON.parse(data) })
    }
    if (enough(heard)) break
  }
  stop.abort()
  return heard
}

/** The same person on the other node. */
function on(world: World, person: Person): Person {
  const same = world.visitor()
  same.jar.set('connect.sid', person.jar.get('connect.sid') ?? '')
  return same
}

test('a fill on one node is heard on another, and a listener goes on where it stopped', async () => {
  const ana = await nodeA.as('ana')
  const { id } = await ana.sessions.create({ body: { title: 'Evening', subfeeds: 'city' } })
  const listener = on(nodeB, ana)
  const first = await listen(listener, id, (heard) => heard.length >= 1)
  expect(first).toMatchObject([{ type: 'session', data: { id, fillStatus: 'pending' } }])
  const listening = listen(listener, id, (heard) => heard.length >= 1, first[0]!.id)
  await nodeA.runJobs()
  const cut = await listening
  const isDone = (heard: readonly Heard[]) => heard.some(({ type }) => type === 'done')
  const rest = isDone(cut) ? [] : await listen(listener, id, isDone, cut.at(-1)!.id)
  const all = [...cut, ...rest]
  expect(all.map((event) => event.id)).toEqual(all.map((_, index) => first[0]!.id + 1 + index))
  expect(all.at(-1)).toMatchObject({ type: 'done', data: { status: 'ready', mediaCount: 25 } })
  const again = await listen(listener, id, isDone, first[0]!.id)
  expect(again).toEqual(all)
})

test('many writers at once leave no gap and no repetition', async () => {
  const bo = await nodeA.as('bo')
  const { id } = await bo.sessions.create({ body: { title: 'Evening', subfeeds: 'city' } })
  const { tell } = await import('../../src/server/features/sessions/events.ts')
  const nodes = [nodeA.ctx, nodeB.ctx]
  const listening = listen(on(nodeB, bo), id, (heard) => heard.length >= 41, 0)
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => tell(nodes[index % 2]!, id, 'media', { index })),
  )
  const heard = await listening
  expect(heard.map((event) => event.id)).toEqual(Array.from({ length: 41 }, (_, n) => n + 1))
})
