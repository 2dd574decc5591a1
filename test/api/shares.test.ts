/** Sharing a session by a link (contract 4.2). */
import { describe, expect, test } from 'vitest'
import { pictures } from '../support/fake-feed.ts'
import { refusingRows } from '../support/refused-rows.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refusalOf, refused } from '../support/world.ts'

let world: SessionWorld
let ana: Person
let bo: Person
let id: string

useWorld(createSessionWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  world.feed.put('city', [
    ...pictures('adult', 2, { subfeed: 'city', nsfw: true }),
    ...pictures('city', 5),
  ])
  await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  id = await world.makeFilled(ana)
})

const share = (body: object = {}) => ana.sharing.shareSession({ params: { id }, body })

test('sharing makes the session public under one permanent code', async () => {
  const { referralCode } = await ana.accounts.currentUser()
  const first = await share({ userId: 'ignored' })
  expect(first.shareUrl).toBe(`http://lanternist.test/shared/${first.shareCode}?r=${referralCode}`)
  expect(first.referralCode).toBe(referralCode)
  const again = await Promise.all(Array.from({ length: 5 }, () => share()))
  for (const { shareCode } of again) expect(shareCode).toBe(first.shareCode)
  expect((await ana.sessions.read({ params: { id } })).session.isPublic).toBe(true)
  const log = await world.ctx.db
    .selectFrom('activity_log')
    .selectAll()
    .where('action', '=', 'session_shared')
    .execute()
  expect(log).toHaveLength(6)
  // A code is a capability. The log says that it was made, without its value.
  expect(log.map(({ details }) => details)).toEqual(log.map(() => ({})))
})

test('a link that cannot be created is reported, and the session stays unchanged', async () => {
  await refusingRows(world.ctx, 'session_shares', async () => {
    const { status, body } = await refused(share())
    expect([status, body]).toEqual([500, { message: 'Failed to share session' }])
  })
  expect((await ana.sessions.read({ params: { id } })).session.isPublic).toBe(false)
})

test('anyone sees a preview without adult slides, members see the session', async () => {
  const { shareCode: code } = await share()
  const preview = await world.visitor().sharing.preview({ params: { code } })
  expect(preview).toMatchObject({
    session: { title: 'Evening', mediaCount: 7, transition: 'fade' },
    ownerName: 'ana',
    requiresAuth: true,
  })
  expect(preview.media.map(({ nsfw }) => nsfw)).toEqual([false, false, false])
  expect((await bo.sharing.open({ params: { code } })).media).toHaveLength(5)
  await bo.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  expect((await bo.sharing.open({ params: { code } })).media).toHaveLength(7)
})

test('an unknown code is not found, with the same message', async () => {
  const nul = `3f1c9a2e-7b54-4d0e-9c0d-1a2b3c4d5e6f\u0000`
  for (const code of [nul.slice(0, -1), nul, '\u0000', 'nonsense', '%00', "' or 1=1"]) {
    const params = { code }
    const reads = [bo.sharing.preview, bo.sharing.open, bo.vault.openShared]
    for (const read of reads) {
      const { status, body } = await refused(read({ params }))
      expect([code, status, body]).toEqual([code, 404, { message: 'Share not found' }])
    }
  }
})

test('isPublic=false later does not end the code', async () => {
  const { shareCode: code } = await share()
  await ana.sessions.update({ params: { id }, body: { isPublic: false } })
  expect((await refused(bo.sessions.read({ params: { id } }))).status).toBe(403)
  expect((await bo.sharing.open({ params: { code } })).session.title).toBe('Evening')
})

test('only the owner can read a link and its limits', async () => {
  const params = { id }
  const none = await refused(ana.sharing.readShare({ params }))
  expect([none.status, none.body]).toEqual([404, { message: 'Session is not shared' }])
  const expiresAt = new Date(world.clock.now().getTime() + 60_000).toISOString()
  const link = await share({ expiresAt, password: 'open sesame' })
  expect(await ana.sharing.readShare({ params })).toEqual({
    ...link,
    expiresAt,
    hasPassword: true,
    access: 'members',
    download: false,
  })
  expect((await refused(bo.sharing.readShare({ params }))).status).toBe(403)
  await share({ password: null })
  expect(await ana.sharing.readShare({ params })).toEqual({
    ...link,
    expiresAt,
    hasPassword: false,
    access: 'members',
    download: false,
  })
  world.clock.advance(61_000)
  expect((await ana.sharing.readShare({ params })).expiresAt).toBe(expiresAt)
  await share({ expiresAt: null })
  expect((await ana.sharing.readShare({ params })).expiresAt).toBeNull()
})

test('a later password or end closes the session to accounts without a link', async () => {
  const isPublic = async () => (await ana.sessions.read({ params: { id } })).session.isPublic
  const expiresAt = new Date(world.clock.now().getTime() + 60_000).toISOString()
  for (const limit of [{ password: 'open sesame' }, { expiresAt }]) {
    await share({ password: null, expiresAt: null })
    expect((await bo.sessions.read({ params: { id } })).session.isPublic).toBe(true)
    await share(limit)
    expect(await isPublic()).toBe(false)
    expect((await refused(bo.sessions.read({ params: { id } }))).status).toBe(403)
    expect((await refused(bo.sessions.play({ params: { id } }))).status).toBe(403)
    // The owner may make it public again, and the next sharing makes it private again.
    await ana.sessions.update({ params: { id }, body: { isPublic: true } })
    await bo.sessions.read({ params: { id } })
    await share()
    expect(await isPublic()).toBe(false)
  }
})

const past = () => new Date(world.clock.now().getTime() - 1).toISOString()
const monthMs = 30 * 24 * 3_600_000

describe('a link that has ended', () => {
  const preview = (code: string) => world.visitor().sharing.preview({ params: { code } })
  const open = (code: string) => bo.sharing.open({ params: { code } })
  const unknown = [404, undefined]

  test('says for 30 days that its owner stopped it', async () => {
    const { shareCode: code } = await share()
    await share({ expiresAt: past(), password: 'open sesame' })
    for (const read of [preview, open])
      expect(await refusalOf(read(code))).toEqual([410, 'SHARE_STOPPED'])
    await share({ expiresAt: null, password: null })
    expect((await preview(code)).session.title).toBe('Evening')
    await share({ expiresAt: past() })
    world.clock.advance(monthMs - 60_000)
    expect(await refusalOf(preview(code))).toEqual([410, 'SHARE_STOPPED'])
    world.clock.advance(60_000)
    expect(await refusalOf(preview(code))).toEqual(unknown)
  })

  test('says for 30 days that it has expired, also after it was stopped once', async () => {
    const { shareCode: code } = await share({ expiresAt: past() })
    await share({ expiresAt: new Date(world.clock.now().getTime() + 60_000).toISOString() })
    world.clock.advance(60_000)
    for (const read of [preview, open])
      expect(await refusalOf(read(code))).toEqual([410, 'SHARE_EXPIRED'])
    world.clock.advance(monthMs)
    expect(await refusalOf(preview(code))).toEqual(unknown)
  })

  test('says nothing about a session that was taken down, or is in the trash', async () => {
    const { shareCode: code } = await share({ expiresAt: past() })
    await ana.sessions.remove({ params: { id } })
    expect(await refusalOf(preview(code))).toEqual(unknown)

    const other = { id: await world.makeFilled(ana, { title: 'Other' }) }
    const body = { expiresAt: past() }
    const { shareCode } = await ana.sharing.shareSession({ params: other, body })
    expect(await refusalOf(preview(shareCode))).toEqual([410, 'SHARE_STOPPED'])
    const hidden = { targetType: 'shared_session', shareCode, reason: 'non_consensual' } as const
    await world.visitor().moderation.report({ body: hidden })
    expect(await refusalOf(preview(shareCode))).toEqual(unknown)
  })
})

describe('an expiry', () => {
  test('keeps the session private, ends the code with 410 and can be removed', async () => {
    const expiresAt = new Date(world.clock.now().getTime() + 60_000).toISOString()
    const { shareCode: code } = await share({ expiresAt })
    expect((await ana.sessions.read({ params: { id } })).session.isPublic).toBe(false)
    await bo.sharing.open({ params: { code } })
    await share()
    world.clock.advance(61_000)
    expect((await refused(bo.sharing.open({ params: { code } }))).status).toBe(410)
    expect((await refused(world.visitor().sharing.preview({ params: { code } }))).status).toBe(410)
    await share({ expiresAt: null })
    await bo.sharing.open({ params: { code } })
    expect((await ana.sessions.read({ params: { id } })).session.isPublic).toBe(true)
  })
})

describe('a password', () => {
  test('is checked before anything is shown', async () => {
    const { shareCode: code } = await share({ password: 'open sesame' })
    const params = { code }
    expect((await ana.sessions.read({ params: { id } })).session.isPublic).toBe(false)
    const asked = await refused(world.visitor().sharing.preview({ params }))
    expect(asked).toMatchObject({ status: 401, body: { requiresPassword: true } })
    expect(JSON.stringify(asked.body)).not.toContain('Evening')
    const wrong = { 'x-share-password': 'wrong' }
    expect((await refused(bo.sharing.open({ params, headers: wrong }))).status).toBe(401)
    const right = { 'x-share-password': 'open sesame' }
    expect((await bo.sharing.open({ params, headers: right })).session.title).toBe('Evening')
    await share({ password: null })
    await bo.sharing.open({ params })
  })

  test('the headers let a member read and play through the ordinary endpoints', async () => {
    const { shareCode } = await share({ password: 'open sesame' })
    const params = { id }
    expect((await refused(bo.sessions.read({ params }))).status).toBe(403)
    const code = { 'x-share-code': shareCode }
    expect((await refused(bo.sessions.read({ params, headers: code }))).body).toMatchObject({
      requiresPassword: true,
    })
    const headers = { ...code, 'x-share-password': 'open sesame' }
    expect((await bo.sessions.read({ params, headers })).session.title).toBe('Evening')
    expect((await bo.sessions.play({ params, headers })).playId).toBeGreaterThan(0)
    expect(
      (await refused(bo.sessions.update({ params, headers, body: { title: 'Mine' } }))).status,
    ).toBe(403)
  })

  test('an ended or protected code opens none of the ordinary endpoints', async () => {
    const expiresAt = new Date(world.clock.now().getTime() + 60_000).toISOString()
    const { shareCode } = await share({ password: 'open sesame', expiresAt })
    const params = { id }
    const headers = { 'x-share-code': shareCode }
    const ways = [
      () => bo.sessions.read({ params, headers }),
      () => bo.sessions.play({ params, headers }),
      () => bo.sessions.events({ params, headers }),
    ]
    for (const way of ways) expect((await refused(way())).status).toBe(401)
    world.clock.advance(61_000)
    for (const way of ways) expect(await refusalOf(way())).toEqual([410, 'SHARE_EXPIRED'])
    await share({ expiresAt: past() })
    for (const way of ways) expect(await refusalOf(way())).toEqual([410, 'SHARE_STOPPED'])
  })

  test('a code opens its own session only', async () => {
    const { shareCode } = await share()
    await ana.sessions.update({ params: { id }, body: { isPublic: false } })
    const other = await world.makeFilled(ana, { title: 'Other' })
    const headers = { 'x-share-code': shareCode }
    expect((await refused(bo.sessions.read({ params: { id: other }, headers }))).status).toBe(403)
  })
})
