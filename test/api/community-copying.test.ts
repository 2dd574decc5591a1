/**
 * Snapshots of publications stay unchanged by later edits and by workers that die, until they are
 * withdrawn (contract 2).
 */
import { describe, expect, test } from 'vitest'
import { failStuckCopyings, runCopying } from '../../src/server/features/community/copying.ts'
import { sweepUnclaimedFiles } from '../../src/server/features/files/unclaimed-files.ts'
import { open, publicationIds, read, share, withdraw } from '../support/community-calls.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld } from '../support/community-world.ts'
import { failingAt } from '../support/failing-at.ts'
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

describe('the snapshot', () => {
  test('does not change with later edits, and is replaced under the same id when published again', async () => {
    const { sessionId, id } = await world.makePublished(ana)
    const before = await open(bo, id)
    const { media } = await ana.sessions.read({ params: { id: sessionId } })
    await ana.sessions.update({ params: { id: sessionId }, body: { title: 'Edited' } })
    await ana.sessions.replaceMedia({
      params: { id: sessionId },
      body: { slides: [{ id: media[1]!.id, caption: 'Kept' }] },
    })
    await world.runJobs()
    expect(await open(bo, id)).toEqual(before)
    world.clock.advance(1000)
    expect(await world.publish(ana, sessionId)).toBe(id)
    const after = await open(bo, id)
    expect(after.session).toMatchObject({ id: Number(id), title: 'Edited', mediaCount: 1 })
    expect(after.media).toMatchObject([{ order: 0, caption: 'Kept' }])
    expect(after.session.publishedAt > before.session.publishedAt).toBe(true)
    expect(await world.filesIn('general')).toEqual([
      'community/1/2/0-640.webp',
      'community/1/2/0.jpg',
    ])
    expect((await world.visitor().fetch(before.media[0]!.mediaUrl ?? '')).status).toBe(404)
    expect((await bo.community.browse()).items).toHaveLength(1)
  })

  test('has the state at the request, even if the session is edited before the copy', async () => {
    const sessionId = await world.makeFilled(ana)
    await share(ana, sessionId)
    await ana.sessions.update({ params: { id: sessionId }, body: { title: 'Too late' } })
    await ana.sessions.replaceMedia({ params: { id: sessionId }, body: { slides: [] } })
    await world.runJobs()
    expect((await open(bo, '1')).session).toMatchObject({ title: 'Evening', mediaCount: 3 })
  })

  test('stays while a new one is copied, and if that copy fails', async () => {
    const { sessionId, id } = await world.makePublished(ana)
    const before = await open(bo, id)
    await share(ana, sessionId)
    expect(await open(bo, id)).toEqual(before)
    world.site.gone.add('city')
    await world.runJobs()
    expect(await open(bo, id)).toEqual(before)
    expect(await read(ana, sessionId)).toMatchObject({ shareToCommunity: true })
    expect((await world.told(sessionId)).at(-1)).toMatchObject({ type: 'publish_failed' })
    expect((await world.visitor().fetch(before.media[0]!.mediaUrl ?? '')).status).toBe(200)
  })

  test('if two publications run at once, the later one wins and nothing of the other is left', async () => {
    const sessionId = await world.makeFilled(ana)
    await share(ana, sessionId)
    await share(ana, sessionId, { title: 'Second thought' })
    await world.runJobs()
    expect((await open(bo, '1')).session.title).toBe('Second thought')
    expect((await world.told(sessionId)).filter(({ type }) => type === 'published')).toHaveLength(1)
    expect(await world.filesIn('general')).toHaveLength(6)
  })
})

describe('withdrawing', () => {
  test('deletes the copies and leaves a tombstone that cannot be saved', async () => {
    const { sessionId, id } = await world.makePublished(ana)
    const { media } = await open(bo, id)
    expect(await withdraw(ana, sessionId)).toMatchObject({ shareToCommunity: false })
    expect(await world.filesIn('general')).toEqual([])
    expect(await unclaimedKeys(world)).toEqual([])
    expect((await world.visitor().fetch(media[0]!.mediaUrl ?? '')).status).toBe(404)
    expect(await refused(open(bo, id))).toMatchObject({ status: 404 })
    expect(await refused(bo.community.save({ params: { id } }))).toMatchObject({
      status: 403,
      body: { message: 'This session was withdrawn from the community' },
    })
    expect((await bo.community.browse()).items).toEqual([])
    expect((await ana.sessions.read({ params: { id: sessionId } })).media).toHaveLength(3)
  })

  test('can be undone: publishing again uses the same id', async () => {
    const { sessionId, id } = await world.makePublished(ana)
    await withdraw(ana, sessionId)
    await withdraw(ana, sessionId)
    expect(await world.publish(ana, sessionId)).toBe(id)
    expect((await open(bo, id)).media).toHaveLength(3)
  })

  test('before the copy leaves nothing', async () => {
    const sessionId = await world.makeFilled(ana)
    await share(ana, sessionId)
    await withdraw(ana, sessionId)
    await world.runJobs()
    expect(await refused(bo.community.save({ params: { id: '1' } }))).toMatchObject({ status: 404 })
    expect(await world.filesIn('general')).toEqual([])
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('also happens when the session is deleted', async () => {
    const { sessionId, id } = await world.makePublished(ana)
    await ana.sessions.remove({ params: { id: sessionId } })
    expect(await world.filesIn('general')).toEqual([])
    expect(await refused(open(bo, id))).toMatchObject({ status: 404 })
    expect(await refused(bo.community.save({ params: { id } }))).toMatchObject({ status: 403 })
  })
})

describe('a worker that dies', () => {
  const begin = async () => {
    const sessionId = await world.makeFilled(ana)
    await share(ana, sessionId)
    const [publicationId] = await publicationIds(world)
    return { sessionId, publicationId: publicationId! }
  }

  test('half-way is replaced by another, and nothing is duplicated', async () => {
    const { sessionId, publicationId } = await begin()
    world.storageFaults.writesLeft = 3
    await expect(runCopying(world.ctx, publicationId)).rejects.toThrow('took the disk away')
    expect(await refused(open(bo, '1'))).toMatchObject({ status: 404 })
    world.storageFaults.writesLeft = Infinity
    await runCopying(world.ctx, publicationId)
    await runCopying(world.ctx, publicationId)
    await world.runJobs()
    expect((await open(bo, '1')).media).toHaveLength(3)
    expect((await world.told(sessionId)).filter(({ type }) => type === 'published')).toHaveLength(1)
    expect(await world.filesIn('general')).toEqual(
      ['0', '1', '2'].flatMap((n) => [`community/1/2/${n}-640.webp`, `community/1/2/${n}.jpg`]),
    )
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('silently leaves files that a sweep removes', async () => {
    const { publicationId } = await begin()
    // Fails as if the process had ended between the last copy and the row: nothing is cleaned up.
    const dying = { ...world.ctx, db: failingAt(world.ctx.db, 'transaction') }
    await expect(runCopying(dying, publicationId)).rejects.toThrow()
    await runCopying(world.ctx, publicationId)
    world.clock.advance(61 * 60 * 1000)
    await sweepUnclaimedFiles(world.ctx)
    expect(await world.filesIn('general', 'community/1/1/')).toEqual([])
    expect(await world.filesIn('general', 'community/1/2/')).toHaveLength(6)
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('two workers that both believe they are alone: one publishes its copies, the other leaves none', async () => {
    const { sessionId, publicationId } = await begin()
    await Promise.all([
      runCopying(world.ctx, publicationId),
      runCopying(world.ctx, publicationId),
      runCopying(world.ctx, publicationId),
    ])
    expect((await open(bo, '1')).media).toHaveLength(3)
    expect(await world.filesIn('general')).toHaveLength(6)
    expect((await world.told(sessionId)).filter(({ type }) => type === 'published')).toHaveLength(1)
    for (const { mediaUrl } of (await open(bo, '1')).media)
      expect((await world.visitor().fetch(mediaUrl ?? '')).status).toBe(200)
  })

  test('for good ends in a failed publication', async () => {
    const { sessionId, publicationId } = await begin()
    world.storageFaults.writesLeft = 2
    await expect(runCopying(world.ctx, publicationId)).rejects.toThrow()
    await failStuckCopyings(world.ctx)
    expect(await publicationIds(world)).toEqual([publicationId])
    world.clock.advance(16 * 60 * 1000)
    await failStuckCopyings(world.ctx)
    expect(await publicationIds(world)).toEqual([publicationId])
    await world.ctx.queue.boss.deleteQueuedJobs('copy-publication')
    await failStuckCopyings(world.ctx)
    expect(await publicationIds(world)).toEqual([])
    expect(await read(ana, sessionId)).toMatchObject({ shareToCommunity: false })
    expect((await world.told(sessionId)).at(-1)).toMatchObject({ type: 'publish_failed' })
  })

  test('a copy ends by itself if its session is withdrawn', async () => {
    const { sessionId, publicationId } = await begin()
    const copying = runCopying(world.ctx, publicationId)
    await withdraw(ana, sessionId)
    await copying
    expect(await world.filesIn('general')).toEqual([])
    expect(await refused(open(bo, '1'))).toMatchObject({ status: 404 })
  })
})
