/** The limits and the ledger when one person makes many calls at once, on two nodes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectToServer } from '../../src/server/database/server.ts'
import type { EnhancementWorld } from '../support/enhancement-world.ts'
import { createEnhancementWorld, pictureFile } from '../support/enhancement-world.ts'
import { eventually } from '../support/eventually.ts'
import { insertPast } from '../support/past-generations.ts'
import { copyTemplate, engine } from '../support/test-database.ts'
import type { Person } from '../support/world.ts'

const isServer = engine === 'postgres'
const nodes: EnhancementWorld[] = []

beforeAll(async () => {
  // The embedded database has one process, so one node.
  const url = isServer ? await copyTemplate() : null
  const secret = { SESSION_SECRET: 'one secret for both of the nodes' }
  for (let count = 0; count < (isServer ? 2 : 1); count++)
    nodes.push(
      await createEnhancementWorld(secret, url ? { database: await connectToServer(url) } : {}),
    )
})
afterAll(() => Promise.all(nodes.map((node) => node.close())))

/** Returns the same person as a client of every node. */
async function everywhere(name: string, credits: number): Promise<Person[]> {
  const first = await nodes[0]!.enhancer(name, credits)
  const cookie = first.jar.header()
  return nodes.map((node, index) => (index === 0 ? first : node.visitor({ cookie })))
}

type Outcome = { status: number; code: string | null }

async function callAtOnce(persons: readonly Person[], count: number): Promise<Outcome[]> {
  const images = await Promise.all(
    Array.from({ length: count }, (_, index) => pictureFile({ width: 8, height: 8, seed: index })),
  )
  return Promise.all(
    images.map(async (image, index) => {
      const form = new FormData()
      form.append('quality', 'low')
      form.append('image', image)
      const person = persons[index % persons.length]!
      const response = await person.fetch('/api/enhance/generate', { method: 'POST', body: form })
      const { code = null } = (await response.json()) as { code?: string }
      return { status: response.status, code }
    }),
  )
}

test('of fifty concurrent calls three run, and the others are refused', async () => {
  const persons = await everywhere('ana', 5000)
  const held = nodes.map((node) => node.holdProviders())
  const entered = () => held.reduce((sum, { entered }) => sum + entered(), 0)
  const calls = callAtOnce(persons, 50)
  await eventually(() => expect(entered()).toBe(3))
  const settled = calls.then(() => true)
  await eventually(async () =>
    expect(
      (await nodes[0]!.records('ana')).filter(({ status }) => status === 'pending'),
    ).toHaveLength(3),
  )
  // Refused calls do not wait for running ones.
  await new Promise((resolve) => setTimeout(resolve, 2000))
  expect(entered()).toBe(3)
  for (const { release } of held) release()
  await settled
  const outcomes = await calls
  const limited = outcomes.filter(({ code }) => code === 'CONCURRENT_LIMIT_REACHED')
  const done = outcomes.filter(({ status }) => status === 200)
  expect(done.length + limited.length).toBe(50)
  const movements = await nodes[0]!.movements('ana')
  expect(movements.map(({ amount }) => amount)).toEqual(done.map(() => -25))
})

test('the daily limit of thirty holds for any order of calls', async () => {
  const [node] = nodes
  const persons = await everywhere('bo', 5000)
  await insertPast(node!, 'bo', 28)
  const outcomes = await callAtOnce(persons, 20)
  expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(outcomes.filter(({ status }) => status === 429)).toHaveLength(18)
  expect(await node!.movements('bo')).toHaveLength(2)
})

test('credits for two pay for two', async () => {
  // The welcome credits pay for two.
  const persons = await everywhere('cy', 0)
  const outcomes = await callAtOnce(persons, 20)
  expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(2)
  for (const { status, code } of outcomes)
    if (status !== 200) expect(['INSUFFICIENT_CREDITS', 'CONCURRENT_LIMIT_REACHED']).toContain(code)
  expect((await persons[0]!.credits.balance()).balance).toBe(0)
})

test('ten calls with one key are one enhancement', async () => {
  const persons = await everywhere('di', 1000)
  const image = await pictureFile()
  const answers = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const form = new FormData()
      form.append('quality', 'high')
      form.append('image', image)
      const response = await persons[index % persons.length]!.fetch('/api/enhance/generate', {
        method: 'POST',
        body: form,
        headers: { 'idempotency-key': 'the-same' },
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }),
  )
  for (const { status, body } of answers)
    if (status !== 200) expect(body['code']).toBe('IDEMPOTENCY_IN_PROGRESS')
  const ids = answers.flatMap(({ body }) => body['generationId'] ?? [])
  expect(new Set(ids).size).toBe(1)
  expect(await nodes[0]!.movements('di')).toHaveLength(1)
})
