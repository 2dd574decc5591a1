/** The sizes of a picture are hidden or deleted together with the picture, in every way. */
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sweepUnclaimedFiles } from '../../src/server/features/files/unclaimed-files.ts'
import { sweepRenditions } from '../../src/server/features/renditions/rendition-jobs.ts'
import { runJob } from '../../src/server/jobs/job.ts'
import type { ModerationWorld } from '../support/moderation-world.ts'
import { createModerationWorld } from '../support/moderation-world.ts'
import { addressesOf, showWide, slidesOf, wide } from '../support/rendition-world.ts'
import { paint } from '../support/sample-media.ts'
import { useWorld } from '../support/use-world.ts'
import { keysIn, putMedia, unclaimedKeys } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'

let world: ModerationWorld
let ana: Person
let bo: Person
/** A large picture of Ana's, and the session that shows it. */
let mediaId: string
let id: string

useWorld(createModerationWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.adult('bo')]
  ;({ mediaId, sessionId: id } = await showWide(world, ana))
})
afterEach(() => void vi.restoreAllMocks())

const ownSizes = async (person = ana, sessionId = id) => {
  const addresses = addressesOf(await slidesOf(person, sessionId))
  expect(addresses.length).toBeGreaterThan(0)
  expect(await world.statusesOf(addresses)).toEqual([200])
  return addresses
}

const sizesStored = async () => {
  const keys = [...(await keysIn(world, 'user-media')), ...(await keysIn(world, 'general'))]
  return keys.filter((key) => key.includes('/sizes/'))
}

async function expectNothingLeft(addresses: readonly string[]): Promise<void> {
  for (const address of addresses) expect(await world.statusOf(address)).toBe(404)
  expect(await sizesStored()).toEqual([])
  const { rows } =
    await sql`select from media_renditions union all select from rendition_files`.execute(
      world.ctx.db,
    )
  expect(rows).toEqual([])
  expect(await unclaimedKeys(world)).toEqual([])
}

const importPicture = async (person: Person) => {
  const urls = [`${world.site.origin}/jpg/a.jpg`]
  const { session } = await person.imports.importSession({ body: { title: 'Brought', urls } })
  await world.runJobs()
  return String(session.id)
}

describe('they are removed', () => {
  test('with a file of the vault', async () => {
    const addresses = await ownSizes()
    await ana.vault.remove({ params: { id: mediaId } })
    await expectNothingLeft(addresses)
  })

  test('with a session that has its own files', async () => {
    await ana.vault.remove({ params: { id: mediaId } })
    const imported = await importPicture(ana)
    const addresses = await ownSizes(ana, imported)
    await ana.sessions.remove({ params: { id: imported } })
    await expectNothingLeft(addresses)
  })

  test('with a slide that has its own file', async () => {
    await ana.vault.remove({ params: { id: mediaId } })
    const imported = await importPicture(ana)
    const addresses = await ownSizes(ana, imported)
    await ana.sessions.replaceMedia({ params: { id: imported }, body: { slides: [] } })
    await expectNothingLeft(addresses)
  })

  test('with a publication, also when it is published again', async () => {
    const communityId = await world.publish(ana, id)
    const published = async () =>
      addressesOf((await bo.community.open({ params: { id: communityId } })).media)
    const first = await published()
    expect(await world.statusesOf(first)).toEqual([200])
    await world.publish(ana, id)
    const second = await published()
    expect(second).toHaveLength(4)
    expect(await world.statusesOf(second)).toEqual([200])
    expect(await world.statusesOf(first)).toEqual([404])
    await ana.sessions.update({ params: { id }, body: { shareToCommunity: false } })
    expect(await world.statusesOf(second)).toEqual([404])
    expect((await sizesStored()).filter((key) => key.startsWith('community/'))).toEqual([])
    await ownSizes()
  })

  test('with the account and its publications', async () => {
    const communityId = await world.publish(ana, id)
    const opened = await bo.community.open({ params: { id: communityId } })
    const addresses = [...(await ownSizes()), ...addressesOf(opened.media)]
    await ana.accounts.deleteAccount({ body: { confirm: 'ana@example.test' } })
    await expectNothingLeft(addresses)
  })

  test('even if only the account’s row is deleted', async () => {
    const addresses = await ownSizes()
    await sql`delete from users where email = 'ana@example.test'`.execute(world.ctx.db)
    await sweepUnclaimedFiles(world.ctx)
    expect(await sizesStored()).toEqual([])
    const own = addresses.filter((address) => address.includes('/sizes/'))
    expect(own).not.toEqual([])
    expect(await world.statusesOf(own)).toEqual([404])
  })

  test('if the picture is deleted while they are made', async () => {
    await ana.vault.remove({ params: { id: mediaId } })
    const held = await holdNextSize(ana)
    const running = world.runJobs()
    await held.begun
    await ana.vault.remove({ params: { id: held.mediaId } })
    held.release()
    await running
    await expectNothingLeft([])
  })
})

test('of two concurrent writers, the one whose lease ended leaves nothing', async () => {
  await ana.vault.remove({ params: { id: mediaId } })
  const held = await holdNextSize(ana)
  const first = world.runJobs()
  await held.begun
  world.clock.advance(6 * 60_000)
  await runJob(world.ctx, sweepRenditions, {})
  await world.runJobs()
  const addresses = await ownSizes(ana, held.sessionId)
  const stored = await sizesStored()
  expect(stored).toHaveLength(1)
  held.release()
  await first
  expect(await sizesStored()).toEqual(stored)
  expect(await ownSizes(ana, held.sessionId)).toEqual(addresses)
  expect(await unclaimedKeys(world)).toEqual([])
})

/** Stores a new picture whose sizes are still missing. Writing the first size waits. */
async function holdNextSize(person: Person) {
  const mediaId = await putMedia(
    person,
    await paint({ ...wide, seed: 7 })
      .jpeg()
      .toBuffer(),
  )
  const { session } = await person.sessions.createManual({
    body: { title: 'Late', slides: [{ mediaId: Number(mediaId) }] },
  })
  const { storage } = world.ctx
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const put = storage.put.bind(storage)
  vi.spyOn(storage, 'put').mockImplementationOnce(async (...wanted) => {
    begun.resolve()
    await gate.promise
    return put(...wanted)
  })
  const sessionId = String(session.id)
  return { mediaId, sessionId, begun: begun.promise, release: gate.resolve }
}

describe('others get addresses of a grant', () => {
  const byLink = async (code: string) =>
    addressesOf((await bo.sharing.open({ params: { code } })).media)

  test('which end with the link', async () => {
    const owners = await ownSizes()
    const { shareCode } = await ana.sharing.shareSession({ params: { id }, body: {} })
    const preview = addressesOf(
      (await world.visitor().sharing.preview({ params: { code: shareCode } })).media,
    )
    const given = [...(await byLink(shareCode)), ...preview]
    expect(given).toHaveLength(8)
    for (const address of given) expect(owners).not.toContain(address)
    expect(await world.statusesOf(given)).toEqual([200])
    const answer = await world.visitor().fetch(given[0]!)
    expect(answer.headers.get('cache-control')).toBe('private, max-age=60')
    await ana.sharing.shareSession({ params: { id }, body: { password: 'open sesame' } })
    expect(await world.statusesOf(given)).toEqual([404])
    expect(await world.statusesOf(owners)).toEqual([200])
  })

  test('or with the public flag, or with the slide', async () => {
    await ana.sessions.update({ params: { id }, body: { isPublic: true } })
    const given = addressesOf(await slidesOf(bo, id))
    expect(await world.statusesOf(given)).toEqual([200])
    await ana.sessions.update({ params: { id }, body: { isPublic: false } })
    expect(await world.statusesOf(given)).toEqual([404])
    await ana.sessions.update({ params: { id }, body: { isPublic: true } })
    expect(await world.statusesOf(given)).toEqual([200])
    await ana.sessions.replaceMedia({ params: { id }, body: { slides: [] } })
    // The cover stays. It is the thumbnail of this width.
    const others = given.filter((address) => !address.includes('/640.webp'))
    expect(await world.statusesOf(others)).toEqual([404])
  })

  test('and contain nothing of another session’s pictures', async () => {
    await ana.sessions.update({ params: { id }, body: { isPublic: true } })
    const [given = ''] = addressesOf(await slidesOf(bo, id))
    const other = await showWide(world, ana, 2)
    const [theirs = ''] = await ownSizes(ana, other.sessionId)
    const query = given.slice(given.indexOf('?'))
    expect(await world.statusOf(`${theirs.split('?')[0]}${query}`)).toBe(404)
  })
})

describe('a takedown covers all sizes', () => {
  test('also of copies and saved sessions, until a dismissal', async () => {
    const owners = await ownSizes()
    const communityId = await world.publish(ana, id)
    const { sessionId } = await bo.community.save({ params: { id: communityId } })
    await world.runJobs()
    const published = addressesOf((await bo.community.open({ params: { id: communityId } })).media)
    const saved = await ownSizes(bo, String(sessionId))
    const all = [...owners, ...published, ...saved]
    const report = await world.report({
      targetType: 'community_session',
      targetId: Number(communityId),
    })
    expect(await world.statusesOf(all)).toEqual([404])
    expect(await world.statusesOf(owners, ana)).toEqual([200])
    await world.resolve(report, 'dismiss')
    expect(await world.statusesOf(all)).toEqual([200])
  })

  test('also those that are made afterwards', async () => {
    await sql`delete from media_renditions`.execute(world.ctx.db)
    await sql`insert into rendition_backfills (source) values ('vault') on conflict do nothing`.execute(
      world.ctx.db,
    )
    const { shareCode } = await ana.vault.share({
      params: { id: mediaId },
      body: { shareToCommunity: false },
    })
    await world.report({ targetType: 'shared_media', shareCode })
    await runJob(world.ctx, sweepRenditions, {})
    await world.runJobs()
    const addresses = addressesOf(await slidesOf(ana, id))
    expect(addresses).toHaveLength(4)
    expect(await world.statusesOf(addresses)).toEqual([404])
  })
})
