/** Names of private feeds are shown only to their owner. Other people see at most the host (contract 16). */
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { publicSubfeed } from '../../src/contract/sources.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld } from '../support/community-world.ts'
import { listenTo } from '../support/event-listener.ts'
import { eventually } from '../support/eventually.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'

const secret = 'token=s3cret'
const feed = `rss:https://feeds.example/private.xml?${secret}`
const names = [feed, 'city', 'immich:album/Our wedding', 'folder:Family/Divorce', 'vault:tag/mine']
const publicNames = ['rss:feeds.example', 'city', 'immich', 'folder', 'vault']

let world: CommunityWorld
let ana: Person
let bo: Person
let params: { id: string }

useWorld(createCommunityWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.adult('bo')]
})

beforeEach(async () => {
  const slides = names.map((subfeed, index) => ({
    feedPost: {
      id: `post-${index}`,
      title: 'A post',
      author: 'someone',
      subfeed,
      url: 'https://feeds.example/post',
      media_url: `${world.site.origin}/jpg/${index}.jpg`,
      thumbnail: null,
      score: 0,
      num_comments: 0,
      created_utc: 0,
      is_video: false,
      nsfw: false,
      spoiler: false,
    },
  }))
  const { session } = await ana.sessions.createManual({ body: { title: 'Mine', slides } })
  params = { id: String(session.id) }
  await world.ctx.db
    .updateTable('sessions')
    .set({ subfeeds: names, fill_error: `${feed}: not found` })
    .where('id', '=', session.id)
    .execute()
})

const share = async () =>
  (await ana.sharing.shareSession({ params, body: { access: 'anyone' } })).shareCode

function expectPublic(told: unknown): void {
  const text = JSON.stringify(told)
  for (const word of [secret, 'private.xml', 'wedding', 'Divorce', 'tag/mine'])
    expect(text).not.toContain(word)
}

test('the owner sees them as they are', async () => {
  const { session, media } = await ana.sessions.read({ params })
  expect(session).toMatchObject({ subfeeds: names, fillError: `${feed}: not found` })
  expect(media.map(({ subfeed }) => subfeed)).toEqual(names)
})

test('others do not, by a link, in its preview, in public, in a room or on a frame', async () => {
  const code = await share()
  const visitor = world.visitor()
  const room = (await ana.rooms.open({ body: { sessionId: Number(params.id) } })).room.code
  const { frameUrl } = await ana.frames.create({
    body: { name: 'Hall', sessionIds: [Number(params.id)] },
  })
  const whole = [
    await visitor.sharing.open({ params: { code } }),
    await bo.sharing.open({ params: { code } }),
    await bo.sessions.read({ params }),
    await visitor.rooms.read({ params: { code: room } }),
    await visitor.frames.playlist({ params: { token: frameUrl.slice(-43) } }),
  ]
  for (const told of whole) {
    expectPublic(told)
    expect(told.media.map(({ subfeed }) => subfeed)).toEqual(publicNames)
  }
  expect(whole[1]).toMatchObject({ session: { subfeeds: publicNames, fillError: null } })
  const preview = await visitor.sharing.preview({ params: { code } })
  expectPublic(preview)
  expect(preview.media.map(({ subfeed }) => subfeed)).toEqual(publicNames.slice(0, 3))
})

test('others do not by a link of an adult session', async () => {
  await ana.sessions.update({ params, body: { nsfw: true } })
  expectPublic(await world.visitor().sharing.open({ params: { code: await share() } }))
})

test('others do not in the community, nor in what they save from there', async () => {
  const id = await world.publish(ana, params.id)
  const { media } = await bo.community.open({ params: { id } })
  expectPublic(media)
  expect(media.map(({ subfeed }) => subfeed)).toEqual(publicNames)
  const { sessionId } = await bo.community.save({ params: { id } })
  const saved = await bo.sessions.read({ params: { id: String(sessionId) } })
  expectPublic(saved)
  expect(saved.session.subfeeds).toEqual(['city'])
  expect(saved.media.map(({ subfeed }) => subfeed)).toEqual(publicNames)
})

test('those who listen to a session hear no name of a feed that failed', async () => {
  await ana.sessions.update({ params, body: { isPublic: true } })
  world.feed.put('nowhere', [])
  const id = await world.makeFilled(ana, { subfeeds: 'nowhere', isPublic: true })
  const [owner, other] = [await listenTo(ana, Number(id)), await listenTo(bo, Number(id))]
  onTestFinished(() => [owner, other].forEach(({ hangUp }) => hangUp()))
  await ana.sessions.refill({ params: { id } })
  await world.runJobs()
  const errorOf = ({ heard }: typeof owner) =>
    heard.findLast(({ type }) => type === 'fill')?.data['error']
  await eventually(() => expect(errorOf(owner)).toMatch(/^nowhere: /))
  await eventually(() => expect(other.heard.at(-1)?.type).toBe('done'))
  expect(errorOf(other)).toBeNull()
  const greeting = await listenTo(bo, Number(params.id))
  onTestFinished(() => greeting.hangUp())
  await eventually(() => expect(greeting.heard).toHaveLength(1))
  expectPublic(greeting.heard)
})

test.each([
  ['rss:https://a.example:8443/x?y', null, 'rss:a.example:8443'],
  ['https://a.example/x?y', 'rss', 'rss:a.example'],
  ['https://a.example/x?y', 'reddit', 'rss:a.example'],
  [
    'https://bsky.app/profile/a.example/feed/b',
    'bluesky',
    'https://bsky.app/profile/a.example/feed/b',
  ],
  [
    'bluesky:https://bsky.app/profile/a/lists/b',
    null,
    'bluesky:https://bsky.app/profile/a/lists/b',
  ],
  ['album/Summer', 'immich', 'immich'],
  ['folder:a/b: c', null, 'folder'],
  ['mastodon:#lakes@a.example', null, 'mastodon:#lakes@a.example'],
  ['city', 'demo', 'city'],
])('%s with %s first is %s to others', (written, first, shown) => {
  expect(publicSubfeed(written, first)).toBe(shown)
})
