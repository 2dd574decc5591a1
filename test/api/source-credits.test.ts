/** The credit of a picture's author is copied with every copy of the slide (contract 16). */
import { beforeEach, expect, test } from 'vitest'
import { importArchive } from '../support/archive-world.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld, sitePictures } from '../support/community-world.ts'
import { exportOf } from '../support/unzip.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'

const licence = {
  name: 'CC BY-SA 4.0',
  url: 'https://creativecommons.org/licenses/by-sa/4.0',
}
const alt = 'A lake between mountains'
const credit = { author: 'A painter', licence, url: 'https://site.example/lakes/0' }

let world: CommunityWorld
let ana: Person
let bo: Person
let sessionId: string

useWorld(createCommunityWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.adult('bo')]
})
beforeEach(async () => {
  world.feed.put(
    'lakes',
    sitePictures(world.site, 'lakes', 1, { author: 'A painter', licence, alt }),
  )
  sessionId = await world.makeFilled(ana, { subfeeds: 'lakes' })
})

const slideOf = async (person: Person, id: string) =>
  (await person.sessions.read({ params: { id } })).media[0]

test('in the session and behind its link', async () => {
  expect(await slideOf(ana, sessionId)).toMatchObject({ alt, credit })
  const params = { id: sessionId }
  const { shareCode: code } = await ana.sharing.shareSession({ params, body: {} })
  expect((await bo.sharing.open({ params: { code } })).media).toMatchObject([{ alt, credit }])
})

test('in the community, and in what others save from there', async () => {
  const id = await world.publish(ana, sessionId)
  const { media } = await bo.community.open({ params: { id } })
  expect(media).toMatchObject([{ alt, credit }])
  const saved = await bo.community.save({ params: { id } })
  expect(await slideOf(bo, String(saved.sessionId))).toMatchObject({ alt, credit })
  // A copy of a copy still has the credit.
  const again = await world.publish(bo, String(saved.sessionId))
  expect((await ana.community.open({ params: { id: again } })).media).toMatchObject([
    { alt, credit },
  ])
})

test('in an archive, and in the session that is imported from it', async () => {
  const exported = await ana.fetch(`/api/sessions/${sessionId}/export`)
  const { session } = await importArchive(bo, Buffer.from(await exported.arrayBuffer()))
  expect(await slideOf(bo, String(session.id))).toMatchObject({ alt, credit })
})

test('in the export of an account', async () => {
  const { entries } = await exportOf(ana)
  const all = [...entries.values()].map(String).join('\n')
  for (const text of ['A painter', licence.url, credit.url, alt]) expect(all).toContain(text)
})
