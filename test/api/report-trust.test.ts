/** Trust in reports (contract, sections 8 and 10): the things that strangers can and cannot hide. */
import { expect, test } from 'vitest'
import type { ModerationWorld, SharedMedia } from '../support/moderation-world.ts'
import { aPicture, createModerationWorld } from '../support/moderation-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: ModerationWorld
let ana: Person
let bo: Person

useWorld(createModerationWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.adult('bo')]
})

const dayMs = 24 * 3600 * 1000

const shared = async (seed: number) => world.shareMedia(ana, await aPicture(seed))

type Reason = 'non_consensual' | 'minor' | 'copyright'

async function report({ shareCode }: SharedMedia, ip: string, reason: Reason = 'non_consensual') {
  const body = { targetType: 'shared_media', shareCode, reason, details: '' } as const
  const visitor = world.visitor({ 'x-forwarded-for': ip })
  return String((await visitor.moderation.report({ body })).reportId)
}

const isHidden = async ({ communityUrl }: SharedMedia) =>
  (await world.statusOf(communityUrl)) === 404

test('an address whose last three urgent reports were dismissed hides nothing for 30 days', async () => {
  const media = [await shared(1), await shared(2), await shared(3), await shared(4)] as const
  const [first, second, third, fourth] = media
  for (const one of [first, second, third]) {
    const id = await report(one, '2001:db8:1:2::1')
    expect(await isHidden(one)).toBe(true)
    await world.resolve(id, 'dismiss')
  }
  const queued = await report(fourth, '2001:db8:1:2:ffff::9', 'minor')
  expect(await isHidden(fourth)).toBe(false)
  expect(await world.statusOf(fourth.url, ana)).toBe(200)
  const { items } = await (await world.moderator()).moderation.listReports()
  expect(items.map(({ id, isHidden }) => [String(id), isHidden])).toEqual([[queued, false]])
  // Other addresses are trusted as before. This one is trusted again after one of its reports was upheld.
  await report(fourth, '2001:db8:1:3::1')
  expect(await isHidden(fourth)).toBe(true)
  await world.resolve(queued, 'remove')
  const fifth = await shared(5)
  await report(fifth, '2001:db8:1:2::1')
  expect(await isHidden(fifth)).toBe(true)
})

test('is trusted again after 30 days; other reasons do not count', async () => {
  const media = [await shared(1), await shared(2), await shared(3)]
  for (const one of media) await world.resolve(await report(one, '203.0.113.1'), 'dismiss')
  for (const one of media) await report(one, '203.0.113.2', 'copyright')
  const { items } = await (await world.moderator()).moderation.listReports()
  for (const { id } of items) await world.resolve(String(id), 'dismiss')
  const fourth = await shared(4)
  await report(fourth, '203.0.113.1')
  expect(await isHidden(fourth)).toBe(false)
  await report(fourth, '203.0.113.2')
  expect(await isHidden(fourth)).toBe(true)
  world.clock.advance(31 * dayMs)
  const fifth = await world.shareMedia(await world.adult('cy'), await aPicture(5))
  await report(fifth, '203.0.113.1')
  expect(await isHidden(fifth)).toBe(true)
})

test('reviewed content is not hidden again by a report, even if it was never hidden', async () => {
  const media = [await shared(1), await shared(2), await shared(3), await shared(4)] as const
  for (const one of media.slice(0, 3))
    await world.resolve(await report(one, '203.0.113.1'), 'dismiss')
  const [, , , fourth] = media
  await world.resolve(await report(fourth, '203.0.113.1'), 'dismiss')
  await report(fourth, '203.0.113.2', 'minor')
  expect(await isHidden(fourth)).toBe(false)
})

test('only a keyed hash of the address is kept', async () => {
  await report(await shared(1), '203.0.113.1')
  const [row] = await world.ctx.db.selectFrom('reports').selectAll().execute()
  expect(row?.reporter).toMatch(/^[A-Za-z0-9_-]{24}$/)
  expect(JSON.stringify(row)).not.toContain('203.0.113.1')
})

test('with reason minor the owner cannot access the original at once', async () => {
  const { mediaIds, sessionId, id } = await world.publishPictures(ana, [1])
  const [file] = (await ana.vault.list()).files
  const body = {
    targetType: 'community_session',
    targetId: Number(id),
    reason: 'minor',
    details: '',
  } as const
  const { reportId } = await world.visitor().moderation.report({ body })
  expect(await world.statusOf(file?.url, ana)).toBe(404)
  const params = { id: sessionId }
  for (const way of [
    () => ana.sessions.read({ params }),
    () => ana.sessions.play({ params }),
    () => ana.sessions.events({ params }),
    () => ana.archives.exportSession({ params }),
    () => ana.sessions.remove({ params }),
    () => ana.vault.remove({ params: { id: mediaIds[0] ?? '' } }),
  ])
    expect((await refused(way())).status).toBe(404)
  expect((await refused(bo.sessions.read({ params }))).status).toBe(403)
  await world.resolve(String(reportId), 'dismiss')
  expect(await world.statusOf(file?.url, ana)).toBe(200)
  expect((await ana.sessions.read({ params })).media).toHaveLength(1)
})

test('moderators cannot decide about their own content', async () => {
  const moderator = await world.moderator()
  const media = await world.shareMedia(moderator)
  const id = await report(media, '203.0.113.1', 'copyright')
  for (const action of ['dismiss', 'remove', 'remove_and_block'] as const) {
    const body = { action, note: '' }
    const deciding = moderator.moderation.resolveReport({ params: { id }, body })
    expect((await refused(deciding)).status).toBe(403)
  }
})

test('content published as adult stays adult when it is withdrawn', async () => {
  const media = await shared(1)
  const params = { id: media.id }
  const body = { shareToCommunity: true, policyAgreed: true, tags: ['night'], nsfw: true }
  await ana.vault.share({ params, body })
  const open = () => world.visitor().vault.openShared({ params: { code: media.shareCode } })
  expect((await refused(open())).status).toBe(404)
  await ana.vault.share({ params, body: { shareToCommunity: false } })
  expect((await refused(open())).status).toBe(404)
  const code = media.shareCode
  expect((await bo.vault.openShared({ params: { code } })).name).toBe('photo.jpg')
  await ana.vault.share({ params, body: { ...body, nsfw: false } })
  await open()
})

test('an address may report ten times in 15 minutes', async () => {
  const limited = await createWorld({ RATE_LIMIT_REPORT: '10/900' })
  try {
    const body = {
      targetType: 'shared_media',
      shareCode: crypto.randomUUID(),
      reason: 'minor',
      details: '',
    } as const
    const send = () => refused(limited.visitor().moderation.report({ body }))
    for (let sent = 0; sent < 10; sent += 1) expect((await send()).status).toBe(404)
    expect(await send()).toMatchObject({ status: 429, body: { error: 'Too Many Requests' } })
  } finally {
    await limited.close()
  }
})
