/** Media addresses of guests of the community end with the publication, and with the setting (contract 25). */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { insertCommunityMedia } from '../support/community-rows.ts'
import type { GuestWorld } from '../support/guest-world.ts'
import { addressesFor, browse, createGuestWorld, smallPicture } from '../support/guest-world.ts'
import type { SharedMedia } from '../support/moderation-world.ts'
import { aPicture } from '../support/moderation-world.ts'
import { createTwoNodes } from '../support/two-nodes.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: GuestWorld
/** Publishes. She is age-verified. */
let ana: Person
let bo: Person
let guest: Person

useWorld(createGuestWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.as('bo')]
  guest = world.visitor()
})

describe('a media address of a guest', () => {
  test('opens the file for a minute at most, and is not the address of members', async () => {
    const { id } = await world.publishSafe(ana, 'Evening', [aPicture()])
    const { communityUrl } = await world.shareMedia(ana)
    const [mine, theirs] = [await addressesFor(guest, id), await addressesFor(bo, id)]
    const media = (await browse(guest)).find((item) => item.kind === 'media')
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
    const [one, two] = [
      await world.publishSafe(ana, 'One'),
      await world.publishSafe(ana, 'Two', [smallPicture(2)]),
    ]
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
    ;({ sessionId, id } = await world.publishSafe(ana, 'Evening'))
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
    'has a suspended owner': () => world.suspend(ana),
    'has an owner who deletes their account': () =>
      ana.accounts.deleteAccount({ body: { confirm: 'ana@example.test' } }),
  }

  test.each(Object.keys(ends))('that %s is gone for guests, with its addresses', async (end) => {
    await ends[end]?.()
    expect(await browse(guest)).toEqual([])
    expect((await refused(guest.community.open({ params: { id } }))).status).toBe(404)
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

  test('has addresses that end with the setting, at once, and those of members stay', async () => {
    await world.letGuestsIn(false)
    expect(await world.statusesOf(given)).toEqual([404])
    expect(await addressesFor(bo, id)).toEqual(ofMembers)
    expect(await world.statusesOf(ofMembers)).toEqual([200])
    await world.letGuestsIn(true)
    expect(await addressesFor(guest, id)).toEqual(given)
    expect(await world.statusesOf(given)).toEqual([200])
  })
})

describe('a published picture', () => {
  let media: SharedMedia
  let given: string[]

  beforeEach(async () => {
    media = await world.shareMedia(ana, await aPicture(7))
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
    'has a suspended owner': () => world.suspend(ana),
    'is closed by the setting': () => world.letGuestsIn(false),
  }

  test.each(Object.keys(ends))('that %s is gone for guests, with its addresses', async (end) => {
    await ends[end]?.()
    expect(await world.statusesOf(given)).toEqual([404])
    await world.letGuestsIn(true)
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
    await nodeA.ctx.storage.put(file.bucket, file.key, await smallPicture(1))
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
