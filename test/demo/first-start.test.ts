/** The first start of a fresh checkout: there is something to play at once, and it is made only once. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { layDemoSketches } from '../support/demo-sketches.ts'
import { eventually } from '../support/eventually.ts'
import { devClient, endServices, startService, unlimited } from '../support/service-process.ts'

let folder: string

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
  folder = await mkdtemp(join(tmpdir(), 'lanternist-demo-start-'))
  await layDemoSketches(join(folder, 'data'))
})
afterAll(async () => {
  await endServices()
  await rm(folder, { recursive: true })
})

test('a fresh development start has sessions to play and a community to browse, and a restart makes no more', async () => {
  const first = await startService({ ...unlimited, FEED: 'demo' }, { folder })
  const developer = await devClient(first, 1)
  await eventually(async () => {
    const filled = (await developer.sessions.list()).map(({ mediaCount }) => mediaCount)
    expect(filled).toEqual([25, 25, 25])
  })
  const [newest, ...others] = await developer.sessions.list()
  const picture = await fetch(`${first.url}${newest?.thumbnail}`)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  // The copies for the community are made after the start. Here they are only enqueued.
  const published = await (await devClient(first, 2)).sessions.list()
  expect(published.map(({ shareToCommunity }) => shareToCommunity)).toEqual([true, true, true])
  await developer.sessions.remove({ params: { id: String(newest?.id) } })
  expect(await first.stop()).toEqual({ code: 0, signal: null })
  expect(first.stderr).toBe('')

  const second = await startService({ ...unlimited, FEED: 'demo' }, { folder })
  const again = await (await devClient(second, 1)).sessions.list()
  expect(again.map(({ id }) => id)).toEqual(others.map(({ id }) => id))
  expect(await (await devClient(second, 2)).sessions.list()).toHaveLength(3)
  await second.stop()
})
