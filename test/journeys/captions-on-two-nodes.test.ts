/** Captions under many concurrent requests, on two nodes with one database. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectToServer } from '../../src/server/database/server.ts'
import { findUnbalanced } from '../../src/server/features/credits/ledger/queries.ts'
import type { CaptionServer } from '../support/caption-server.ts'
import { completion, plainCaption, serveCaptions } from '../support/caption-server.ts'
import type { CaptionWorld, PictureSite } from '../support/caption-world.ts'
import { createCaptionWorld, dataUrl, servePictures } from '../support/caption-world.ts'
import { eventually } from '../support/eventually.ts'
import { pictures } from '../support/fake-feed.ts'
import { copyTemplate, engine } from '../support/test-database.ts'
import type { Person } from '../support/world.ts'

let server: CaptionServer
let site: PictureSite
let nodes: CaptionWorld[]

beforeAll(async () => {
  ;[server, site] = [await serveCaptions(), await servePictures()]
  const settings = { SESSION_SECRET: 'the same on both nodes' }
  if (engine === 'embedded') {
    console.info('one node: the embedded database has one process')
    nodes = [await createCaptionWorld({ server, site, settings })]
    return
  }
  const url = await copyTemplate()
  const open = async () =>
    createCaptionWorld({ server, site, settings, database: await connectToServer(url) })
  nodes = [await open(), await open()]
})
beforeEach(() => server.reset())
afterAll(async () => {
  expect(await findUnbalanced(nodes[0]!.ctx)).toEqual([])
  for (const node of nodes) await node.close()
  await server.close()
  await site.close()
})

const nodeOf = (n: number) => nodes[n % nodes.length]!

/** Returns the same person as a client of the other node. */
function on(world: CaptionWorld, person: Person): Person {
  const same = world.visitor()
  same.jar.set('connect.sid', person.jar.get('connect.sid') ?? '')
  return same
}

test('25 slides played by 20 viewers at once cost the provider 25 calls at most', async () => {
  const [first] = nodes
  const owner = await first!.as('owner')
  first!.feed.put(
    'city',
    pictures('city', 25).map((one, n) => ({ ...one, mediaUrl: site.url(`/${n}.jpg`) })),
  )
  const { id: sessionId } = await owner.sessions.create({
    body: { title: 'Evening', subfeeds: 'city', isPublic: true },
  })
  await first!.runJobs()
  const viewers = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => on(nodeOf(n), await first!.as(`viewer${n}`))),
  )
  let written = 0
  // Slow enough that the other node requests while the first one writes.
  server.decide(() => async (response) => {
    const content = `${plainCaption} ${(written += 1)}.`
    await new Promise((resolve) => setTimeout(resolve, 150))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(completion({ content })))
  })
  const seen = await Promise.all(
    viewers.map((viewer) =>
      Promise.all(
        Array.from({ length: 25 }, async (_, n) => {
          const body = { media_url: site.url(`/${n}.jpg`), sessionId }
          return (await viewer.captions.generate({ body })).caption
        }),
      ),
    ),
  )
  expect(server.asked).toHaveLength(25)
  for (const captions of seen) expect(captions).toEqual(seen[0])
  expect(new Set(seen[0]).size).toBe(25)
})

test('a caption that one node writes is awaited on the other; if it fails, the other tries', async () => {
  const ana = await nodeOf(0).as('ana')
  const body = { media_url: await dataUrl(77) }
  const gate = Promise.withResolvers<void>()
  server.reply(async (response) => {
    await gate.promise
    response.writeHead(500).end()
  })
  const failing = ana.captions.generate({ body }).catch((error: { status: number }) => error.status)
  await eventually(() => expect(server.asked).toHaveLength(1))
  const waiting = on(nodeOf(1), ana)
    .captions.generate({ body })
    .catch(() => null)
  gate.resolve()
  expect(await failing).toBe(502)
  const second = await waiting
  if (nodes.length === 2) {
    expect(second).toEqual({ caption: plainCaption })
    expect(server.asked).toHaveLength(2)
  }
})

test('a claim of a dead node is taken over when its lease has expired', async () => {
  const ana = await nodeOf(0).as('bea')
  const body = { media_url: await dataUrl(78) }
  await ana.captions.generate({ body })
  const { ctx } = nodeOf(0)
  const leave = (leaseMs: number) =>
    ctx.db
      .updateTable('caption_cache')
      .set({ caption: null, lease_until: new Date(Date.now() + leaseMs) })
      .execute()
  await leave(700)
  expect(await ana.captions.generate({ body })).toEqual({ caption: plainCaption })
  expect(server.asked).toHaveLength(2)
})

test('calls at the same time on both nodes get no free captions', async () => {
  const cy = await nodeOf(0).as('cy')
  const people = [cy, on(nodeOf(1), cy)]
  const together = Promise.withResolvers<void>()
  server.always(async (response) => {
    await together.promise
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(completion({ content: plainCaption })))
  })
  const body = { image: await dataUrl(1), context: { index: 0, total: 2 } }
  const calls = Array.from({ length: 40 }, (_, n) =>
    people[n % 2]!.captions.generateManual({ body }).then(
      () => 200,
      (error: { status: number }) => error.status,
    ),
  )
  await eventually(() => expect(server.asked).toHaveLength(5))
  together.resolve()
  const statuses = await Promise.all(calls)
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  expect(statuses.filter((status) => status === 402)).toHaveLength(35)
  await nodeOf(0).settled()
  expect(await nodeOf(0).balanceOf(cy)).toBe(0)
  expect(server.asked).toHaveLength(5)
})
