/**
 * Guests of the community: people without an account, while the setting lets them in (contract 25). They see
 * what is not adult, at media addresses that end with the publication and with the setting.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { problems } from '../../src/contract/problems.ts'
import { emailOf } from '../support/admin-world.ts'
import { insertCommunityMedia, insertCommunitySession } from '../support/community-rows.ts'
import { withKey } from '../support/key-world.ts'
import type { ModerationWorld, SharedMedia } from '../support/moderation-world.ts'
import { aPicture, createModerationWorld } from '../support/moderation-world.ts'
import { plainJpeg } from '../support/sample-media.ts'
import { createTwoNodes } from '../support/two-nodes.ts'
import { useWorld } from '../support/use-world.ts'
import { putMedia } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: ModerationWorld
/** Publishes. She is age-verified. */
let ana: Person
/** A member whose age is not verified. */
let bo: Person
let admin: Person
let guest: Person

useWorld(createModerationWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.as('bo')]
  admin = await world.moderator()
  guest = world.visitor()
})

const letGuestsIn = (publicCommunity: boolean) =>
  admin.admin.changeSettings({ body: { publicCommunity } })

/** Too small for other sizes, which take most of the time. */
const small = (seed: number) => plainJpeg({ width: 160, height: 120, seed })

/** Publishes a session of these pictures as safe. */
async function publishSafe(title = 'Evening', pictures = [small(1)]) {
  const slides = []
  for (const picture of pictures)
    slides.push({ mediaId: Number(await putMedia(ana, await picture)) })
  await world.runJobs()
  const { session } = await ana.sessions.createManual({ body: { title, slides } })
  const sessionId = String(session.id)
  return { sessionId, id: await world.publish(ana, sessionId, { nsfw: false }) }
}

const open = (person: Person, id: string) => person.community.open({ params: { id } })
const browse = async (person: Person) => (await person.community.browse()).items

type Opened = Awaited<ReturnType<typeof open>>

/** Returns every media address of an opened session and of its place in the list. */
async function addressesFor(person: Person, id: string): Promise<string[]> {
  const { session, media } = await open(person, id)
  const listed = (await browse(person)).filter((item) => item.id === Number(id))
  const all = [
    session.thumbnail,
    ...listed.map(({ thumbnail }) => thumbnail),
    ...media.flatMap(({ mediaUrl, thumbnail, sizes }) => [
      mediaUrl,
      thumbnail,
      ...Object.values(sizes ?? {}),
    ]),
  ]
  return [...new Set(all.filter((address) => typeof address === 'string'))]
}

function withoutAddresses({ session, media }: Opened) {
  const shown = media.map((slide) => ({ ...slide, mediaUrl: '', thumbnail: '', sizes: null }))
  return { session: { ...session, thumbnail: '' }, media: shown }
}

const closed = { status: 401, body: problems.unauthorized.fixed }

describe('a guest', () => {
  test('sees the list and the session as a member without a verified age does', async () => {
    const { id } = await publishSafe('Evening', [small(1), small(2)])
    await world.shareMedia(ana, await small(3))
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
    const adult = [
      await insertCommunitySession(world.ctx, anaId, { nsfw: true }),
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
    const { id } = await publishSafe('Evening', [small(1), small(2)])
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
    const { id } = await publishSafe()
    expect(await refused(guest.community.save({ params: { id } }))).toMatchObject(closed)
    expect(await refused(guest.community.published())).toMatchObject(closed)
    const unknownKey = withKey(world, `lan_${'A'.repeat(43)}`)
    expect(await refused(unknownKey.community.browse())).toMatchObject(closed)
  })

  test('is counted by address, and no answer is kept by a cache', async () => {
    const { id } = await publishSafe()
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

describe('a media address of a guest', () => {
  test('opens the file for a minute at most, and is not the address of members', async () => {
    const { id } = await publishSafe('Evening', [aPicture()])
    const { communityUrl } = await world.shareMedia(ana, await small(3))
    const [mine, theirs] = [await addressesFor(guest, id), await addressesFor(bo, id)]
    const [media] = (await browse(guest)).filter((item) => item.kind === 'media')
    const given = [...mine, media?.url ?? '', media?.thumbnail ?? '']
    // The picture, its thumbnail and at least one size.
    expect(mine.length).toBeGreaterThanOrEqual(3)
    expect(mine).toHaveLength(theirs.length)
    for (const address of given) {
      expect([...theirs, communityUrl]).not.toContain(address)
      expect(address).toMatch(
        /^\/media\/general\/[\w./-]+\?g=(publication|communitymedia)\.\d+&s=[\w-]{24}$/,
      )
      const response = await guest.fetch(address)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('private, max-age=60')
    }
    expect(await addressesFor(guest, id)).toEqual(mine)
  })

  test('opens no other file, and no other grant opens its file', async () => {
    const [one, two] = [await publishSafe('One'), await publishSafe('Two', [small(2)])]
    const [address = ''] = await addressesFor(guest, one.id)
    const { pathname, searchParams } = new URL(address, world.url)
    const signature = searchParams.get('s') ?? ''
    const [other = ''] = await addressesFor(guest, two.id)
    const grant = `publication.${one.id}`
    const forged = [
      `${pathname}?s=${signature}`,
      `${pathname}?g=publication.${two.id}&s=${signature}`,
      `${pathname}?g=communitymedia.${one.id}&s=${signature}`,
      `${pathname}?g=adultpublication.${one.id}&s=${signature}`,
      `${pathname}?g=public.${one.id}&s=${signature}`,
      `${other.split('?')[0]}?g=${grant}&s=${signature}`,
      `${pathname.replace('/general/', '/user-media/')}?g=${grant}&s=${signature}`,
    ]
    expect(await world.statusesOf([address])).toEqual([200])
    expect(await world.statusesOf(forged)).toEqual([404])
  })
})

describe('a published session', () => {
  let sessionId: string
  let id: string
  let given: string[]
  let ofMembers: string[]

  beforeEach(async () => {
    ;({ sessionId, id } = await publishSafe())
    given = await addressesFor(guest, id)
    ofMembers = await addressesFor(bo, id)
    expect(await world.statusesOf(given)).toEqual([200])
  })

  const params = () => ({ id: sessionId })

  const ends: Record<string, () => Promise<unknown>> = {
    'is withdrawn': () =>
      ana.sessions.update({ params: params(), body: { shareToCommunity: false } }),
    'is reported': () => world.report({ targetType: 'community_session', targetId: Number(id) }),
    'is put in the trash': () =>
      ana.sessions.remove({ params: params(), query: { trash: 'true' } }),
    'is deleted': () => ana.sessions.remove({ params: params() }),
    'is marked adult': () => ana.sessions.update({ params: params(), body: { nsfw: true } }),
    'gets an adult theme': () =>
      ana.sessions.update({ params: params(), body: { captionTheme: 'joi' } }),
    'has a suspended owner': () => suspend(ana),
    'has an owner who deletes their account': () =>
      ana.accounts.deleteAccount({ body: { confirm: 'ana@example.test' } }),
  }

  test.each(Object.keys(ends))('that %s is gone for guests, with its addresses', async (end) => {
    await ends[end]?.()
    expect(await browse(guest)).toEqual([])
    expect((await refused(open(guest, id))).status).toBe(404)
    expect(await world.statusesOf(given)).toEqual([404])
  })

  test('comes back when a report is dismissed', async () => {
    const target = { targetType: 'community_session', targetId: Number(id) }
    const report = await world.report(target)
    expect(await world.statusesOf(given)).toEqual([404])
    await world.resolve(report, 'dismiss')
    expect(await addressesFor(guest, id)).toEqual(given)
    expect(await world.statusesOf(given)).toEqual([200])
  })

  test('that is published again ends the addresses of the earlier files', async () => {
    await world.publish(ana, sessionId, { nsfw: false })
    expect(await world.statusesOf(given)).toEqual([404])
    expect(await world.statusesOf(await addressesFor(guest, id))).toEqual([200])
  })

  test('is closed to guests while the setting is off, at once, and not to members', async () => {
    await letGuestsIn(false)
    expect(await refused(guest.community.browse())).toMatchObject(closed)
    for (const path of [id, 'x', '2147483647'])
      expect(await refused(open(guest, path))).toMatchObject(closed)
    expect(await refused(guest.community.browse({ query: { limit: 'x' } }))).toMatchObject(closed)
    expect(await world.statusesOf(given)).toEqual([404])
    expect(await addressesFor(bo, id)).toEqual(ofMembers)
    expect(await world.statusesOf(ofMembers)).toEqual([200])
    await letGuestsIn(true)
    expect(await addressesFor(guest, id)).toEqual(given)
    expect(await world.statusesOf(given)).toEqual([200])
  })
})

describe('a published picture', () => {
  let media: SharedMedia
  let given: string[]

  beforeEach(async () => {
    media = await world.shareMedia(ana, await small(7))
    const [item] = await browse(guest)
    given = item?.kind === 'media' ? [item.url, item.thumbnail ?? ''] : []
    expect(await world.statusesOf(given)).toEqual([200])
  })

  const params = () => ({ id: media.id })

  const ends: Record<string, () => Promise<unknown>> = {
    'is withdrawn': () => ana.vault.unshare({ params: params() }),
    'is reported': () =>
      world.report({ targetType: 'community_media', targetId: media.communityId }),
    'is put in the trash': () => ana.vault.remove({ params: params(), query: { trash: 'true' } }),
    'is deleted': () => ana.vault.remove({ params: params() }),
    'is marked adult': () =>
      ana.vault.share({
        params: params(),
        body: { shareToCommunity: true, policyAgreed: true, tags: ['night'], nsfw: true },
      }),
    'has a suspended owner': () => suspend(ana),
    'is closed by the setting': () => letGuestsIn(false),
  }

  test.each(Object.keys(ends))('that %s is gone for guests, with its addresses', async (end) => {
    await ends[end]?.()
    expect(await world.statusesOf(given)).toEqual([404])
    await letGuestsIn(true)
    if (end !== 'is closed by the setting') expect(await browse(guest)).toEqual([])
  })
})

test('on every node, guests are let in and shut out at once, with their addresses', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-guests-'))
  const { nodeA, nodeB, close } = await createTwoNodes({ DATA_DIR: folder })
  try {
    const root = nodeA.visitor()
    await root.accounts.devSignIn()
    const { id: ownerId } = await root.accounts.currentUser()
    const file = { bucket: 'general', key: 'community/test/shown.jpg' } as const
    await nodeA.ctx.storage.put(file.bucket, file.key, await small(1))
    await insertCommunityMedia(nodeA.ctx, ownerId, { file_key: file.key })
    const [item] = await browse(nodeB.visitor())
    const address = item?.kind === 'media' ? item.url : ''
    const statuses = async () => {
      const [list, picture] = await Promise.all([
        nodeB.visitor().fetch('/api/community'),
        nodeB.visitor().fetch(address),
      ])
      return [list.status, picture.status]
    }
    expect(await statuses()).toEqual([200, 200])
    await root.admin.changeSettings({ body: { publicCommunity: false } })
    expect(await statuses()).toEqual([401, 404])
    await root.admin.changeSettings({ body: { publicCommunity: true } })
    expect(await statuses()).toEqual([200, 200])
  } finally {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
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

async function suspend(person: Person): Promise<void> {
  const { id } = await person.accounts.currentUser()
  await admin.admin.changeUser({ params: { id }, body: { isActive: false } })
}
