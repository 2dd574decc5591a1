/**
 * Reports and decisions (contract, section 10): who may report, what is hidden, and what a dismissal
 * restores.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ModerationWorld, SharedMedia } from '../support/moderation-world.ts'
import { createModerationWorld } from '../support/moderation-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: ModerationWorld
let ana: Person
let bo: Person

useWorld(createModerationWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.adult('bo')]
})

const dayMs = 24 * 3600 * 1000

const browse = async (person: Person) => (await person.community.browse()).items
const openCode = (code: string) => world.visitor().vault.openShared({ params: { code } })

describe('a report', () => {
  test('is accepted from anyone, about each of the four kinds', async () => {
    const media = await world.shareMedia(ana)
    const { sessionId, id } = await world.makePublished(ana)
    const { shareCode } = await ana.sharing.shareSession({ params: { id: sessionId }, body: {} })
    const targets = [
      { targetType: 'community_media', targetId: media.communityId },
      { targetType: 'shared_media', shareCode: media.shareCode },
      { targetType: 'community_session', targetId: Number(id) },
      { targetType: 'shared_session', shareCode },
    ]
    for (const target of targets) await world.report(target, 'other')
    const { items } = await (await world.moderator()).moderation.listReports()
    expect(items.map(({ targetType }) => targetType)).toEqual(
      targets.map(({ targetType }) => targetType),
    )
    expect(items[0]).toMatchObject({
      reason: 'other',
      details: 'That is me',
      isHidden: false,
      evidence: { title: 'photo.jpg', ownerName: 'ana' },
    })
    expect(items[2]?.evidence.urls.length).toBeGreaterThan(0)
  })

  test('about nothing, or with invalid fields, is refused', async () => {
    const visitor = world.visitor()
    const said = { reason: 'other', details: '' } as const
    const bodies = [
      { targetType: 'community_media', targetId: 999, ...said },
      { targetType: 'community_session', targetId: 999, ...said },
      { targetType: 'shared_session', shareCode: crypto.randomUUID(), ...said },
      { targetType: 'shared_media', shareCode: crypto.randomUUID(), ...said },
    ] as const
    for (const body of bodies)
      expect(await refused(visitor.moderation.report({ body }))).toMatchObject({ status: 404 })
    const wrong = [
      { ...bodies[0], reason: 'dislike' },
      { ...bodies[0], details: 'x'.repeat(2001) },
      { targetType: 'shared_media', targetId: 1, ...said },
      { targetType: 'community_media', shareCode: crypto.randomUUID(), ...said },
      {},
    ]
    for (const body of wrong)
      expect(
        await refused(visitor.moderation.report({ body: body as (typeof bodies)[0] })),
      ).toMatchObject({ status: 400 })
  })

  test('of another reason hides nothing until a decision', async () => {
    const media = await world.shareMedia(ana)
    const target = { targetType: 'community_media', targetId: media.communityId }
    const id = await world.report(target, 'copyright')
    expect(await world.statusOf(media.communityUrl)).toBe(200)
    expect(await browse(bo)).toHaveLength(1)
    await world.resolve(id, 'remove')
    expect(await world.statusOf(media.communityUrl)).toBe(404)
    expect(await browse(bo)).toEqual([])
  })
})

describe('an urgent report about a picture', () => {
  let media: SharedMedia
  let id: string

  beforeEach(async () => {
    media = await world.shareMedia(ana)
    id = await world.report({ targetType: 'shared_media', shareCode: media.shareCode })
  })

  test('hides it everywhere except in its owner’s vault', async () => {
    expect(await browse(bo)).toEqual([])
    expect(await refused(openCode(media.shareCode))).toMatchObject({ status: 404 })
    const { files } = await ana.vault.list()
    const addresses = [media.url, media.communityUrl, ...files[0]!.thumbnails.map(({ url }) => url)]
    expect(addresses.length).toBeGreaterThan(2)
    for (const url of addresses) {
      expect(await world.statusOf(url), url).toBe(404)
      expect(await world.statusOf(url, bo), url).toBe(404)
    }
    expect(await world.statusOf(media.url, ana)).toBe(200)
    expect(await world.statusOf(media.communityUrl, ana)).toBe(404)
  })

  test('shows the evidence to moderators, and notifies the owner', async () => {
    const moderator = await world.moderator()
    const { items } = await moderator.moderation.listReports()
    expect(items).toMatchObject([{ isHidden: true, reason: 'non_consensual' }])
    for (const url of items[0]!.evidence.urls)
      expect(await world.statusOf(url, moderator)).toBe(200)
    const told = await ana.moderation.listNotices()
    expect(told).toMatchObject({ unread: 1, nextCursor: null })
    expect(told.items[0]?.message).toContain('hidden until somebody has looked')
    await ana.moderation.readNotices()
    expect((await ana.moderation.listNotices()).unread).toBe(0)
    expect((await bo.moderation.listNotices()).items).toEqual([])
  })

  test('prevents sharing and using it, until the decision', async () => {
    const params = { id: media.id }
    const sharing = ana.vault.share({ params, body: { shareToCommunity: false } })
    expect(await refused(sharing)).toMatchObject({
      status: 422,
      body: { code: 'CONTENT_BLOCKED' },
    })
    const composing = bo.images.compose({
      body: { babeImageUrl: media.communityUrl, cockImageUrl: media.communityUrl },
    })
    expect(await refused(composing)).toMatchObject({ status: 400 })
  })

  test('that is dismissed restores everything, and cannot hide it again for thirty days', async () => {
    await world.resolve(id, 'dismiss')
    expect(await browse(bo)).toHaveLength(1)
    expect(await world.statusOf(media.url)).toBe(200)
    expect(await world.statusOf(media.communityUrl)).toBe(200)
    expect(await openCode(media.shareCode)).toMatchObject({ name: 'photo.jpg' })
    const target = { targetType: 'community_media', targetId: media.communityId }
    await world.report(target)
    expect(await world.statusOf(media.communityUrl)).toBe(200)
    world.clock.advance(31 * dayMs)
    await world.report(target)
    expect(await world.statusOf(media.communityUrl)).toBe(404)
  })

  test('that is confirmed hides it for good; its owner keeps it and cannot share it', async () => {
    await world.resolve(id, 'remove')
    expect(await world.statusOf(media.communityUrl)).toBe(404)
    expect(await world.statusOf(media.url, ana)).toBe(200)
    expect(await refused(ana.vault.share({ params: { id: media.id }, body: {} }))).toMatchObject({
      status: 422,
    })
    expect((await ana.moderation.listNotices()).items[0]?.message).toContain('was taken down')
  })

  test('about a minor hides it from its owner too', async () => {
    const target = { targetType: 'shared_media', shareCode: media.shareCode }
    await world.report(target, 'minor')
    expect(await world.statusOf(media.url, ana)).toBe(404)
    const deleting = ana.vault.remove({ params: { id: media.id } })
    expect(await refused(deleting)).toMatchObject({ status: 404 })
    expect(await world.statusOf(media.url, await world.moderator())).toBe(200)
    await world.resolve(id, 'dismiss')
    expect(await world.statusOf(media.url, ana)).toBe(200)
  })
})

describe('an urgent report about a session', () => {
  test('closes it to everyone except its owner', async () => {
    const { sessionId, id } = await world.makePublished(ana, { isPublic: true })
    const params = { id: sessionId }
    const { shareCode: code } = await ana.sharing.shareSession({ params, body: {} })
    const { media } = await bo.community.open({ params: { id } })
    await bo.sessions.read({ params })
    const reportId = await world.report({ targetType: 'shared_session', shareCode: code })
    expect(await refused(bo.sessions.read({ params }))).toMatchObject({ status: 403 })
    expect(await refused(bo.community.open({ params: { id } }))).toMatchObject({ status: 404 })
    expect(await refused(bo.community.save({ params: { id } }))).toMatchObject({ status: 404 })
    expect(await refused(bo.sharing.open({ params: { code } }))).toMatchObject({ status: 404 })
    expect(await refused(bo.sharing.preview({ params: { code } }))).toMatchObject({ status: 404 })
    for (const { mediaUrl, thumbnail } of media) {
      expect(await world.statusOf(mediaUrl)).toBe(404)
      expect(await world.statusOf(thumbnail)).toBe(404)
    }
    expect((await ana.sessions.read({ params })).media).toHaveLength(3)
    expect(await refused(ana.sharing.shareSession({ params, body: {} }))).toMatchObject({
      status: 422,
    })
    const publishing = ana.sessions.update({ params, body: { shareToCommunity: true } })
    expect(await refused(publishing)).toMatchObject({ status: 422 })
    await world.resolve(reportId, 'dismiss')
    expect((await bo.community.open({ params: { id } })).media).toHaveLength(3)
    expect(await world.statusOf(media[0]?.mediaUrl)).toBe(200)
    await bo.sharing.open({ params: { code } })
  })
})

describe('a decision', () => {
  test('is an administrator’s, about other accounts’ content, and final', async () => {
    const media = await world.shareMedia(ana)
    const target = { targetType: 'community_media', targetId: media.communityId }
    const [first, second] = [await world.report(target), await world.report(target, 'other')]
    const body = { action: 'dismiss' as const, note: '' }
    const asBo = bo.moderation.resolveReport({ params: { id: first }, body })
    expect(await refused(asBo)).toMatchObject({ status: 403 })
    expect(await refused(bo.moderation.listReports())).toMatchObject({ status: 403 })
    const decided = await world.resolve(first, 'dismiss')
    expect(decided).toMatchObject({ action: 'dismiss', note: 'Looked at', decidedBy: 'dev-user-1' })
    const again = await refused(world.resolve(second, 'remove'))
    expect(again).toMatchObject({ status: 400, body: { code: 'ALREADY_EXISTS' } })
    expect(await refused(world.resolve('999', 'dismiss'))).toMatchObject({ status: 404 })
    const log = await world.ctx.db
      .selectFrom('activity_log')
      .select(['user_id', 'details'])
      .where('action', '=', 'report_resolved')
      .execute()
    expect(log).toMatchObject([
      { user_id: 'dev-user-1', details: { reportIds: [Number(first), Number(second)] } },
    ])
  })

  test('about one’s own content is made by another moderator', async () => {
    const moderator = await world.moderator()
    const media = await world.shareMedia(moderator)
    const target = { targetType: 'community_media', targetId: media.communityId }
    const id = await world.report(target, 'minor')
    expect(await world.statusOf(media.url, moderator)).toBe(404)
    expect(await refused(world.resolve(id, 'dismiss'))).toMatchObject({ status: 403 })
  })

  test('is counted, with the time that it took', async () => {
    const moderator = await world.moderator()
    const stats = () => moderator.moderation.reportStats()
    expect(await stats()).toEqual({
      open: 0,
      oldestOpenAt: null,
      decided: { dismiss: 0, remove: 0, remove_and_block: 0 },
      medianSecondsToDecision: null,
      slowestSecondsToDecision: null,
    })
    const media = await world.shareMedia(ana)
    const target = { targetType: 'community_media', targetId: media.communityId }
    const id = await world.report(target)
    world.clock.advance(3600_000)
    await world.resolve(id, 'dismiss')
    await world.report(target, 'illegal')
    const after = await stats()
    expect(after).toMatchObject({ open: 1, decided: { dismiss: 1 } })
    expect(after.medianSecondsToDecision).toBeGreaterThanOrEqual(3600)
  })

  test('has a queue of reports in pages', async () => {
    const media = await world.shareMedia(ana)
    const target = { targetType: 'community_media', targetId: media.communityId }
    for (let count = 0; count < 5; count += 1) await world.report(target, 'other')
    const { moderation } = await world.moderator()
    const first = await moderation.listReports({ query: { limit: '3' } })
    const cursor = first.nextCursor ?? ''
    const second = await moderation.listReports({ query: { limit: '3', cursor } })
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
    expect(second.nextCursor).toBeNull()
    await world.resolve('1', 'dismiss')
    const decided = await moderation.listReports({ query: { status: 'decided', limit: '2' } })
    expect(decided.items.map(({ id }) => id)).toEqual([5, 4])
    expect(decided.nextCursor).toBe('4')
    expect(await refused(moderation.listReports({ query: { cursor: 'x' } }))).toMatchObject({
      status: 400,
    })
  })
})
