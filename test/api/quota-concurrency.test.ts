/** The quota with many concurrent uploads, on two nodes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectToServer } from '../../src/server/database/server.ts'
import { fillStorage } from '../support/full-storage.ts'
import { openDiskStage } from '../support/storage-stages.ts'
import { copyTemplate, engine } from '../support/test-database.ts'
import { putMedia } from '../support/vault-media.ts'
import { samples } from '../support/vault-world.ts'
import type { World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

const applies = engine === 'postgres'
if (!applies) console.log('skipped: the quota on two nodes: the embedded database has one')

let first: World
let second: World
let stage: Awaited<ReturnType<typeof openDiskStage>>

beforeAll(async () => {
  if (!applies) return
  stage = await openDiskStage()
  const databaseUrl = await copyTemplate()
  const settings = { SESSION_SECRET: 'a secret that both nodes know' }
  const open = async () =>
    createWorld(settings, {
      database: await connectToServer(databaseUrl),
      storage: stage.storage,
    })
  first = await open()
  second = await open()
})
afterAll(async () => {
  if (!applies) return
  await first.close()
  await second.close()
  await stage.stop()
})

test.runIf(applies)('of fifty concurrent uploads exactly those that fit are kept', async () => {
  const here = await first.as('ana')
  const there = second.visitor({ cookie: here.jar.header() })
  const fits = 7
  await fillStorage(first, here, fits * samples.png.length + 3)
  const sent = Array.from({ length: 50 }, (_, number) =>
    putMedia(number % 2 === 0 ? here : there, samples.png, `${number}.png`),
  )
  const outcomes = await Promise.allSettled(sent)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(fits)
  const { totalCount } = await here.vault.list()
  expect(totalCount).toBe(fits)
  const { usedBytes, quotaBytes } = await here.storage.read()
  expect(usedBytes).toBe((quotaBytes ?? 0) - 3)
})
