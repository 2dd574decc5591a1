/** A session as a zip (contract 4.2). */
import { describe, expect, onTestFinished, test } from 'vitest'
import { manifest as manifestSchema } from '../../src/server/features/archives/manifest.ts'
import type { ArchiveWorld } from '../support/archive-world.ts'
import {
  contentsOf,
  createArchiveWorld,
  everythingIn,
  exportSession,
  makeSession,
  sha,
} from '../support/archive-world.ts'
import { acquireSlot } from '../../src/server/leases/account-slots.ts'
import { eventually } from '../support/eventually.ts'
import { plainJpeg } from '../support/sample-media.ts'
import { useWorld } from '../support/use-world.ts'
import { putMedia, unclaimedKeys } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'
import { refusalOf, refused } from '../support/world.ts'

let world: ArchiveWorld
let ana: Person
let bo: Person

useWorld(createArchiveWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
  bo = await world.as('bo')
})

const pathOf = (id: number) => ({ params: { id: String(id) } })

describe('an export', () => {
  test('contains the session, its media byte by byte and a hash of each, the same every time', async () => {
    const { session, jpeg, tag, category } = await makeSession(ana)
    const archive = await exportSession(ana, session.id)
    const { manifest, names, entries } = await contentsOf(archive)
    expect(names).toEqual(['sessions/1/001.jpg', 'sessions/1/002.gif', 'manifest.json'])
    expect(sha(entries.get('sessions/1/001.jpg'))).toBe(sha(jpeg))
    expect(manifestSchema.parse(manifest)).toEqual(manifest)
    expect(manifest).toMatchObject({
      format: 'lanternist',
      version: 1,
      vault: [],
      sessions: [
        {
          title: 'Abend · 夜',
          tags: [tag.slug],
          category: category?.slug,
          intervalMin: 2,
          intervalMax: 7,
          transition: 'zoom',
          aiPrompt: 'Be kind',
          captionTheme: 'custom',
          isManualMode: true,
          isFavorite: true,
          slides: [
            {
              type: 'image',
              caption: 'Schau hin, 見て, שלום',
              durationMs: 1500,
              width: 700,
              height: 500,
              file: { name: 'sessions/1/001.jpg', sha256: sha(jpeg), size: jpeg.length },
            },
            { type: 'gif', caption: null, durationMs: null },
          ],
        },
      ],
    })
    expect((await exportSession(ana, session.id)).equals(archive)).toBe(true)
  })

  test('is named like its session, and contains nothing about the account', async () => {
    const { session } = await makeSession(ana)
    const { shareCode } = await ana.sharing.shareSession({ ...pathOf(session.id), body: {} })
    const response = await ana.fetch(`/api/sessions/${session.id}/export`)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toContain(encodeURIComponent('夜.zip'))
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
    const { id, email } = await ana.accounts.currentUser()
    for (const secret of [id, email, shareCode, '/media/', '?s='])
      expect(text).not.toContain(secret)
  })

  test('is only for the owner, not for viewers of the session', async () => {
    const { session } = await makeSession(ana)
    await ana.sessions.update({ ...pathOf(session.id), body: { isPublic: true } })
    expect((await refused(bo.archives.exportSession(pathOf(session.id)))).status).toBe(403)
    expect((await refused(bo.archives.exportSession(pathOf(987_654)))).status).toBe(404)
    const bad = await refused(ana.archives.exportSession({ params: { id: 'x' } }))
    expect(bad.body).toEqual({ message: 'Invalid session ID' })
    await ana.archives.exportSession(pathOf(session.id))
  })

  test('downloads remote files, and keeps the address of files that cannot be downloaded', async () => {
    world.site.gone.add('gone')
    const slides = ['/jpg/1', '/jpg/gone', '/page', '/webm/1'].map((path) => ({
      mediaUrl: `${world.site.origin}${path}`,
      caption: path,
    }))
    const { session } = await ana.sessions.createManual({ body: { title: 'Far', slides } })
    const { manifest, names } = await contentsOf(await exportSession(ana, session.id))
    expect(names).toEqual(['sessions/1/001.jpg', 'sessions/1/004.webm', 'manifest.json'])
    expect(manifest).toMatchObject({
      sessions: [
        {
          slides: [
            { url: null, missing: null, caption: '/jpg/1' },
            { file: null, url: `${world.site.origin}/jpg/gone`, missing: 'gone' },
            { file: null, url: `${world.site.origin}/page`, missing: 'not-media' },
            { type: 'video', file: { name: 'sessions/1/004.webm' } },
          ],
        },
      ],
    })
    expect(await everythingIn(world)).toMatchObject({ files: [] })
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('contains neither hidden files nor a quarantined session', async () => {
    const id = await putMedia(ana, await plainJpeg({ width: 320, height: 240 }))
    const { shareCode } = await ana.vault.share({
      params: { id },
      body: { shareToCommunity: false },
    })
    const body = { title: 'Shown', slides: [{ mediaId: Number(id) }] }
    const { session } = await ana.sessions.createManual({ body })
    const report = (target: object, reason: 'minor' | 'non_consensual') =>
      world.visitor().moderation.report({ body: { reason, ...target } as never })
    await report({ targetType: 'shared_media', shareCode }, 'non_consensual')
    const { manifest, names } = await contentsOf(await exportSession(ana, session.id))
    expect(names).toEqual(['manifest.json'])
    expect(manifest).toMatchObject({
      sessions: [{ slides: [{ file: null, url: null, missing: 'withheld' }] }],
    })
    const other = await makeSession(ana, 'Other')
    const shared = await ana.sharing.shareSession({ ...pathOf(other.session.id), body: {} })
    await report({ targetType: 'shared_session', shareCode: shared.shareCode }, 'minor')
    expect((await refused(ana.archives.exportSession(pathOf(other.session.id)))).status).toBe(404)
  })

  test('is one of at most two concurrent exports of an account', async () => {
    const { session } = await makeSession(ana)
    const held = Promise.withResolvers<void>()
    world.storage.held = held.promise
    const addresses = [`/api/sessions/${session.id}/export`, '/api/library/export']
    onTestFinished(() => held.resolve())
    const underWay = addresses.map(async (path) => (await ana.fetch(path)).arrayBuffer())
    await eventually(async () => expect(world.storage.waiting).toBe(2))
    const refusals = [
      await refused(ana.archives.exportSession(pathOf(session.id))),
      await refused(ana.archives.exportLibrary()),
      await refused(ana.accounts.exportAccount()),
    ]
    const message = 'Other downloads of yours are still under way'
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ status: 429, body: { message, retryAfter: 60 } })
    const { headers } = await ana.fetch('/api/auth/export')
    expect(headers.get('retry-after')).toBe('60')
    await bo.archives.exportLibrary()
    held.resolve()
    await Promise.all(underWay)
    await ana.archives.exportSession(pathOf(session.id))
  })

  test('of the account is one of them too', async () => {
    await putMedia(ana, await plainJpeg())
    const held = Promise.withResolvers<void>()
    world.storage.held = held.promise
    onTestFinished(() => held.resolve())
    const address = '/api/auth/export'
    const underWay = [address, address].map(async (path) => (await ana.fetch(path)).arrayBuffer())
    await eventually(async () => expect(world.storage.waiting).toBe(2))
    expect((await refused(ana.accounts.exportAccount())).status).toBe(429)
    expect((await refused(ana.archives.exportLibrary())).status).toBe(429)
    held.resolve()
    await Promise.all(underWay)
    expect((await ana.fetch(address, { method: 'HEAD' })).status).toBe(200)
  })

  test('with HEAD takes no slot, and is not made', async () => {
    const { session } = await makeSession(ana)
    const held = Promise.withResolvers<void>()
    world.storage.held = held.promise
    onTestFinished(() => held.resolve())
    const path = `/api/sessions/${session.id}/export`
    for (let times = 0; times < 3; times += 1) {
      const { status, headers } = await ana.fetch(path, { method: 'HEAD' })
      expect([status, headers.get('content-type')]).toEqual([200, 'application/zip'])
    }
    expect((await bo.fetch(path, { method: 'HEAD' })).status).toBe(403)
  })

  test('of a reader that disconnects leaves nothing open and nothing behind', async () => {
    const slides = Array.from({ length: 30 }, (_, place) => ({
      mediaUrl: `${world.site.origin}/photo/${place}`,
    }))
    const { session } = await ana.sessions.createManual({ body: { title: 'Long', slides } })
    const leaving = new AbortController()
    const { body } = await ana.fetch(`/api/sessions/${session.id}/export`, {
      signal: leaving.signal,
    })
    await body?.getReader().read()
    leaving.abort()
    await eventually(async () => {
      expect(await unclaimedKeys(world)).toEqual([])
      expect(await everythingIn(world)).toMatchObject({ files: [] })
    })
    expect(world.site.asked.filter((path) => path.startsWith('/photo/')).length).toBeLessThan(30)
  })
})

describe('an export of a link', () => {
  const exportShared = (person: Person, code: string, headers = {}) =>
    person.archives.exportShared({ params: { code }, headers })

  test('is available to viewers of the link if its owner allows it', async () => {
    const { session, jpeg } = await makeSession(ana)
    const { params } = pathOf(session.id)
    const share = (body: object) => ana.sharing.shareSession({ params, body })
    const { shareCode: code } = await share({ access: 'anyone' })
    const visitor = world.visitor()
    const preview = async () => (await visitor.sharing.preview({ params: { code } })).download
    expect(await preview()).toBe(false)
    expect(await refusalOf(exportShared(visitor, code))).toEqual([403, 'DOWNLOAD_OFF'])
    await share({ download: true })
    await share({})
    expect(await preview()).toBe(true)
    for (const person of [visitor, bo, ana]) {
      const answer = await person.fetch(`/api/shared/${code}/export`)
      expect(answer.headers.get('content-disposition')).toContain('.zip')
      const { names, entries } = await contentsOf(Buffer.from(await answer.arrayBuffer()))
      expect(names).toEqual(['sessions/1/001.jpg', 'sessions/1/002.gif', 'manifest.json'])
      expect(sha(entries.get('sessions/1/001.jpg'))).toBe(sha(jpeg))
    }

    await share({ password: 'open sesame' })
    expect((await refused(exportShared(visitor, code))).status).toBe(401)
    await exportShared(visitor, code, { 'x-share-password': 'open sesame' })
    await share({ password: null, access: 'members' })
    expect((await refused(exportShared(visitor, code))).status).toBe(401)
    const soon = new Date(world.clock.now().getTime() + 60_000).toISOString()
    await share({ expiresAt: soon })
    world.clock.advance(61_000)
    expect(await refusalOf(exportShared(bo, code))).toEqual([410, 'SHARE_EXPIRED'])
    await share({ expiresAt: soon })
    expect(await refusalOf(exportShared(bo, code))).toEqual([410, 'SHARE_STOPPED'])
    expect((await refused(exportShared(bo, world.ctx.newId()))).status).toBe(404)
    await share({ expiresAt: null, download: false })
    expect(await refusalOf(exportShared(bo, code))).toEqual([403, 'DOWNLOAD_OFF'])
  })

  test('leaves out what the reader may not see', async () => {
    await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
    const photo = await putMedia(ana, await plainJpeg())
    const other = await putMedia(ana, await plainJpeg(), 'other.jpg')
    const body = { shareToCommunity: true, nsfw: true, policyAgreed: true, tags: ['portrait'] }
    await ana.vault.share({ params: { id: other }, body })
    const slides = [{ mediaId: Number(photo) }, { mediaId: Number(other) }]
    const { session, media } = await ana.sessions.createManual({ body: { title: 'x', slides } })
    expect(media.map(({ nsfw }) => nsfw)).toEqual([false, true])
    const { params } = pathOf(session.id)
    const shared = { access: 'anyone', download: true } as const
    const { shareCode } = await ana.sharing.shareSession({ params, body: shared })
    const namesFor = async (person: Person) => {
      const answer = await person.fetch(`/api/shared/${shareCode}/export`)
      return (await contentsOf(Buffer.from(await answer.arrayBuffer()))).names
    }
    expect(await namesFor(world.visitor())).toEqual(['sessions/1/001.jpg', 'manifest.json'])
    expect(await namesFor(bo)).toEqual(['sessions/1/001.jpg', 'manifest.json'])
    expect(await namesFor(ana)).toHaveLength(3)
    await ana.sessions.update({ params, body: { nsfw: true } })
    expect(await namesFor(world.visitor())).toEqual(['manifest.json'])
    expect(await refusalOf(exportShared(bo, shareCode))).toEqual([403, 'AGE_VERIFICATION_REQUIRED'])
  })

  test('is limited in number', async () => {
    const { session } = await makeSession(ana)
    const { params } = pathOf(session.id)
    const body = { access: 'anyone', download: true } as const
    const { shareCode } = await ana.sharing.shareSession({ params, body })
    const taken = { kind: 'shared-export', userId: session.userId, atMost: 8 }
    const slots = await Promise.all(Array.from({ length: 8 }, () => acquireSlot(world.ctx, taken)))
    expect(await refused(exportShared(bo, shareCode))).toMatchObject({
      status: 429,
      body: { retryAfter: 60 },
    })
    for (const slot of slots) await slot?.release()
    await exportShared(bo, shareCode)
  })
})
