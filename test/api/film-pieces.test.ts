/** Slides whose film is an HLS playlist: the parts of them that are copied, exported and shared. */
import { beforeEach, expect, test } from 'vitest'
import { manifest } from '../../src/server/features/archives/manifest.ts'
import { importArchive } from '../support/archive-world.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld, sitePictures } from '../support/community-world.ts'
import { unzip } from '../support/unzip.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'

let world: CommunityWorld
let ana: Person
let bo: Person
let id: string
let mediaUrl: string

useWorld(createCommunityWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.adult('bo')]
})
beforeEach(async () => {
  const [film, ...others] = sitePictures(world.site, 'films', 2)
  if (!film) throw new Error('no posts')
  mediaUrl = `${world.site.origin}/films/playlist.m3u8`
  world.feed.put('films', [{ ...film, mediaUrl, type: 'video' }, ...others])
  id = await world.makeFilled(ana, { subfeeds: 'films' })
})

const read = async (person: Person, id: string) =>
  (await person.sessions.read({ params: { id } })).media

test('the owner and everyone with the link get the address of the playlist', async () => {
  const film = { type: 'video', mediaUrl }
  expect((await read(ana, id))[0]).toMatchObject(film)
  const { shareCode: code } = await ana.sharing.shareSession({ params: { id }, body: {} })
  expect((await bo.sharing.open({ params: { code } })).media[0]).toMatchObject(film)
})

test('the community gets the slides that can be copied', async () => {
  const published = await world.publish(ana, id)
  const { media } = await bo.community.open({ params: { id: published } })
  expect(media.map(({ type }) => type)).toEqual(['image'])
})

test('an archive has its link, and plays it again', async () => {
  const exported = Buffer.from(await (await ana.fetch(`/api/sessions/${id}/export`)).arrayBuffer())
  const entries = await unzip(exported)
  const { sessions } = manifest.parse(JSON.parse(String(entries.get('manifest.json'))))
  expect(sessions[0]?.slides[0]).toMatchObject({
    type: 'video',
    file: null,
    url: mediaUrl,
    missing: 'not-media',
  })
  const { session } = await importArchive(bo, exported)
  await world.runJobs()
  expect((await read(bo, String(session.id)))[0]).toMatchObject({ type: 'video', mediaUrl })
})
