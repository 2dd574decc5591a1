/** Publishing a session to the community, and withdrawing it (contract 2, 4.2). */
import { beforeEach, describe, expect, test } from 'vitest'
import { open, publicationIds, read, share, withdraw } from '../support/community-calls.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld, sitePictures } from '../support/community-world.ts'
import { secretWords } from '../support/picture-site.ts'
import { useWorld } from '../support/use-world.ts'
import { unclaimedKeys } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: CommunityWorld
let ana: Person
let bo: Person

useWorld(createCommunityWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.adult('bo')]
})

describe('publishing', () => {
  test('copies every slide to durable storage and sends an event', async () => {
    const sessionId = await world.makeFilled(ana, {
      tags: ['city', 'night'],
      transition: 'zoom',
      intervalMin: 4,
      intervalMax: 8,
    })
    const answer = await share(ana, sessionId)
    expect(answer).toMatchObject({ shareToCommunity: true })
    expect(await refused(open(bo, '1'))).toMatchObject({ status: 404 })
    await world.runJobs()
    const told = await world.told(sessionId)
    const published = told.filter(({ type }) => type.startsWith('publish'))
    expect(published).toMatchObject([
      { type: 'publishing', data: { done: 0, total: 3 } },
      { type: 'publishing', data: { done: 1, total: 3 } },
      { type: 'publishing', data: { done: 2, total: 3 } },
      { type: 'publishing', data: { done: 3, total: 3 } },
      { type: 'published', data: { communityId: 1 } },
    ])
    const { session, media } = await open(bo, '1')
    expect(session).toMatchObject({
      id: 1,
      title: 'Evening',
      nsfw: true,
      mediaCount: 3,
      transition: 'zoom',
      intervalMin: 4,
      intervalMax: 8,
      captionTheme: null,
      tags: ['city', 'night'],
      category: 'uncategorized',
      ownerName: 'ana',
      savedCount: 0,
    })
    expect(media.map(({ order }) => order)).toEqual([0, 1, 2])
    expect(media[0]).toMatchObject({
      sessionId: null,
      type: 'image',
      width: 900,
      height: 600,
      subfeed: 'city',
      feedPostId: 'city-0',
      caption: null,
      nsfw: false,
    })
    expect(await world.filesIn('general')).toEqual(
      ['0', '1', '2'].flatMap((n) => [`community/1/1/${n}-640.webp`, `community/1/1/${n}.jpg`]),
    )
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('serves the copies to everyone with their address, without camera metadata', async () => {
    const { id } = await world.makePublished(ana)
    const original = await fetch(`${world.site.origin}/jpg/city/0.jpg`)
    expect(Buffer.from(await original.arrayBuffer()).includes(secretWords)).toBe(true)
    const { session, media } = await open(bo, id)
    for (const address of [media[0]!.mediaUrl, media[0]!.thumbnail!, session.thumbnail!]) {
      const file = await world.visitor().fetch(address ?? '')
      expect(file.status).toBe(200)
      const bytes = Buffer.from(await file.arrayBuffer())
      expect(bytes.length).toBeGreaterThan(100)
      expect(bytes.includes(secretWords)).toBe(false)
      expect(bytes.includes('Exif')).toBe(false)
    }
    const { pathname } = new URL(media[0]!.mediaUrl ?? '', world.url)
    expect((await world.visitor().fetch(pathname)).status).toBe(404)
  })

  test('detects pictures and videos by their bytes, and skips files that cannot be read', async () => {
    const paths = ['png/a.jpg', 'gif/b.gif', 'webm/c.mp4', 'webp/d', 'page/e.jpg', 'jpg/gone.jpg']
    world.site.gone.add('gone')
    const slides = [
      ...paths.map((path) => ({ mediaUrl: `${world.site.origin}/${path}`, caption: path })),
      { mediaUrl: 'http://10.0.0.1/private.jpg' },
      { mediaUrl: '/media/user-media/users/someone/General/a.jpg?s=forged' },
    ]
    const { session } = await ana.sessions.createManual({ body: { title: 'Mixed', slides } })
    const id = await world.publish(ana, String(session.id))
    const { media } = await open(bo, id)
    expect(media).toMatchObject([
      { order: 0, type: 'image', caption: 'png/a.jpg', width: 300, height: 200 },
      { order: 1, type: 'gif', caption: 'gif/b.gif', width: 40, height: 30 },
      { order: 2, type: 'video', caption: 'webm/c.mp4', thumbnail: null },
      { order: 3, type: 'image', caption: 'webp/d', width: 800, height: 500 },
    ])
    expect(media.map(({ mediaUrl }) => /\.(\w+)\?/.exec(mediaUrl ?? '')?.[1])).toEqual([
      'png',
      'gif',
      'webm',
      'webp',
    ])
    expect((await open(bo, id)).session.mediaCount).toBe(4)
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('copies files from the vault, and stores their owner', async () => {
    const photograph = await fetch(`${world.site.origin}/jpg/mine.jpg`)
    const file = new File([await photograph.arrayBuffer()], 'mine.jpg', { type: 'image/jpeg' })
    const uploaded = await ana.vault.upload({ form: { file, source: 'general' } })
    await world.runJobs()
    const slides = [{ mediaId: uploaded.media!.id, caption: 'Mine' }]
    const { session } = await ana.sessions.createManual({ body: { title: 'Vault', slides } })
    const id = await world.publish(ana, String(session.id))
    const { media } = await open(bo, id)
    expect(media).toMatchObject([{ caption: 'Mine', width: 900, height: 600 }])
    const copy = await world.visitor().fetch(media[0]!.mediaUrl ?? '')
    expect(Buffer.from(await copy.arrayBuffer()).includes(secretWords)).toBe(false)
    const origins = await world.ctx.db
      .selectFrom('file_origins')
      .selectAll()
      .where('key', '=', `community/${id}/1/0.jpg`)
      .execute()
    expect(origins).toMatchObject([{ origin_bucket: 'user-media' }])
  })

  test('waits for the fill, and publishes its slides', async () => {
    const { id } = await ana.sessions.create({ body: { title: 'Waiting', subfeeds: 'city' } })
    await share(ana, String(id))
    await ana.sessions.update({ params: { id: String(id) }, body: { title: 'Still waiting' } })
    expect(await refused(open(bo, '1'))).toMatchObject({ status: 404 })
    expect(await refused(bo.community.save({ params: { id: '1' } }))).toMatchObject({ status: 404 })
    await world.runJobs()
    const { session } = await open(bo, '1')
    expect(session).toMatchObject({ title: 'Still waiting', mediaCount: 3 })
  })

  test('an empty fill ends it, and the flag is cleared', async () => {
    world.feed.put('empty', [])
    const { id } = await ana.sessions.create({ body: { title: 'Empty', subfeeds: 'empty' } })
    await share(ana, String(id))
    await world.runJobs()
    expect(await read(ana, String(id))).toMatchObject({
      shareToCommunity: false,
      fillStatus: 'failed',
    })
    expect((await world.told(String(id))).at(-1)).toMatchObject({
      type: 'publish_failed',
      data: { reason: expect.any(String) },
    })
    expect(await refused(open(bo, '1'))).toMatchObject({ status: 404 })
  })

  test('fails if nothing can be copied, and the flag is cleared', async () => {
    const sessionId = await world.makeFilled(ana)
    world.site.gone.add('city')
    await share(ana, sessionId)
    await world.runJobs()
    expect(await read(ana, sessionId)).toMatchObject({ shareToCommunity: false })
    expect((await world.told(sessionId)).at(-1)).toMatchObject({ type: 'publish_failed' })
    expect(await refused(bo.community.save({ params: { id: '1' } }))).toMatchObject({ status: 404 })
    expect(await world.filesIn('general')).toEqual([])
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('a session without slides is refused', async () => {
    const slides = [{ mediaUrl: `${world.site.origin}/jpg/a.jpg` }]
    const { session } = await ana.sessions.createManual({ body: { title: 'By hand', slides } })
    const params = { id: String(session.id) }
    await ana.sessions.replaceMedia({ params, body: { slides: [] } })
    expect(await refused(share(ana, params.id))).toMatchObject({ status: 400 })
    expect(await read(ana, params.id)).toMatchObject({ shareToCommunity: false })
  })

  test('is only for the owner, even if the session is public', async () => {
    const sessionId = await world.makeFilled(ana, { isPublic: true })
    expect(await refused(share(bo, sessionId))).toMatchObject({ status: 403 })
    expect(await refused(withdraw(bo, sessionId))).toMatchObject({ status: 403 })
    await world.runJobs()
    expect(await publicationIds(world)).toEqual([])
    expect((await bo.community.browse()).items).toEqual([])
  })

  test('uses the picture that the owner chose for the session', async () => {
    const thumbnail = `${world.site.origin}/webp/chosen.webp`
    const { id } = await world.makePublished(ana, { thumbnail })
    const { session } = await open(bo, id)
    expect(session.thumbnail).toContain('/cover.webp')
    expect((await world.visitor().fetch(session.thumbnail!)).status).toBe(200)
  })
})

describe('adult content', () => {
  let minor: Person
  beforeEach(async () => {
    minor = await world.as('mia')
    await world.grant('mia', 500)
  })
  const nsfwOf = async (id: string) => (await open(bo, id)).session.nsfw

  test('is the default, unless the publisher says otherwise and no slide is adult', async () => {
    expect(await nsfwOf((await world.makePublished(ana)).id)).toBe(true)
    const safe = await world.makePublished(ana, { title: 'Safe' }, { nsfw: false })
    expect(await nsfwOf(safe.id)).toBe(false)
    const again = await world.publish(ana, safe.sessionId)
    expect(await nsfwOf(again)).toBe(true)
    const said = await world.makePublished(ana, { title: 'Said', nsfw: true }, { nsfw: false })
    expect(await nsfwOf(said.id)).toBe(false)
    const themed = await world.makePublished(ana, { captionTheme: 'joi' }, { nsfw: false })
    expect(await nsfwOf(themed.id)).toBe(true)
    world.feed.put('adult', sitePictures(world.site, 'adult', 2, { nsfw: true }))
    const slides = await world.makePublished(ana, { subfeeds: 'adult' }, { nsfw: false })
    expect(await nsfwOf(slides.id)).toBe(true)
  })

  test('needs an owner with a verified age, before anything changes', async () => {
    const sessionId = await world.makeFilled(minor)
    const before = await read(minor, sessionId)
    for (const body of [{}, { nsfw: true }, { nsfw: false, captionTheme: 'joi' }]) {
      const failure = await refused(share(minor, sessionId, { title: 'Changed', ...body }))
      expect(failure).toMatchObject({
        status: 403,
        body: { code: 'AGE_VERIFICATION_REQUIRED', message: expect.any(String) },
      })
    }
    expect(await read(minor, sessionId)).toEqual(before)
    expect(await publicationIds(world)).toEqual([])
    const id = await world.publish(minor, sessionId, { nsfw: false })
    expect(await nsfwOf(id)).toBe(false)
  })

  test('that appears while the fill runs ends a publication by an owner without a verified age', async () => {
    const { id } = await minor.sessions.create({ body: { title: 'Waiting', subfeeds: 'city' } })
    await share(minor, String(id), { nsfw: false })
    await minor.sessions.update({ params: { id: String(id) }, body: { nsfw: true } })
    await world.runJobs()
    expect(await read(minor, String(id))).toMatchObject({ shareToCommunity: false })
    expect((await world.told(String(id))).at(-1)).toMatchObject({ type: 'publish_failed' })
  })
})
