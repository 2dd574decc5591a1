/** The trash: hidden at once, restored as it was, deleted after 30 days (contract, section 15). */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { purgeOldTrash } from '../../src/server/features/trash/ending.ts'
import type { ModerationWorld } from '../support/moderation-world.ts'
import { createModerationWorld } from '../support/moderation-world.ts'
import { useWorld } from '../support/use-world.ts'
import { upload, userIdOf } from '../support/vault-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: ModerationWorld
let ana: Person
let bo: Person

useWorld(createModerationWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.adult('bo')]
})

const dayMs = 24 * 3_600_000
const trashed = { query: { trash: 'true' as const } }
const media = (id: number) => ({ kind: 'media' as const, id })
const session = (id: number) => ({ kind: 'session' as const, id })
const pathOf = (id: number) => ({ params: { id: String(id) } })

async function makeSession(person: Person, mediaIds: readonly number[]) {
  const slides = mediaIds.map((mediaId) => ({ mediaId }))
  const made = await person.sessions.createManual({ body: { title: 'Mine', slides } })
  return made.session.id
}

/** Runs the sweep as if some days had passed. The world's clock stays, so that no sign-in ends. */
const purgeIn = (days: number) =>
  purgeOldTrash({
    ...world.ctx,
    now: () => new Date(world.clock.now().getTime() + days * dayMs),
  })

const statusOf = async (url: string | null | undefined) =>
  (await ana.fetch(url ?? '/nothing')).status

describe('a picture', () => {
  test('disappears from lists, links and addresses at once, and can be restored unchanged', async () => {
    const { mediaId, id, fileUrl } = await upload(ana)
    await world.runJobs()
    const before = await ana.vault.read({ params: { id } })
    const { shareCode } = await ana.vault.share({
      params: { id },
      body: { shareToCommunity: false },
    })
    const other = await upload(ana, 'other.png')
    const sessionId = await makeSession(ana, [other.mediaId, mediaId])
    await ana.sessions.update({ ...pathOf(sessionId), body: { thumbnail: fileUrl } })
    const shown = await ana.sessions.read(pathOf(sessionId))
    expect(await ana.vault.remove({ params: { id }, ...trashed })).toEqual({
      message: 'Media moved to trash',
    })
    expect((await ana.vault.list()).files.map(({ id }) => id)).toEqual([other.mediaId])
    expect((await ana.vault.list()).categories.upload).toBe(1)
    expect(await refused(ana.vault.read({ params: { id } }))).toMatchObject({ status: 404 })
    expect(await statusOf(fileUrl)).toBe(404)
    expect(await statusOf(shown.media[1]?.mediaUrl)).toBe(404)
    expect(await refused(bo.vault.openShared({ params: { code: shareCode } }))).toMatchObject({
      status: 404,
    })
    const without = await ana.sessions.read(pathOf(sessionId))
    expect(without.media).toMatchObject([
      { mediaUrl: shown.media[0]?.mediaUrl },
      { id: shown.media[1]?.id, mediaUrl: null, thumbnail: null, sizes: null },
    ])
    expect(without.session).toMatchObject({ mediaCount: 2, updatedAt: shown.session.updatedAt })
    const { usedBytes, trashBytes, files } = await ana.storage.read()
    expect([usedBytes, files]).toEqual([2 * trashBytes, 1])
    const { items } = await ana.trash.list()
    expect(items).toMatchObject([{ kind: 'media', id: mediaId, thumbnail: null }])
    expect(Date.parse(items[0]?.purgeAt ?? '') - Date.parse(items[0]?.deletedAt ?? '')).toBe(
      30 * dayMs,
    )
    expect((await bo.trash.list()).items).toEqual([])
    const body = { items: [media(mediaId)] }
    expect(await bo.trash.restore({ body })).toEqual({
      restored: 0,
      failed: [{ ...media(mediaId), reason: 'not_found' }],
    })
    expect(await bo.trash.empty({ body })).toEqual({ deleted: 0 })
    expect(await ana.trash.restore({ body })).toEqual({ restored: 1, failed: [] })
    const after = await ana.vault.read({ params: { id } })
    expect(after.file).toEqual({ ...before.file, isShared: true, shareCode })
    expect(await ana.sessions.read(pathOf(sessionId))).toEqual(shown)
    expect(await statusOf(fileUrl)).toBe(200)
    await bo.vault.openShared({ params: { code: shareCode } })
  })

  test('is restored into its remaining slides, after any changes in the meantime', async () => {
    const [first, second, third] = [
      await upload(ana),
      await upload(ana, '2.png'),
      await upload(ana, '3.png'),
    ]
    const sessionId = await makeSession(ana, [first.mediaId, second.mediaId, first.mediaId])
    const { media: slides } = await ana.sessions.read(pathOf(sessionId))
    await ana.vault.remove({ params: { id: first.id }, ...trashed })
    const kept = [
      { id: slides[2]!.id, caption: 'Moved to the front' },
      { id: slides[1]!.id },
      { mediaId: third.mediaId },
    ]
    const edited = await ana.sessions.replaceMedia({
      ...pathOf(sessionId),
      body: { slides: kept },
    })
    expect(edited.media.map(({ mediaUrl }) => mediaUrl === null)).toEqual([true, false, false])
    const again = { mediaId: first.mediaId }
    expect(
      await refused(ana.sessions.createManual({ body: { title: 'No', slides: [again] } })),
    ).toMatchObject({ status: 404 })
    await ana.trash.restore({ body: { items: [media(first.mediaId)] } })
    const { media: restored } = await ana.sessions.read(pathOf(sessionId))
    expect(restored).toMatchObject([
      { id: slides[2]!.id, mediaUrl: slides[2]!.mediaUrl, caption: 'Moved to the front' },
      { id: slides[1]!.id },
      {},
    ])
    await ana.vault.remove({ params: { id: first.id }, ...trashed })
    expect(await ana.trash.empty({ body: { items: [media(first.mediaId)] } })).toEqual({
      deleted: 1,
    })
    const { media: left } = await ana.sessions.read(pathOf(sessionId))
    expect(left.map(({ id, order }) => [id, order])).toEqual([
      [slides[1]!.id, 0],
      [restored[2]!.id, 1],
    ])
  })

  test('that was taken down in the meantime stays in the trash, and a hidden one is deleted for good', async () => {
    const { mediaId, id } = await upload(ana)
    const hide = (mediaId: number, isQuarantine: boolean) =>
      sql`with made as (
        insert into takedowns (media_id, state, is_quarantine, created_at)
        values (${mediaId}, 'hidden', ${isQuarantine}, now()) returning id
      ) insert into hidden_files (bucket, key, takedown_id)
        select 'user-media', file_path, made.id from made, vault_media v
        where v.id = ${mediaId}`.execute(world.ctx.db)
    await ana.vault.remove({ params: { id }, ...trashed })
    await hide(mediaId, false)
    const body = { items: [media(mediaId)] }
    expect(await ana.trash.restore({ body })).toEqual({
      restored: 0,
      failed: [{ ...media(mediaId), reason: 'blocked' }],
    })
    const other = await upload(ana, 'other.png')
    await hide(other.mediaId, false)
    const both = { items: [media(other.mediaId), media(999)] }
    expect(await ana.trash.put({ body: both })).toEqual({
      trashed: 0,
      failed: [
        { ...media(other.mediaId), reason: 'blocked' },
        { ...media(999), reason: 'not_found' },
      ],
    })
    expect(await ana.vault.remove({ params: { id: other.id }, ...trashed })).toEqual({
      message: 'Media deleted successfully',
    })
    // A file that may show a minor is hidden from its owner until the decision, in the trash too.
    await sql`update takedowns set is_quarantine = true`.execute(world.ctx.db)
    expect((await ana.trash.list()).items).toEqual([])
    expect(await ana.trash.empty({ body: {} })).toEqual({ deleted: 0 })
    expect(await ana.trash.restore({ body })).toMatchObject({
      failed: [{ reason: 'not_found' }],
    })
    await purgeIn(31)
    const kept = await world.ctx.db.selectFrom('vault_media').select('id').execute()
    expect(kept).toEqual([{ id: mediaId }])
    const third = await upload(ana, 'third.png')
    await hide(third.mediaId, true)
    expect(await refused(ana.vault.remove({ params: { id: third.id }, ...trashed }))).toMatchObject(
      { status: 404 },
    )
  })
})

test('a picture that is reported and then put in the trash is taken down there', async () => {
  const shared = await world.shareMedia(ana)
  const mediaId = Number(shared.id)
  const report = await world.report(
    { targetType: 'shared_media', shareCode: shared.shareCode },
    'copyright',
  )
  await ana.vault.remove({ params: { id: shared.id }, ...trashed })
  expect(await world.statusesOf([shared.url, shared.communityUrl])).toEqual([404])
  await world.resolve(report, 'remove')
  expect(await ana.trash.restore({ body: { items: [media(mediaId)] } })).toEqual({
    restored: 0,
    failed: [{ ...media(mediaId), reason: 'blocked' }],
  })
  expect(await ana.trash.empty()).toEqual({ deleted: 1 })
  expect((await ana.storage.read()).usedBytes).toBe(0)
})

describe('a session', () => {
  test('disappears for everyone, and is restored with its code; its pictures stay in the vault', async () => {
    const { mediaId } = await upload(ana)
    const id = await makeSession(ana, [mediaId])
    const { shareCode: code } = await ana.sharing.shareSession({ ...pathOf(id), body: {} })
    const before = await ana.sessions.read(pathOf(id))
    expect(await refused(bo.sessions.remove({ ...pathOf(id), ...trashed }))).toMatchObject({
      status: 403,
    })
    const theirs = { items: [session(id), media(mediaId)] }
    expect(await bo.trash.put({ body: theirs })).toMatchObject({ trashed: 0, failed: [{}, {}] })
    expect(await ana.sessions.remove({ ...pathOf(id), ...trashed })).toEqual({
      message: 'Session moved to trash',
    })
    expect(await ana.sessions.list()).toEqual([])
    expect(await refused(ana.sessions.read(pathOf(id)))).toMatchObject({ status: 404 })
    expect(await refused(bo.sessions.read(pathOf(id)))).toMatchObject({ status: 404 })
    expect(await refused(bo.sharing.open({ params: { code } }))).toMatchObject({ status: 404 })
    const change = { ...pathOf(id), body: { title: 'New' } }
    expect(await refused(ana.sessions.update(change))).toMatchObject({ status: 404 })
    expect(await refused(ana.sessions.remove({ ...pathOf(id) }))).toMatchObject({ status: 404 })
    expect((await ana.vault.list()).totalCount).toBe(1)
    expect(await bo.trash.restore({ body: theirs })).toMatchObject({ restored: 0 })
    expect(await bo.trash.empty({ body: theirs })).toEqual({ deleted: 0 })
    const misspelt = { itmes: [session(id)] } as object
    expect(await refused(ana.trash.empty({ body: misspelt }))).toMatchObject({ status: 400 })
    world.clock.advance(1000)
    const body = { items: [session(id), session(id)] }
    expect(await ana.trash.restore({ body })).toEqual({ restored: 1, failed: [] })
    expect(await ana.sessions.read(pathOf(id))).toEqual(before)
    await bo.sharing.open({ params: { code } })
  })

  test('another value than true or false is refused', async () => {
    const id = await makeSession(ana, [(await upload(ana)).mediaId])
    const query = { trash: 'yes' as 'true' }
    expect(await refused(ana.sessions.remove({ ...pathOf(id), query }))).toMatchObject({
      status: 400,
    })
    expect(await refused(ana.vault.remove({ ...pathOf(1), query }))).toMatchObject({ status: 400 })
    await ana.sessions.remove({ ...pathOf(id), query: { trash: 'false' } })
    expect((await ana.trash.list()).items).toEqual([])
  })
})

test('the list continues after its cursor, the latest first', async () => {
  for (let number = 0; number < 3; number += 1) {
    const { mediaId } = await upload(ana, `${number}.png`)
    const id = await makeSession(ana, [mediaId])
    await ana.trash.put({ body: { items: [media(mediaId), session(id)] } })
    world.clock.advance(1000)
  }
  const all = (await ana.trash.list()).items
  const seen = []
  for (let cursor: string | undefined; ;) {
    const query = { limit: '2', ...(cursor === undefined ? {} : { cursor }) }
    const page = await ana.trash.list({ query })
    seen.push(...page.items)
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  expect(seen).toEqual(all)
  expect(all).toHaveLength(6)
  expect(await refused(ana.trash.list({ query: { cursor: 'x' } }))).toMatchObject({ status: 400 })
  expect(await ana.trash.empty({ body: {} })).toEqual({ deleted: 6 })
  expect((await ana.trash.list()).items).toEqual([])
  expect((await ana.storage.read()).usedBytes).toBe(0)
})

test('ten thousand expired items are deleted after 30 days, in batches, and later ones stay', async () => {
  const userId = await userIdOf(ana)
  const { mediaId } = await upload(ana)
  await ana.vault.remove({ ...pathOf(mediaId), ...trashed })
  await sql`insert into vault_media (user_id, name, original_name, file_name, file_path, file_size,
      mime_type, source, created_at, trashed_at)
    select ${userId}, 'n', 'n', 'n', 'users/' || ${userId} || '/General/' || n, 10, 'image/png',
      'general', ${world.clock.now()}, ${new Date(world.clock.now().getTime() - 30 * dayMs)}
    from generate_series(1, 10000) n`.execute(world.ctx.db)
  await purgeIn(0)
  const { items } = await ana.trash.list()
  expect(items).toMatchObject([{ id: mediaId }])
  const due = await sql<{ count: number }>`
    select count(*)::int as count from unclaimed_files`.execute(world.ctx.db)
  expect(due.rows[0]?.count).toBe(10_000)
  await purgeIn(30)
  expect((await ana.trash.list()).items).toEqual([])
})
