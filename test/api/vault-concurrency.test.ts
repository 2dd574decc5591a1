/** The vault under concurrency: two nodes list at once, beside uploads and deletions. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectToServer } from '../../src/server/database/server.ts'
import { openDiskStage } from '../support/storage-stages.ts'
import { copyTemplate, engine } from '../support/test-database.ts'
import { samples, storedKeys, tracesIn, upload, userIdOf } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

const applies = engine === 'postgres'
if (!applies) console.log('skipped: the vault on two nodes: the embedded database has one')

let first: World
let second: World
let stage: Awaited<ReturnType<typeof openDiskStage>>

beforeAll(async () => {
  if (!applies) return
  stage = await openDiskStage()
  const databaseUrl = await copyTemplate()
  const settings = { SESSION_SECRET: 'a secret that both nodes know' }
  const open = async () => {
    const database = await connectToServer(databaseUrl)
    return createWorld(settings, { database, storage: stage.storage })
  }
  first = await open()
  second = await open()
})
afterAll(async () => {
  if (!applies) return
  await first.close()
  await second.close()
  await stage.stop()
})

/** Returns the same person as a client of both nodes. */
async function atBoth(name: string): Promise<[Person, Person]> {
  const here = await first.as(name)
  return [here, second.visitor({ cookie: here.jar.header() })]
}

test.runIf(applies)('concurrent lists on two nodes make one record of each file', async () => {
  const [here, there] = await atBoth('ana')
  const folder = `users/${await userIdOf(here)}`
  for (let number = 0; number < 60; number += 1) {
    await stage.storage.put('user-media', `${folder}/General/${number}.png`, samples.png)
    await stage.storage.put('user-media', `${folder}/Captions/${number}.png`, samples.png)
  }
  const lists = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? here : there).vault.list())
  for (const { totalCount, files, categories } of await Promise.all(lists)) {
    expect([totalCount, files.length]).toEqual([120, 120])
    expect(categories).toMatchObject({ upload: 60, 'smart-caption': 60 })
  }
  const jobs = await first.ctx.queue.boss.findJobs('enrich-media')
  expect(jobs).toHaveLength(120)
})

test.runIf(applies)(
  'concurrent uploads, lists and deletions leave a consistent state',
  async () => {
    const [here, there] = await atBoth('bo')
    const boId = await userIdOf(here)
    const kept: string[] = []
    const work = async (person: Person, lane: number) => {
      for (let round = 0; round < 8; round += 1) {
        const [one, other] = [await upload(person, 'same.png'), await upload(person, 'same.png')]
        await person.vault.list()
        await (lane % 2 === 0 ? there : here).vault.remove({ params: { id: one.id } })
        kept.push(other.filePath)
      }
    }
    const lister = async () => {
      for (let round = 0; round < 25; round += 1) await there.vault.list()
    }
    await Promise.all(
      [0, 1, 2, 3].map((lane) => work(lane % 2 ? here : there, lane)).concat(lister()),
    )
    const { files, totalCount, categories } = await here.vault.list()
    expect(files.map(({ path }) => path).toSorted()).toEqual(kept.toSorted())
    expect([totalCount, categories.upload]).toEqual([32, 32])
    expect((await storedKeys(stage.storage)).filter((key) => key.includes(boId))).toEqual(
      kept.toSorted(),
    )
    expect((await tracesIn(first))['unclaimed']).toEqual([])
  },
)

test.runIf(applies)('a file that is deleted while slides of it are made leaves none', async () => {
  const [here, there] = await atBoth('cy')
  for (let round = 0; round < 8; round += 1) {
    const { id } = await upload(here)
    const slides = [{ mediaUrl: 'https://pictures.example/a.jpg' }]
    const { session } = await here.sessions.createManual({ body: { title: 'By hand', slides } })
    const params = { id: String(session.id) }
    const both = { slides: [...slides, { mediaId: Number(id) }] }
    const [edited, removed] = await Promise.allSettled([
      here.sessions.replaceMedia({ params, body: both }),
      there.vault.remove({ params: { id } }),
    ])
    expect(removed.status).toBe('fulfilled')
    if (edited.status === 'rejected') expect(edited.reason).toMatchObject({ status: 404 })
    const after = await here.sessions.read({ params })
    expect(after.media).toHaveLength(1)
    expect(after.session.mediaCount).toBe(1)
  }
})
