/** Manual sessions and editing slides (contract 4.2). */
import { describe, expect, test } from 'vitest'
import { privateTraces } from '../support/private-traces.ts'
import { plainJpeg, privateJpeg } from '../support/sample-media.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import { useWorld } from '../support/use-world.ts'
import { download, listed, putMedia } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: SessionWorld
let ana: Person
let bo: Person

useWorld(createSessionWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
})

const post = {
  id: 'p1',
  title: 'A post',
  author: 'someone',
  subfeed: 'city',
  url: 'https://site.example/p1',
  media_url: 'https://pictures.example/p1.mp4',
  thumbnail: 'https://pictures.example/p1.jpg',
  score: 1,
  num_comments: 2,
  created_utc: 3,
  is_video: true,
  nsfw: true,
  spoiler: false,
}

const slides = [
  { mediaUrl: 'https://pictures.example/a.jpg', caption: 'First', durationMs: 4000 },
  { mediaUrl: 'https://pictures.example/b.gif' },
  { feedPost: post, caption: 'Third' },
]

describe('addresses', () => {
  const acting = [
    '/api/logout',
    '/media/../api/logout',
    '/media/%2e%2e/api/logout',
    '/media\\..\\api/logout',
    '//elsewhere.example/media/a.jpg',
    'http://lanternist.test/api/logout',
    'http://lanternist.test/media/../api/logout',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'ftp://pictures.example/a.jpg',
    'https://',
  ]
  const title = 'A session'
  const picture = { mediaUrl: 'https://pictures.example/a.jpg' }

  test.each(acting)('that act or are of another scheme are refused everywhere: %s', async (bad) => {
    const { session } = await ana.sessions.createManual({ body: { title, slides: [picture] } })
    const params = { id: String(session.id) }
    const feedPosts = [
      { ...post, media_url: bad },
      { ...post, thumbnail: bad },
      { ...post, licence: { name: 'Free', url: bad } },
    ]
    const given = [{ mediaUrl: bad }, ...feedPosts.map((feedPost) => ({ feedPost }))]
    // A page of this site is not a credit, so it is left out.
    const isOwn = bad.startsWith('http://lanternist.test/')
    if (!isOwn) given.push({ feedPost: { ...post, url: bad } })
    for (const slide of isOwn ? given.slice(0, 3) : given) {
      const calls = [
        () => ana.sessions.createManual({ body: { title, slides: [slide] } }),
        () => ana.sessions.replaceMedia({ params, body: { slides: [slide] } }),
      ]
      for (const call of calls) expect((await refused(call())).status).toBe(400)
    }
    const calls = [
      () => ana.sessions.create({ body: { title, subfeeds: 'city', thumbnail: bad } }),
      () => ana.sessions.createManual({ body: { title, slides: [picture], thumbnail: bad } }),
      () => ana.sessions.update({ params, body: { thumbnail: bad } }),
      () => ana.accounts.updateProfile({ body: { profileImageUrl: bad } }),
    ]
    for (const call of calls) expect((await refused(Promise.resolve(call()))).status).toBe(400)
    const { media } = await ana.sessions.read({ params })
    expect(media).toMatchObject([picture])
  })

  test('of other sites and of media here are kept; a page of this site is no credit', async () => {
    const own = { ...post, url: 'http://lanternist.test/vault/5', thumbnail: '/demo/a/../b.webp' }
    const { media } = await ana.sessions.createManual({
      body: { title, slides: [picture, { mediaUrl: '/demo/city-01.webp' }, { feedPost: own }] },
    })
    expect(media).toMatchObject([
      picture,
      { mediaUrl: '/demo/city-01.webp' },
      { feedPostUrl: null, thumbnail: '/demo/b.webp', credit: { author: 'someone', url: null } },
    ])
  })
})

describe('a manual session', () => {
  test('is created from the given slides, in order, for free', async () => {
    const { session, media } = await ana.sessions.createManual({
      body: { title: 'By hand', slides },
    })
    expect(session).toMatchObject({
      title: 'By hand',
      subfeeds: [],
      mediaCount: 3,
      fillStatus: 'ready',
      nsfw: true,
      isImported: false,
      thumbnail: 'https://pictures.example/a.jpg',
    })
    expect(media).toMatchObject([
      { order: 0, caption: 'First', durationMs: 4000, type: 'image', nsfw: false },
      { order: 1, caption: null, type: 'gif' },
      { order: 2, caption: 'Third', type: 'video', feedPostId: 'p1', nsfw: true },
    ])
    expect((await ana.credits.balance()).balance).toBe(50)
  })

  test.each([
    [{ slides: [] }],
    [{ slides: Array.from({ length: 501 }, () => slides[1]) }],
    [{ slides: [{}] }],
    [{ slides: [{ mediaUrl: 'ftp://pictures.example/a.jpg' }] }],
    [{ slides: [{ mediaUrl: 'https://pictures.example/a.jpg', feedPost: post }] }],
    [{ slides: [{ mediaUrl: 'https://pictures.example/a.jpg', durationMs: -1 }] }],
    [{ slides, tags: ['nonsense'] }],
  ])('refuses invalid slides (%#)', async (change) => {
    const response = await ana.fetch('/api/sessions/manual', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'By hand', ...change }),
    })
    expect(response.status).toBe(400)
    expect(await ana.sessions.list()).toEqual([])
  })

  test('cannot be refilled', async () => {
    const { session } = await ana.sessions.createManual({ body: { title: 'By hand', slides } })
    const failure = await refused(ana.sessions.refill({ params: { id: String(session.id) } }))
    expect(failure.status).toBe(400)
  })
})

describe('editing slides', () => {
  const makeManual = async () => {
    const made = await ana.sessions.createManual({ body: { title: 'By hand', slides } })
    return { ...made, params: { id: String(made.session.id) } }
  }

  test('reorders, keeps, adds and removes; those with an id keep it', async () => {
    const { media, params } = await makeManual()
    const [first, second, third] = media.map(({ id }) => id)
    const edited = await ana.sessions.replaceMedia({
      params,
      body: {
        slides: [
          { id: third!, caption: 'Now first' },
          { mediaUrl: 'https://pictures.example/new.jpg' },
          { id: first! },
        ],
      },
    })
    expect(edited.media).toMatchObject([
      { id: third, order: 0, caption: 'Now first' },
      { order: 1, mediaUrl: 'https://pictures.example/new.jpg' },
      { id: first, order: 2, caption: 'First', durationMs: 4000 },
    ])
    expect(edited.media.map(({ id }) => id)).not.toContain(second)
    expect(edited.session.mediaCount).toBe(3)
  })

  test('a feed post that is added later keeps its source', async () => {
    const { media, params } = await makeManual()
    const slides = [{ id: media[0]!.id }, { feedPost: post }]
    const edited = await ana.sessions.replaceMedia({ params, body: { slides } })
    expect(edited.media[1]).toMatchObject({
      mediaUrl: post.media_url,
      type: 'video',
      feedPostId: 'p1',
      feedPostUrl: post.url,
      subfeed: 'city',
      nsfw: true,
    })
    const both = [{ mediaUrl: 'https://pictures.example/new.jpg', feedPost: post }]
    const refusal = await refused(ana.sessions.replaceMedia({ params, body: { slides: both } }))
    expect(refusal.status).toBe(400)
  })

  test('a stale edit is refused and nothing is lost', async () => {
    const { session, media, params } = await makeManual()
    world.clock.advance(1000)
    const fresh = await ana.sessions.update({ params, body: { title: 'Changed' } })
    const body = { slides: [{ id: media[0]!.id }] }
    for (const seen of [session.updatedAt, `"${session.updatedAt}"`]) {
      const headers = { 'if-match': seen }
      expect(await refused(ana.sessions.replaceMedia({ params, body, headers }))).toMatchObject({
        status: 412,
      })
      const one = { ...params, mediaId: String(media[0]!.id) }
      expect(
        (await refused(ana.sessions.updateMedia({ params: one, body: { caption: 'x' }, headers })))
          .status,
      ).toBe(412)
    }
    expect((await ana.sessions.read({ params })).media).toHaveLength(3)
    const headers = { 'if-match': `"${fresh.updatedAt}"` }
    expect((await ana.sessions.replaceMedia({ params, body, headers })).media).toHaveLength(1)
  })

  test('of two editors with the same version, one wins and the other gets a conflict', async () => {
    const { session, media, params } = await makeManual()
    world.clock.advance(1000)
    const headers = { 'if-match': session.updatedAt }
    const edits = await Promise.allSettled(
      media.map(({ id }) =>
        ana.sessions.replaceMedia({ params, body: { slides: [{ id }] }, headers }),
      ),
    )
    expect(edits.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('one slide’s caption and duration', async () => {
    const { media, params } = await makeManual()
    const one = { ...params, mediaId: String(media[1]!.id) }
    const changed = await ana.sessions.updateMedia({
      params: one,
      body: { caption: 'Said', durationMs: 900 },
    })
    expect(changed).toMatchObject({ id: media[1]!.id, caption: 'Said', durationMs: 900, order: 1 })
    expect(await ana.sessions.updateMedia({ params: one, body: { caption: null } })).toMatchObject({
      caption: null,
      durationMs: 900,
    })
  })

  test('slides of another session are not found', async () => {
    const mine = await makeManual()
    const { media: hers } = await bo.sessions.createManual({ body: { title: 'Hers', slides } })
    const body = { slides: [{ id: hers[0]!.id }] }
    expect((await refused(ana.sessions.replaceMedia({ params: mine.params, body }))).status).toBe(
      404,
    )
    const one = { ...mine.params, mediaId: String(hers[0]!.id) }
    expect(
      (await refused(ana.sessions.updateMedia({ params: one, body: { caption: 'x' } }))).status,
    ).toBe(404)
    const twice = { slides: [{ id: mine.media[0]!.id }, { id: mine.media[0]!.id }] }
    expect(
      (await refused(ana.sessions.replaceMedia({ params: mine.params, body: twice }))).status,
    ).toBe(404)
    expect((await ana.sessions.read({ params: mine.params })).media).toHaveLength(3)
  })

  test('a filled session can be edited, and a refill leaves what was touched', async () => {
    await world.grant('ana', 100)
    world.feed.put('city', (await import('../support/fake-feed.ts')).pictures('city', 5))
    const id = await world.makeFilled(ana)
    const { media } = await ana.sessions.read({ params: { id } })
    await ana.sessions.updateMedia({
      params: { id, mediaId: String(media[2]!.id) },
      body: { caption: 'Kept' },
    })
    await ana.sessions.refill({ params: { id } })
    await world.runJobs()
    const after = await ana.sessions.read({ params: { id } })
    expect(after.media).toHaveLength(5)
    expect(after.media.filter(({ caption }) => caption === 'Kept')).toMatchObject([
      { id: media[2]!.id },
    ])
  })
})

describe('slides from the vault', () => {
  const make = (slides: object[], person = ana) =>
    person.sessions.createManual({ body: { title: 'Mine', slides } })
  const vaultIds = async () =>
    (
      await world.ctx.db
        .selectFrom('session_media')
        .select('vault_media_id')
        .orderBy('position')
        .execute()
    ).map(({ vault_media_id }) => vault_media_id)

  test('show the file as others may see it, with its thumbnail and its size', async () => {
    const original = await privateJpeg({ orientation: 6, width: 1000, height: 700 })
    const mediaId = Number(await putMedia(ana, original))
    const { session, media } = await make([
      { mediaId, caption: 'Said', durationMs: 900 },
      { mediaUrl: 'https://pictures.example/a.jpg' },
      { mediaId },
    ])
    expect(media).toMatchObject([
      { order: 0, type: 'image', width: 700, height: 1000, caption: 'Said', durationMs: 900 },
      { order: 1, mediaUrl: 'https://pictures.example/a.jpg', width: null },
      { order: 2, width: 700, caption: null },
    ])
    const shown = await download(world, media[0]!.mediaUrl ?? '')
    expect(await privateTraces(shown)).toEqual([])
    expect(await privateTraces(await download(world, media[0]!.thumbnail!))).toEqual([])
    expect(media[0]!.thumbnail).toContain('/640.webp')
    expect(session.thumbnail).toBe(media[0]!.thumbnail)
    expect(await vaultIds()).toEqual([mediaId, null, mediaId])
    expect(media[2]!.mediaUrl).toBe(media[0]!.mediaUrl)
    const { url } = await listed(ana, String(mediaId))
    expect(url).not.toBe(media[0]!.mediaUrl)
  })

  test('can be added to an existing session', async () => {
    const mediaId = Number(await putMedia(ana, await plainJpeg(), 'film.jpg'))
    const { session, media } = await make([{ mediaUrl: 'https://pictures.example/a.jpg' }])
    const params = { id: String(session.id) }
    const edited = await ana.sessions.replaceMedia({
      params,
      body: { slides: [{ mediaId, caption: 'New' }, { id: media[0]!.id }] },
    })
    expect(edited.media).toMatchObject([
      { order: 0, width: 800, height: 600, caption: 'New' },
      { id: media[0]!.id, order: 1 },
    ])
    expect(await vaultIds()).toEqual([mediaId, null])
  })

  test('of another account, or unknown ones, are not found, and nothing is created', async () => {
    const hers = Number(await putMedia(bo, await plainJpeg()))
    for (const mediaId of [hers, 999_999]) {
      const refusal = await refused(make([{ mediaId }]))
      expect([refusal.status, refusal.body]).toEqual([404, { message: 'Media not found' }])
    }
    expect(await ana.sessions.list()).toEqual([])
    const { session } = await make([{ mediaUrl: 'https://pictures.example/a.jpg' }])
    const params = { id: String(session.id) }
    const body = { slides: [{ mediaId: hers }] }
    expect((await refused(ana.sessions.replaceMedia({ params, body }))).status).toBe(404)
    expect((await refused(bo.sessions.replaceMedia({ params, body }))).status).toBe(403)
    expect((await ana.sessions.read({ params })).media).toHaveLength(1)
  })

  test('disappear with the file when it is deleted', async () => {
    const mediaId = Number(await putMedia(ana, await plainJpeg()))
    const { session } = await make([{ mediaId }, { mediaUrl: 'https://pictures.example/a.jpg' }])
    await ana.vault.remove({ params: { id: String(mediaId) } })
    const after = await ana.sessions.read({ params: { id: String(session.id) } })
    expect(after.media).toMatchObject([{ order: 0, mediaUrl: 'https://pictures.example/a.jpg' }])
    expect(after.session.mediaCount).toBe(1)
  })
})
