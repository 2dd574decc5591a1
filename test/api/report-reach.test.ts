/**
 * The information for administrators about a reported item: where else it is used, and other reports
 * about its owner.
 */
import { expect, test } from 'vitest'
import type { ModerationWorld } from '../support/moderation-world.ts'
import { aPicture, createModerationWorld } from '../support/moderation-world.ts'
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

test('a picture is listed where it is shared, published, shown and edited', async () => {
  const media = await world.shareMedia(ana)
  await world.compose(bo, media.communityUrl)
  await ana.sessions.createManual({
    body: { title: 'With it', slides: [{ mediaId: Number(media.id) }] },
  })
  const id = await world.report(
    { targetType: 'shared_media', shareCode: media.shareCode },
    'copyright',
  )
  const moderator = await world.moderator()
  const reach = await moderator.moderation.reportReach({ params: { id } })
  expect(reach).toMatchObject({
    shareCodes: 1,
    publications: 1,
    sessions: 1,
    ownerReports: { open: 0, dismissed: 0, removed: 0 },
  })
  expect(reach.files).toBeGreaterThanOrEqual(1)
})

test('earlier decisions about the owner are listed', async () => {
  const first = await world.shareMedia(ana)
  const second = await world.shareMedia(ana, await aPicture(2))
  const targetOf = ({ shareCode }: typeof first) => ({ targetType: 'shared_media', shareCode })
  await world.resolve(await world.report(targetOf(first), 'copyright'), 'dismiss')
  await world.resolve(await world.report(targetOf(first), 'copyright'), 'remove')
  const id = await world.report(targetOf(second), 'copyright')
  const moderator = await world.moderator()
  const { ownerReports } = await moderator.moderation.reportReach({ params: { id } })
  expect(ownerReports).toEqual({ open: 0, dismissed: 1, removed: 1 })
})

test('it is for administrators, and for existing reports', async () => {
  const media = await world.shareMedia(ana)
  const id = await world.report(
    { targetType: 'shared_media', shareCode: media.shareCode },
    'copyright',
  )
  expect((await refused(bo.moderation.reportReach({ params: { id } }))).status).toBe(403)
  const moderator = await world.moderator()
  const unknown = moderator.moderation.reportReach({ params: { id: '999999' } })
  expect((await refused(unknown)).status).toBe(404)
})
