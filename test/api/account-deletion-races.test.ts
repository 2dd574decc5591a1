/** Deletion of an account while its requests and jobs run on two nodes: nothing remains. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectToServer } from '../../src/server/database/server.ts'
import { findUnbalanced } from '../../src/server/features/credits/ledger/queries.ts'
import { tracesOf } from '../support/account-traces.ts'
import { emailOf } from '../support/admin-world.ts'
import { createCommunityWorld } from '../support/community-world.ts'
import { createEnhancementWorld, pictureFile } from '../support/enhancement-world.ts'
import { eventually } from '../support/eventually.ts'
import { openDiskStage } from '../support/storage-stages.ts'
import { copyTemplate, engine } from '../support/test-database.ts'
import { pngFile, storedKeys, userIdOf } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

const isServer = engine === 'postgres'
const nodes: World[] = []
let stage: Awaited<ReturnType<typeof openDiskStage>>

beforeAll(async () => {
  stage = await openDiskStage()
  // The embedded database has one process, so one node.
  const url = isServer ? await copyTemplate() : null
  const settings = { SESSION_SECRET: 'one secret for both of the nodes' }
  for (let count = 0; count < (isServer ? 2 : 1); count += 1) {
    const database = url ? { database: await connectToServer(url) } : {}
    nodes.push(await createWorld(settings, { ...database, storage: stage.storage }))
  }
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await stage.stop()
})

const first = () => nodes[0] as World
const last = () => nodes.at(-1) as World

const uploadTo = (person: Person, source: string) => {
  const form = new FormData()
  form.append('source', source)
  form.append('file', pngFile())
  return person.fetch('/api/media/upload', { method: 'POST', body: form })
}
const post = (person: Person, path: string, body: object, headers: Record<string, string> = {}) =>
  person.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('uploads, debits and sign-ins during a deletion either complete before it or not at all', async () => {
  const seen = new Set<number>()
  for (let round = 0; round < 4; round += 1) {
    const name = `ana${round}`
    const here = await first().as(name)
    const there = last().visitor({ cookie: here.jar.header() })
    const userId = await userIdOf(here)
    const kinds = (person: Person, number: number) => {
      const key = { 'idempotency-key': `key-${number}` }
      const session = { title: `S${number}`, subfeeds: 'city' }
      return [
        () => uploadTo(person, 'general'),
        () => uploadTo(person, 'profile'),
        () => post(person, '/api/sessions', session, number % 2 === 0 ? key : {}),
        () => post(person, '/api/user/daily-bonus/claim', {}),
        () => person.fetch('/api/user/media'),
        () => person.fetch('/api/auth/export'),
      ]
    }
    // Each lane continues until the service answers 401.
    const lanes = Array.from({ length: 12 }, async (_, lane) => {
      for (let number = 0; number < 300; number += 1) {
        const calls = kinds(lane % 2 === 0 ? here : there, lane * 1000 + number)
        const response = await calls[lane % calls.length]!()
        await response.arrayBuffer()
        seen.add(response.status)
        if (response.status === 401) return
      }
      throw new Error('the account was never gone')
    })
    await sleep(100 + round * 50)
    const cookie = { cookie: here.jar.header() }
    const deletion = await last()
      .visitor(cookie)
      .accounts.deleteAccount({ body: { confirm: emailOf(name) } })
    expect(deletion).toEqual({ message: 'Account deleted' })
    await Promise.all(lanes)
    await first().runJobs()
    expect(await tracesOf(first(), userId)).toEqual([])
    const keys = await storedKeys(stage.storage)
    expect(keys.filter((key) => key.includes(userId))).toEqual([])
  }
  for (const status of seen) expect([200, 201, 400, 401, 402]).toContain(status)
  expect(await findUnbalanced(first().ctx)).toEqual([])
})

test('publishing during a deletion leaves nothing in the community', async () => {
  const world = await createCommunityWorld()
  try {
    for (let round = 0; round < 4; round += 1) {
      await world.reset()
      const ana = await world.adult('ana')
      const userId = await userIdOf(ana)
      const sessionId = await world.makeFilled(ana)
      await ana.sessions.update({ params: { id: sessionId }, body: { shareToCommunity: true } })
      // The first round deletes at once, later rounds later while the media is copied.
      const removeLater = async () => {
        await sleep(round * 40)
        await ana.accounts.deleteAccount({ body: { confirm: emailOf('ana') } })
      }
      await Promise.all([world.runJobs(), removeLater()])
      world.clock.advance(11 * 60 * 1000)
      await world.runJobs()
      expect(await world.filesIn('general')).toEqual([])
      expect(await world.filesIn('user-media')).toEqual([])
      expect(await tracesOf(world, userId)).toEqual([])
    }
  } finally {
    await world.close()
  }
})

test('an enhancement that is running when its account is deleted ends without a refund and leaves no file', async () => {
  const world = await createEnhancementWorld()
  try {
    const ana = await world.enhancer('ana', 500)
    const userId = await world.idOf('ana')
    const held = world.holdProviders()
    const image = await pictureFile({ width: 16, height: 16, seed: 1 })
    const calls = [undefined, 'a-key'].map(async (key) => {
      const form = new FormData()
      form.append('quality', 'low')
      form.append('image', image)
      const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
      return ana.fetch('/api/enhance/generate', { method: 'POST', body: form, headers })
    })
    await eventually(() => expect(held.entered()).toBe(2))
    await ana.accounts.deleteAccount({ body: { confirm: emailOf('ana') } })
    held.release()
    for (const { status } of await Promise.all(calls)) expect(status).toBe(503)
    world.clock.advance(11 * 60 * 1000)
    await world.runJobs()
    expect(await tracesOf(world, userId)).toEqual([])
    expect((await storedKeys(world.ctx.storage)).filter((key) => key.includes(userId))).toEqual([])
    const refunds = await world.ctx.db
      .selectFrom('credit_transactions')
      .select('id')
      .where('type', '=', 'refund')
      .execute()
    expect(refunds).toEqual([])
    expect(await findUnbalanced(world.ctx)).toEqual([])
  } finally {
    await world.close()
  }
})

test('two concurrent deletions act like one', async () => {
  const here = await first().as('twice')
  const there = last().visitor({ cookie: here.jar.header() })
  const remove = (person: Person) =>
    person.fetch('/api/auth/user', {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ confirm: emailOf('twice') }),
    })
  const statuses = (await Promise.all([remove(here), remove(there)])).map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401])
})
