/**
 * Guests of the community: people without an account, while the setting lets them in (contract 25). They see
 * the same as members without a verified age, and have no other part of the community.
 */
import { describe, expect, test } from 'vitest'
import { problems } from '../../src/contract/problems.ts'
import { emailOf } from '../support/admin-world.ts'
import { insertCommunityMedia, insertCommunitySession } from '../support/community-rows.ts'
import type { GuestWorld } from '../support/guest-world.ts'
import { browse, createGuestWorld, smallPicture } from '../support/guest-world.ts'
import { withKey } from '../support/key-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: GuestWorld
/** Publishes. She is age-verified. */
let ana: Person
/** A member whose age is not verified. */
let bo: Person
let guest: Person

useWorld(createGuestWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.as('bo')]
  guest = world.visitor()
})

const open = (person: Person, id: string) => person.community.open({ params: { id } })

function withoutAddresses({ session, media }: Awaited<ReturnType<typeof open>>) {
  const shown = media.map((slide) => ({ ...slide, mediaUrl: '', thumbnail: '', sizes: null }))
  return { session: { ...session, thumbnail: '' }, media: shown }
}

const closed = { status: 401, body: problems.unauthorized.fixed }

describe('a guest', () => {
  test('sees the list and the session as a member without a verified age does', async () => {
    const { id } = await world.publishSafe(ana, 'Evening', [smallPicture(1), smallPicture(2)])
    await world.shareMedia(ana, await smallPicture(3))
    const items = await browse(guest)
    expect(items.map(({ kind, nsfw }) => ({ kind, nsfw }))).toEqual([
      { kind: 'media', nsfw: false },
      { kind: 'session', nsfw: false },
    ])
    const bare = (found: typeof items) =>
      found.map((item) => ({ ...item, thumbnail: '', ...('url' in item && { url: '' }) }))
    expect(bare(items)).toEqual(bare(await browse(bo)))
    const opened = await open(guest, id)
    expect(opened.media).toHaveLength(2)
    expect(withoutAddresses(opened)).toEqual(withoutAddresses(await open(bo, id)))
  })

  test('searches, filters and turns pages', async () => {
    const { id: anaId } = await ana.accounts.currentUser()
    for (const title of ['Harbour at dawn', 'Harbour at night', 'Hills'])
      await insertCommunitySession(world.ctx, anaId, { title, tags: ['city'] })
    const find = async (query: Record<string, string>) => guest.community.browse({ query })
    expect((await find({ q: 'harbour' })).items).toHaveLength(2)
    expect((await find({ tags: 'nature' })).items).toEqual([])
    const first = await find({ limit: '2', sort: 'popular' })
    expect(first.items).toHaveLength(2)
    const rest = await find({ limit: '2', sort: 'popular', cursor: first.nextCursor ?? '' })
    expect([rest.items.length, rest.nextCursor]).toEqual([1, null])
    for (const query of [{ cursor: 'x' }, { limit: '101' }, { q: 'x'.repeat(201) }])
      expect((await refused(find(query))).status).toBe(400)
    expect((await refused(open(guest, 'x'))).status).toBe(400)
  })

  test('finds nothing adult, nothing private and nothing that is not published yet', async () => {
    const { id: anaId } = await ana.accounts.currentUser()
    const rated = await world.makeFilled(ana)
    await ana.sessions.update({ params: { id: rated }, body: { nsfw: true } })
    const adult = [
      await insertCommunitySession(world.ctx, anaId, { nsfw: true }),
      // Its original became adult.
      await insertCommunitySession(world.ctx, anaId, { session_id: Number(rated) }),
      (await world.makePublished(ana, {}, { nsfw: true })).id,
      (await world.makePublished(ana, { captionTheme: 'joi' })).id,
    ]
    const copying = await insertCommunitySession(world.ctx, anaId, { status: 'copying' })
    await insertCommunityMedia(world.ctx, anaId, { nsfw: true })
    const sessionId = await world.makeFilled(ana)
    expect(await browse(guest)).toEqual([])
    for (const id of [...adult, copying, sessionId, '2147483647'])
      expect(await refused(open(guest, id)), id).toMatchObject({
        status: 404,
        body: { message: 'Session not found or not public' },
      })
    expect((await refused(guest.sessions.read({ params: { id: sessionId } }))).status).toBe(401)
  })

  test('does not get adult slides of a safe session', async () => {
    const { id } = await world.publishSafe(ana, 'Evening', [smallPicture(1), smallPicture(2)])
    const [first] = (await open(guest, id)).media
    await world.ctx.db
      .updateTable('community_session_media')
      .set({ nsfw: true })
      .where('id', '=', first?.id ?? 0)
      .execute()
    expect((await open(guest, id)).media).toHaveLength(1)
    expect(await world.statusOf(first?.mediaUrl)).toBe(404)
  })

  test('has no other part of the community', async () => {
    const { id } = await world.publishSafe(ana, 'Evening')
    expect(await refused(guest.community.save({ params: { id } }))).toMatchObject(closed)
    expect(await refused(guest.community.published())).toMatchObject(closed)
    const unknownKey = withKey(world, `lan_${'A'.repeat(43)}`)
    expect(await refused(unknownKey.community.browse())).toMatchObject(closed)
  })

  test('is counted by address, and no answer is kept by a cache', async () => {
    const { id } = await world.publishSafe(ana, 'Evening')
    for (const path of ['/api/community', `/api/community/sessions/${id}`]) {
      const { headers } = await guest.fetch(path)
      expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
    }
    const limited = await createWorld({ RATE_LIMIT_PUBLIC: '2/900' })
    try {
      const from = (ip: string) =>
        limited.visitor({ 'x-forwarded-for': ip }).fetch('/api/community')
      const statuses = []
      for (const ip of ['203.0.113.7', '203.0.113.7', '203.0.113.7', '203.0.113.8'])
        statuses.push((await from(ip)).status)
      expect(statuses).toEqual([200, 200, 429, 200])
    } finally {
      await limited.close()
    }
  })

  test('with a sign-in of a disabled account is refused as before', async () => {
    await world.ctx.db
      .updateTable('users')
      .set({ is_active: false })
      .where('email', '=', emailOf('bo'))
      .execute()
    expect((await refused(bo.community.browse())).status).toBe(403)
  })
})

test('while the setting is off, a guest is refused before anything else is read', async () => {
  const { id } = await world.publishSafe(ana, 'Evening')
  await world.letGuestsIn(false)
  expect(await refused(guest.community.browse())).toMatchObject(closed)
  expect(await refused(guest.community.browse({ query: { limit: 'x' } }))).toMatchObject(closed)
  for (const path of [id, 'x', '2147483647'])
    expect(await refused(open(guest, path))).toMatchObject(closed)
  expect(await browse(bo)).toHaveLength(1)
  await world.letGuestsIn(true)
  expect(await browse(guest)).toHaveLength(1)
})

test('in production guests are shut out until an administrator lets them in', async () => {
  const site = await createWorld({
    NODE_ENV: 'production',
    SESSION_SECRET: 'a secret that is long enough',
    BASE_URL: 'https://lanternist.test',
  })
  try {
    const statusOf = async () => (await site.visitor().fetch('/api/community')).status
    const told = async () => (await site.visitor().site.read()).publicCommunity
    expect([await statusOf(), await told()]).toEqual([401, false])
    await site.ctx.db
      .insertInto('settings')
      .values({ key: 'publicCommunity', value: 'true', updated_at: site.ctx.now() })
      .execute()
    expect([await statusOf(), await told()]).toEqual([200, true])
  } finally {
    await site.close()
  }
})
