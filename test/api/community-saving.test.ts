/** Saving a published session (contract 4.2): charged once, with copies that belong to the account. */
import { describe, expect, test } from 'vitest'
import { save, savedCount } from '../support/community-calls.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld, publishManual } from '../support/community-world.ts'
import { useWorld } from '../support/use-world.ts'
import { unclaimedKeys } from '../support/vault-media.ts'
import { userIdOf } from '../support/vault-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: CommunityWorld
let ana: Person
let bo: Person
let cy: Person

useWorld(createCommunityWorld, async (fresh) => {
  world = fresh
  ;[ana, bo, cy] = [await world.adult('ana'), await world.adult('bo'), await world.adult('cy')]
})

const balance = async (person: Person) => (await person.credits.balance()).balance

const publishByHand = (change: Record<string, unknown> = {}) => publishManual(world, ana, change)

describe('saving', () => {
  test('creates a private session with its own copies, for the price of a session', async () => {
    const { id } = await publishByHand()
    const before = await balance(bo)
    const answer = await save(bo, id)
    expect(answer).toMatchObject({ success: true, reused: false })
    expect(await balance(bo)).toBe(before - 25)
    const params = { id: String(answer.sessionId) }
    const { session, media } = await bo.sessions.read({ params })
    expect(session).toMatchObject({
      id: answer.sessionId,
      userId: await userIdOf(bo),
      title: 'By hand',
      transition: 'flip',
      intervalMin: 2,
      intervalMax: 5,
      isManualMode: true,
      captionTheme: 'custom',
      aiPrompt: 'Softly',
      tags: ['night'],
      categoryId: 3,
      categorySource: 'manual',
      nsfw: true,
      isPublic: false,
      isFavorite: false,
      shareToCommunity: false,
      isImported: true,
      importSource: 'community',
      importUrl: `community:${id}`,
      mediaCount: 3,
      fillStatus: 'ready',
    })
    expect(media).toMatchObject([
      { order: 0, type: 'image', caption: 'First', durationMs: 4000, width: 900, height: 600 },
      { order: 1, type: 'gif', caption: null, durationMs: null },
      { order: 2, type: 'video', caption: 'Third' },
    ])
    const folder = `users/${await userIdOf(bo)}/manual-sessions/${answer.sessionId}`
    const names = ['0-640.webp', '0.jpg', '1-640.webp', '1.gif', '2.webm']
    expect(await world.filesIn('user-media')).toEqual(names.map((name) => `${folder}/${name}`))
    for (const { mediaUrl } of media) {
      expect(mediaUrl).toContain(`/media/user-media/${folder}/`)
      expect((await world.visitor().fetch(mediaUrl ?? '')).status).toBe(200)
    }
    expect(await savedCount(ana, id)).toBe(1)
    expect(await unclaimedKeys(world)).toEqual([])
    const { transactions } = await bo.credits.transactions()
    expect(transactions[0]).toMatchObject({
      amount: -25,
      featureKey: 'session_create',
      metadata: { communityId: Number(id), sessionId: answer.sessionId },
    })
  })

  test('again returns the same session for free', async () => {
    const { id } = await publishByHand()
    const first = await save(bo, id)
    const after = await balance(bo)
    const copies = world.storageFaults.copies
    expect(await save(bo, id)).toEqual({ ...first, reused: true })
    expect(await balance(bo)).toBe(after)
    expect(world.storageFaults.copies).toBe(copies)
    expect(await savedCount(ana, id)).toBe(1)
  })

  test('is separate for each account, also for the owner', async () => {
    const { id, sessionId } = await publishByHand()
    const saved = [await save(ana, id), await save(bo, id), await save(cy, id)]
    const ids = saved.map(({ sessionId }) => sessionId)
    expect(new Set([...ids, Number(sessionId)]).size).toBe(4)
    expect(await savedCount(ana, id)).toBe(3)
    const params = { id: String(ids[1]) }
    for (const person of [ana, cy])
      expect(await refused(person.sessions.read({ params }))).toMatchObject({ status: 403 })
  })

  test('stores the source of each file, so that a takedown finds it', async () => {
    const { id } = await publishByHand()
    const { sessionId } = await save(bo, id)
    const origins = await world.ctx.db.selectFrom('file_origins').selectAll().execute()
    const own = origins.filter(({ bucket }) => bucket === 'user-media')
    expect(own).toHaveLength(5)
    for (const origin of own) {
      expect(origin.key).toContain(`/manual-sessions/${sessionId}/`)
      expect(origin.origin_bucket).toBe('general')
      expect(origin.origin_key).toContain(`community/${id}/`)
    }
    const made = { bucket: 'general', origin_bucket: 'general' }
    expect(origins).toContainEqual({
      ...made,
      key: `community/${id}/1/0-640.webp`,
      origin_key: `community/${id}/1/0.jpg`,
    })
  })

  test('copies the chosen cover', async () => {
    const { id } = await publishByHand({ thumbnail: `${world.site.origin}/png/cover.png` })
    const { sessionId } = await save(bo, id)
    const { session } = await bo.sessions.read({ params: { id: String(sessionId) } })
    expect(session.thumbnail).toContain(`/manual-sessions/${sessionId}/cover.webp`)
    expect((await world.visitor().fetch(session.thumbnail!)).status).toBe(200)
  })

  test('keeps the copy when the original is withdrawn, and refuses others', async () => {
    const { id, sessionId } = await publishByHand()
    const saved = await save(bo, id)
    const withdraw = { params: { id: sessionId }, body: { shareToCommunity: false } }
    await ana.sessions.update(withdraw)
    const { media } = await bo.sessions.read({ params: { id: String(saved.sessionId) } })
    expect((await world.visitor().fetch(media[0]!.mediaUrl ?? '')).status).toBe(200)
    for (const person of [ana, bo, cy])
      expect(await refused(save(person, id))).toMatchObject({ status: 403 })
  })

  test('a saved copy can be published again, from its own files', async () => {
    const { id } = await publishByHand()
    const { sessionId } = await save(bo, id)
    const again = await world.publish(bo, String(sessionId))
    expect(again).not.toBe(id)
    expect((await ana.community.open({ params: { id: again } })).media).toHaveLength(3)
    const origins = await world.ctx.db
      .selectFrom('file_origins')
      .selectAll()
      .where('key', '=', `community/${again}/1/0.jpg`)
      .execute()
    expect(origins).toMatchObject([{ origin_bucket: 'user-media' }])
  })

  test('creates a session without refills and subfeeds, which plays for free', async () => {
    const { id } = await world.makePublished(ana, { captionTheme: 'custom' })
    const { sessionId } = await save(bo, id)
    const params = { id: String(sessionId) }
    for (const body of [{ subfeeds: 'two' }, { captionTheme: 'joi' as const }, { aiPrompt: 'x' }])
      expect(await refused(bo.sessions.update({ params, body }))).toMatchObject({ status: 400 })
    expect(await refused(bo.sessions.refill({ params }))).toMatchObject({ status: 400 })
    const { session, media } = await bo.sessions.read({ params })
    expect(session.subfeeds).toEqual(['city'])
    const { playId } = await bo.sessions.play({ params })
    const body = { mediaIds: [media[0]!.id] }
    const view = { params: { playId: String(playId) }, body }
    expect(await bo.sessions.view(view)).toMatchObject({ charged: 0 })
  })
})

describe('a saved session', () => {
  test('that is deleted takes its files along, and saving it again is charged again', async () => {
    const { id } = await publishByHand({ thumbnail: `${world.site.origin}/png/cover.png` })
    const first = await save(bo, id)
    expect(await world.filesIn('user-media')).toHaveLength(6)
    await bo.sessions.remove({ params: { id: String(first.sessionId) } })
    expect(await world.filesIn('user-media')).toEqual([])
    expect(await unclaimedKeys(world)).toEqual([])
    expect(await savedCount(ana, id)).toBe(0)
    const before = await balance(bo)
    const second = await save(bo, id)
    expect(second).toMatchObject({ reused: false })
    expect(second.sessionId).not.toBe(first.sessionId)
    expect(await balance(bo)).toBe(before - 25)
  })

  test('deletes the files of removed slides, and no others', async () => {
    const { id } = await publishByHand()
    const { sessionId } = await save(bo, id)
    const params = { id: String(sessionId) }
    const { media } = await bo.sessions.read({ params })
    await bo.sessions.replaceMedia({
      params,
      body: { slides: [{ id: media[2]!.id }, { id: media[0]!.id, caption: 'Now second' }] },
    })
    const left = (await world.filesIn('user-media')).map((key) => key.split('/').at(-1))
    expect(left).toEqual(['0-640.webp', '0.jpg', '2.webm'])
    expect(await unclaimedKeys(world)).toEqual([])
    const stale = { params, body: { slides: [] }, headers: { 'if-match': 'long ago' } }
    expect(await refused(bo.sessions.replaceMedia(stale))).toMatchObject({ status: 412 })
    expect(await world.filesIn('user-media')).toHaveLength(3)
  })
})
