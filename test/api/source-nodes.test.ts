/** Many sources and several nodes: one session of seven, and hosts that are asked by all nodes as by one (contract 16). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withRole } from '../support/admin-world.ts'
import type { MachineFolders } from '../support/machine-folders.ts'
import { createMachineFolders } from '../support/machine-folders.ts'
import { plainJpeg } from '../support/sample-media.ts'
import { openSourceSite } from '../support/source-site.ts'
import type { TwoNodes } from '../support/two-nodes.ts'
import { createTwoNodes } from '../support/two-nodes.ts'
import { putMedia } from '../support/vault-media.ts'
import type { Person, World } from '../support/world.ts'
import { password } from '../support/world.ts'

type Site = Awaited<ReturnType<typeof openSourceSite>>

let nodes: TwoNodes
let folders: MachineFolders
let site: Site
let down: Site
let slow: Site

beforeAll(async () => {
  folders = await createMachineFolders()
  ;[site, down, slow] = [await openSourceSite(), await openSourceSite(), await openSourceSite()]
  nodes = await createTwoNodes({
    FEEDS: 'demo,rss,mastodon,bluesky,commons',
    FETCH_ALLOW: [site, down, slow].map(({ host }) => host).join(','),
    BLUESKY_URL: down.origin,
    COMMONS_URL: `${slow.origin}/w/api.php`,
    FOLDERS_DIR: folders.dir,
  })
})

afterAll(async () => {
  await nodes.close()
  for (const far of [site, down, slow]) far.close()
  await folders.remove()
})

async function signedIn(node: World, name: string): Promise<Person> {
  const person = node.visitor()
  await person.accounts.signIn({ body: { email: `${name}@example.test`, password } })
  return person
}

test('a session of seven sources is filled in one go, though one is down and one slow', async () => {
  const { nodeA, nodeB } = nodes
  const onB = await withRole(nodeB, 'ada', 'admin')
  await putMedia(onB, await plainJpeg({ width: 640, height: 480 }))
  await folders.write('walks/1.jpg', await plainJpeg({ seed: 2 }))
  await nodeB.runJobs()
  const ada = await signedIn(nodeA, 'ada')
  down.be('broken')
  slow.be('late')
  const { rss, tag, bluesky, commons } = site.names
  const subfeeds = ['city', rss, tag, bluesky, commons, 'folder:walks', 'vault:all']
  const made = await ada.sessions.create({ body: { title: 'All', subfeeds: subfeeds.join(',') } })
  await nodeB.runJobs()
  const { session, media } = await ada.sessions.read({ params: { id: String(made.id) } })
  expect(session).toMatchObject({
    subfeeds,
    fillStatus: 'ready',
    fillError: `${bluesky}: is out of order (status 500)`,
  })
  const counts = Map.groupBy(media, ({ subfeed }) => subfeed)
  const filled = subfeeds.filter((name) => name !== bluesky)
  expect([...counts.keys()].toSorted()).toEqual(filled.toSorted())
  for (const name of ['city', rss, tag, commons])
    expect(counts.get(name)?.length, name).toBeGreaterThan(3)
})

test('two nodes ask one host no more often than one would', async () => {
  const { nodeA, nodeB } = nodes
  site.reset()
  const bo = await nodeA.as('bo')
  await nodeA.ctx.db.deleteFrom('host_turns').execute()
  const onB = await signedIn(nodeB, 'bo')
  const asking = [bo, onB, bo, onB].map(async (person, round) => {
    const names = Array.from(
      { length: 20 },
      (_, at) => `rss:${site.origin}/feed.xml?n=${round}.${at}`,
    )
    const asked = person.feeds.fetch({ body: { subfeeds: names.join(','), limit: 100 } })
    // Where every one of them came too late.
    const noneGiven = () => ({ errors: names.map(() => ({ message: 'asked often enough' })) })
    return (await asked.catch(noneGiven)).errors
  })
  const errors = (await Promise.all(asking)).flat()
  expect(site.asked.length).toBeLessThanOrEqual(60)
  expect(errors).toHaveLength(80 - site.asked.length)
  expect(site.mostOpen()).toBeLessThanOrEqual(2)
  for (const { message } of errors) expect(message).toMatch(/asked often enough/)
})
