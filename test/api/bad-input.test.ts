/**
 * Requests that violate the contract, generated from our own OpenAPI document (`npm run faults
 * bad-input`).
 */
import { Agent } from 'node:http'
import { afterAll, beforeAll, expect } from 'vitest'
import { seededRandom } from '../support/fault.ts'
import type { ApiDocument } from '../support/hostile-requests.ts'
import { createRequestMaker, readOperations } from '../support/hostile-requests.ts'
import { complaintOf, sendHostile } from '../support/hostile-sender.ts'
import { readHostileValues } from '../support/hostile-values.ts'
import { createSampler } from '../support/schema-sampler.ts'
import { testShared } from '../support/shared-corpora.ts'
import type { World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

const rounds = 4

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

testShared('no operation fails on invalid input', async () => {
  const answer = await fetch(`${world.url}/api/openapi.json`)
  const document = (await answer.json()) as ApiDocument
  const random = seededRandom('bad input')
  const sampler = createSampler(document.components.schemas, random)
  const make = createRequestMaker(random, sampler, readHostileValues(random))
  const agent = new Agent({ keepAlive: true })
  const complaints: string[] = []
  let sent = 0
  for (let round = 0; round < rounds; round += 1)
    for (const operation of readOperations(document)) {
      const member = world.visitor()
      await member.accounts.devSignIn({ query: { account: round % 2 === 0 ? '1' : '3' } })
      const asked = make(operation)
      const outcome = await sendHostile(world.url, agent, asked, member.jar.header())
      const complaint = complaintOf(asked, outcome, world.ctx.config.dataDir)
      if (complaint !== null) complaints.push(`${complaint}: ${asked.path} ${String(asked.body)}`)
      sent += 1
    }
  agent.destroy()
  expect(complaints).toEqual([])
  return sent
})
