/** Names of private feeds are shown only to their owner. Other people see at most the host (contract 16). */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { publicSubfeed } from '../../src/contract/sources.ts'
import type { CaptionOrder } from '../../src/server/features/captions/provider/caption-provider.ts'
import { createCaptionWriter } from '../../src/server/features/captions/provider/caption-writer.ts'
import { composePrompt } from '../../src/server/features/captions/provider/prompts.ts'
import { plainCaption } from '../support/caption-server.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld } from '../support/community-world.ts'
import { listenTo } from '../support/event-listener.ts'
import { eventually } from '../support/eventually.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

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
  const slides = names.map(slideFrom)
  const { session } = await ana.sessions.createManual({ body: { title: 'Mine', slides } })
  params = { id: String(session.id) }
  await world.ctx.db
    .updateTable('sessions')
    .set({ subfeeds: names, fill_error: `${feed}: not found` })
    .where('id', '=', session.id)
    .execute()
})

const slideFrom = (subfeed: string, index: number) => ({
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
})

const share = async () =>
  (await ana.sharing.shareSession({ params, body: { access: 'anyone' } })).shareCode

function expectPublic(told: unknown): void {
  const text = JSON.stringify(told)
  for (const word of [secret, 'private.xml', 'wedding', 'Divorce', 'tag/mine'])
    expect(text).not.toContain(word)
}

test('the owner sees the names', async () => {
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

test('others do not in the community, nor in copies that they save there', async () => {
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

test('listeners of a session do not get the name of a feed that failed', async () => {
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

test('the caption provider gets no private feed name, not even of the first source', async () => {
  const prompts: string[] = []
  const provider = {
    name: 'openai' as const,
    model: 'test-model',
    async ask(order: CaptionOrder) {
      prompts.push(composePrompt(order).user)
      return plainCaption
    },
  }
  const captions = createCaptionWriter(provider, { sleep: async () => {} })
  const FOLDERS_DIR = await mkdtemp(join(tmpdir(), 'lanternist-folders-'))
  const settings = { FEEDS: 'folder,rss', FOLDERS_DIR, FETCH_ALLOW: world.site.host }
  const own = await createWorld(settings, { captions })
  onTestFinished(async () => {
    await own.close()
    await rm(FOLDERS_DIR, { recursive: true })
  })
  const cy = await own.as('cy')
  const slides = ['Family/Divorce', feed].map(slideFrom)
  const { session, media } = await cy.sessions.createManual({ body: { title: 'Mine', slides } })
  const first = media[0]?.mediaUrl ?? ''
  await cy.captions.generate({ body: { media_url: first, sessionId: session.id } })
  await cy.captions.generate({ body: { media_url: first, subfeed: 'Family/Divorce' } })
  const mediaIds = media.map(({ id }) => id)
  const { id } = await cy.accounts.currentUser()
  const admin = own.visitor()
  await admin.accounts.devSignIn()
  await admin.credits.grant({ params: { id }, body: { amount: 50, reason: 'For tests' } })
  await cy.captions.captionSession({ body: { sessionId: session.id, mediaIds } })
  await own.runJobs()
  expectPublic(prompts)
  const shown = prompts.map((prompt) => /<subfeed>(.*)<\/subfeed>/.exec(prompt)?.[1])
  expect(shown).toEqual(['folder', 'folder', 'folder', 'rss:feeds.example'])
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
