/**
 * Sessions of many sources on two nodes with one database: sources that are down or slow, and one shared
 * rate limit for each host.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectToServer } from '../../src/server/database/server.ts'
import type { MachineFolders } from '../support/machine-folders.ts'
import { createMachineFolders } from '../support/machine-folders.ts'
import { plainJpeg } from '../support/sample-media.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import { openSourceSite } from '../support/source-site.ts'
import { copyTemplate, engine } from '../support/test-database.ts'
import { putMedia } from '../support/vault-media.ts'

type Site = Awaited<ReturnType<typeof openSourceSite>>

let [site, down, slow]: Site[] = []
let folders: MachineFolders
let nodes: SessionWorld[]

beforeAll(async () => {
  ;[site, down, slow] = [await openSourceSite(), await openSourceSite(), await openSourceSite()]
  folders = await createMachineFolders()
  const settings = {
    ...site.settings,
    SESSION_SECRET: 'the same on both nodes',
    FEEDS: 'demo,rss,mastodon,bluesky,commons',
    FOLDERS_DIR: folders.dir,
    FOLDERS_FOR: 'user',
    FETCH_ALLOW: [site, down, slow].map(({ host }) => host).join(','),
  }
  if (engine === 'embedded') {
    console.info('one node: the embedded database has one process')
    nodes = [await createSessionWorld(settings)]
    return
  }
  const url = await copyTemplate()
  const open = async () => createSessionWorld(settings, { database: await connectToServer(url) })
  nodes = [await open(), await open()]
})

beforeEach(async () => {
  site?.reset()
  down?.be('broken')
  slow?.be('silent')
  await nodes[0]?.reset()
})

afterAll(async () => {
  for (const node of nodes) await node.close()
  for (const one of [site, down, slow]) one?.close()
  await folders?.remove()
})

test('a session of all sources is filled in one run, and slow or failing sources are named', async () => {
  const [node] = nodes
  const ana = await node!.as('ana')
  await putMedia(ana, await plainJpeg({ width: 640, height: 480 }))
  await folders.write('walks/1.jpg', await plainJpeg({ seed: 2 }))
  const { rss, tag, bluesky, commons } = site!.names
  const far = ['city', rss, tag, bluesky, commons]
  const near = ['folder:walks', 'vault:all']
  const subfeeds = [...far, ...near, down!.names.rss, slow!.names.tag]
  const { id } = await ana.sessions.create({
    body: { title: 'All of them', subfeeds: subfeeds.join(',') },
  })
  await Promise.all(nodes.map((one) => one.runJobs()))
  const { session, media } = await ana.sessions.read({ params: { id: String(id) } })
  expect(session).toMatchObject({ fillStatus: 'ready', mediaCount: 25 })
  expect(session.fillError).toBe(
    `${down!.names.rss}: is not working (status 500); ${slow!.names.tag}: took longer than 10 seconds`,
  )
  const counts = Map.groupBy(media, ({ subfeed }) => subfeed)
  for (const name of near) expect(counts.get(name), name).toHaveLength(1)
  for (const name of far) expect(counts.get(name)?.length, name).toBeGreaterThan(3)
})

test('two nodes together send a host 60 requests a minute, two at a time', async () => {
  const people = await Promise.all(nodes.map((node, n) => node.as(`ana${n}`)))
  const asks = Array.from({ length: 80 }, (_, n) =>
    people[n % people.length]!.feeds.fetch({
      body: { subfeeds: `commons:Lakes ${n}`, limit: 5 },
    }).then(
      () => 'given',
      () => 'refused',
    ),
  )
  const outcomes = Map.groupBy(await Promise.all(asks), (outcome) => outcome)
  expect(site!.maxOpen()).toBeLessThanOrEqual(2)
  expect(site!.asked).toHaveLength(60)
  expect(outcomes.get('refused')).toHaveLength(20)
})
