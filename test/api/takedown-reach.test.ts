/**
 * The reach of a takedown (contract, section 10): copies of copies, identical files, and copies made
 * while it starts.
 */
import { describe, expect, test } from 'vitest'
import { sweepUnclaimedFiles } from '../../src/server/features/files/unclaimed-files.ts'
import type { ModerationWorld } from '../support/moderation-world.ts'
import { aPicture, createModerationWorld } from '../support/moderation-world.ts'
import { dataUri } from '../support/pictures.ts'
import { testOnServer } from '../support/test-database.ts'
import { useWorld } from '../support/use-world.ts'
import { putMedia } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'
import { password, refused } from '../support/world.ts'

let world: ModerationWorld
let ana: Person
let bo: Person
let cy: Person

useWorld(createModerationWorld, async (fresh) => {
  world = fresh
  ;[ana, bo, cy] = [await world.adult('ana'), await world.adult('bo'), await world.adult('cy')]
})

describe('content that changes during a takedown', () => {
  test('a composition is found although the copy that it was made of is gone', async () => {
    const media = await world.shareMedia(ana)
    const composed = await world.compose(bo, media.communityUrl)
    const params = { id: media.id }
    await ana.vault.share({ params, body: { shareToCommunity: false } })
    expect(await world.statusOf(media.communityUrl)).toBe(404)
    expect(await world.statusOf(composed.imageUrl)).toBe(200)
    await world.report({ targetType: 'shared_media', shareCode: media.shareCode })
    expect(await world.statusOf(composed.imageUrl)).toBe(404)
  })

  test('a tool’s result is found although it was saved to the vault as well', async () => {
    const composed = await world.compose(ana, dataUri(await aPicture(3), 'image/jpeg'))
    const temporary = await ana.images.compose({
      body: {
        babeImageUrl: dataUri(await aPicture(4), 'image/jpeg'),
        cockImageUrl: dataUri(await aPicture(5), 'image/jpeg'),
      },
    })
    const kept = await ana.images.save({ body: { imageUrl: temporary.imageUrl } })
    for (const id of [composed.mediaId, kept.mediaId]) {
      const params = { id: String(id) }
      const { shareCode } = await ana.vault.share({ params, body: { shareToCommunity: false } })
      await world.report({ targetType: 'shared_media', shareCode }, 'minor')
    }
    expect(await world.statusOf(composed.imageUrl, ana)).toBe(404)
    expect(await world.statusOf(temporary.imageUrl, ana)).toBe(404)
    const body = { imageUrl: temporary.imageUrl }
    expect((await refused(ana.images.save({ body }))).status).toBe(400)
  })

  test('copies are found even if their original was published again', async () => {
    const { sessionId, id } = await world.makePublished(ana)
    const saved = (await bo.community.save({ params: { id } })).sessionId
    const again = await world.publish(ana, sessionId)
    await world.report({ targetType: 'community_session', targetId: Number(again) })
    expect(await world.statusesOf(await world.addressesOf(bo, saved), bo)).toEqual([404])
  })

  test('a picture that a slide names by its address is shown as others may see it, and found', async () => {
    const id = await putMedia(ana, await aPicture(6))
    await world.runJobs()
    const [file] = (await ana.vault.list()).files
    const slides = [{ mediaUrl: `http://lanternist.test${file?.url}` }]
    const { session } = await ana.sessions.createManual({ body: { title: 'By address', slides } })
    const params = { id: String(session.id) }
    const { shareCode } = await ana.sharing.shareSession({ params, body: {} })
    expect((await world.ctx.db.selectFrom('session_media').selectAll().execute())[0]).toMatchObject(
      {
        vault_media_id: Number(id),
      },
    )
    await world.report({ targetType: 'shared_session', shareCode })
    expect(await world.statusOf(file?.url)).toBe(404)
  })

  test('a session under a report about a minor cannot be deleted by its owner', async () => {
    const { sessionId, id } = await world.makePublished(ana)
    const reportId = await world.report(
      { targetType: 'community_session', targetId: Number(id) },
      'minor',
    )
    const params = { id: sessionId }
    const gone = { status: 404 }
    expect(await refused(ana.sessions.remove({ params }))).toMatchObject(gone)
    expect(
      await refused(ana.sessions.update({ params, body: { shareToCommunity: false } })),
    ).toMatchObject(gone)
    expect(
      await refused(ana.sessions.replaceMedia({ params, body: { slides: [] } })),
    ).toMatchObject(gone)
    expect((await ana.moderation.listNotices()).items).toEqual([])
    await world.resolve(reportId, 'dismiss')
    expect((await ana.moderation.listNotices()).items).toHaveLength(1)
    await ana.sessions.remove({ params })
  })

  test('the owner in a report about a minor is not notified of the removal either', async () => {
    const media = await world.shareMedia(ana)
    const target = { targetType: 'shared_media', shareCode: media.shareCode }
    await world.resolve(await world.report(target, 'minor'), 'remove_and_block')
    expect((await ana.moderation.listNotices()).items).toEqual([])
  })

  test('content reported as showing a minor survives the deletion of its accounts, until a dismissal', async () => {
    const media = await world.shareMedia(ana)
    const composed = await world.compose(bo, media.communityUrl)
    const target = { targetType: 'shared_media', shareCode: media.shareCode }
    const reportId = await world.report(target, 'minor')
    const files = await world.ctx.db.selectFrom('hidden_files').select(['bucket', 'key']).execute()
    const kept = async () => {
      world.clock.advance(3_600_000)
      await world.runJobs()
      await sweepUnclaimedFiles(world.ctx)
      const found = files.map(({ bucket, key }) => world.ctx.storage.stat(bucket, key))
      return (await Promise.all(found)).filter((file) => file !== null).length
    }
    const before = await kept()
    expect(before).toBeGreaterThanOrEqual(3)
    for (const [name, person] of Object.entries({ ana, bo }))
      await person.accounts.deleteAccount({
        body: { confirm: `${name}@example.test`, currentPassword: password },
      })
    expect(await kept()).toBe(before)
    const shown = [media.url, media.communityUrl, composed.imageUrl]
    expect(await world.statusesOf(shown)).toEqual([404])
    expect(await world.statusesOf(shown, cy)).toEqual([404])
    expect(await world.statusesOf(shown, await world.moderator())).toEqual([200])
    expect((await (await world.moderator()).admin.stats()).storage.toBeRemoved).toBe(0)
    await world.resolve(reportId, 'dismiss')
    expect(await kept()).toBe(0)
  })

  test('content that its owner deletes in the meantime is still blocked, or restored for others', async () => {
    const blocked = await world.shareMedia(ana, await aPicture(7))
    const composed = await world.compose(bo, blocked.communityUrl)
    const first = await world.report({
      targetType: 'shared_media',
      shareCode: blocked.shareCode,
    })
    await ana.vault.remove({ params: { id: blocked.id } })
    expect(await world.statusOf(composed.imageUrl)).toBe(404)
    expect(await world.resolve(first, 'remove_and_block')).toMatchObject({ blockedPictures: 1 })
    expect(await refused(putMedia(ana, await aPicture(7)))).toMatchObject({ status: 422 })
    const innocent = await world.shareMedia(ana, await aPicture(8))
    const other = await world.compose(bo, innocent.communityUrl)
    const second = await world.report({
      targetType: 'shared_media',
      shareCode: innocent.shareCode,
    })
    await ana.vault.remove({ params: { id: innocent.id } })
    await world.resolve(second, 'dismiss')
    expect(await world.statusOf(other.imageUrl)).toBe(200)
  })

  test('a decision through another report still quarantines if one was about a minor', async () => {
    const media = await world.shareMedia(ana)
    const target = { targetType: 'shared_media', shareCode: media.shareCode }
    await world.resolve(await world.report(target), 'dismiss')
    const copyright = await world.report(target, 'copyright')
    await world.report(target, 'minor')
    expect(await world.statusOf(media.url, ana)).toBe(200)
    await world.resolve(copyright, 'remove')
    expect(await world.statusOf(media.url, ana)).toBe(404)
  })

  test('listeners get no more events', async () => {
    const sessionId = await world.makeFilled(ana, { isPublic: true })
    const params = { id: sessionId }
    const { shareCode } = await ana.sharing.shareSession({ params, body: {} })
    const listening = await bo.fetch(`/api/sessions/${sessionId}/events`)
    await world.report({ targetType: 'shared_session', shareCode })
    await ana.sessions.refill({ params })
    await world.runJobs()
    const heard = await listening.text()
    expect(heard).toContain('event: session')
    expect(heard).not.toContain('event: fill')
  })

  test('saving still works for everything that was not reported', async () => {
    const reported = await world.makePublished(ana)
    const other = await world.makePublished(ana, { title: 'Another' })
    const target = { targetType: 'community_session', targetId: Number(reported.id) }
    const reportId = await world.report(target)
    expect(await bo.community.save({ params: { id: other.id } })).toMatchObject({ reused: false })
    await world.resolve(reportId, 'remove')
    expect(await cy.community.save({ params: { id: other.id } })).toMatchObject({ reused: false })
    const saving = bo.community.save({ params: { id: reported.id } })
    expect(await refused(saving)).toMatchObject({ status: 404 })
  })

  test('two takedowns of one picture end with the second', async () => {
    const { mediaIds, id } = await world.publishPictures(ana, [1])
    const { shareCode } = await ana.vault.share({
      params: { id: mediaIds[0] ?? '' },
      body: { shareToCommunity: false },
    })
    const [file] = (await ana.vault.list()).files
    const ofSession = await world.report({ targetType: 'community_session', targetId: Number(id) })
    const ofMedia = await world.report({ targetType: 'shared_media', shareCode })
    await world.resolve(ofSession, 'dismiss')
    expect(await world.statusOf(file?.url)).toBe(404)
    await world.resolve(ofMedia, 'dismiss')
    expect(await world.statusOf(file?.url)).toBe(200)
  })

  testOnServer('copies made while a report arrives are hidden too', async () => {
    const made: string[] = []
    let round = 0
    // The report arrives during both copies, or after the first or the second of them.
    for (const awaited of [null, null, 0, 0, 1, 1]) {
      const { id } = await world.publishPictures(ana, [(round += 1) + 10])
      const { media } = await bo.community.open({ params: { id } })
      const save = async () => {
        const { sessionId } = await bo.community.save({ params: { id } })
        made.push(...(await world.addressesOf(bo, sessionId)))
      }
      const compose = async () => {
        made.push((await world.compose(cy, media[0]?.mediaUrl ?? '')).imageUrl)
      }
      const copies = [save(), compose()]
      const settled = Promise.allSettled(copies)
      if (awaited !== null) await copies[awaited]
      await world.report({ targetType: 'community_session', targetId: Number(id) })
      // A copy that was too late is refused like a later one.
      const refusals = [404, 400]
      for (const [at, copy] of (await settled).entries())
        if (copy.status === 'rejected') expect(copy.reason).toMatchObject({ status: refusals[at] })
      expect([(await refused(save())).status, (await refused(compose())).status]).toEqual(refusals)
    }
    expect(made.length).toBeGreaterThanOrEqual(4)
    expect(await world.statusesOf(made)).toEqual([404])
  })

  test('of many concurrent decisions the first one counts', async () => {
    const media = await world.shareMedia(ana)
    const target = { targetType: 'shared_media', shareCode: media.shareCode }
    const ids: string[] = []
    for (let count = 0; count < 8; count += 1) ids.push(await world.report(target))
    const outcomes = await Promise.allSettled(ids.map((id) => world.resolve(id, 'remove')))
    const decided = outcomes.filter(({ status }) => status === 'fulfilled')
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect([decided.length, refusals.length]).toEqual([1, ids.length - 1])
    for (const { reason } of refusals) expect(reason).toMatchObject({ status: 400 })
  })

  test('many concurrent reports make one takedown', async () => {
    const media = await world.shareMedia(ana)
    const target = { targetType: 'shared_media', shareCode: media.shareCode }
    await Promise.all(Array.from({ length: 12 }, () => world.report(target)))
    expect(await world.ctx.db.selectFrom('takedowns').selectAll().execute()).toHaveLength(1)
    expect((await ana.moderation.listNotices()).items).toHaveLength(1)
  })
})
