/** A session as a zip: out of one site, into another (contract 4.2). */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { manifest as manifestSchema } from '../../src/server/features/archives/manifest.ts'
import type { FailingStorage } from '../support/archive-world.ts'
import {
  contentsOf,
  everythingIn,
  exportSession,
  failingStorage,
  importArchive,
} from '../support/archive-world.ts'
import { eventually } from '../support/eventually.ts'
import { fileOf, manifestOf, sessionOf, slideOf } from '../support/hostile-archives.ts'
import { clearShelves, download, putMedia, unclaimedKeys } from '../support/media-shelf.ts'
import type { PictureSite } from '../support/picture-site.ts'
import { secretWords, startPictureSite } from '../support/picture-site.ts'
import { plainJpeg } from '../support/sample-media.ts'
import { boundary, samples, userIdOf } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'
import { buildZip } from '../support/zip-builder.ts'

let site: PictureSite
let dataDir: string
let storage: FailingStorage
let world: World
let ana: Person
let bo: Person

beforeAll(async () => {
  site = await startPictureSite()
  dataDir = await mkdtemp(join(tmpdir(), 'lanternist-archives-'))
  storage = await failingStorage(dataDir)
  world = await createWorld({ FETCH_ALLOW: site.host }, { storage })
})
beforeEach(async () => {
  storage.failsAt = null
  storage.spared = 0
  site.gone.clear()
  await clearShelves(world)
  ana = await world.as('ana')
  bo = await world.as('bo')
})
afterAll(async () => {
  await world.close()
  await site.close()
  await rm(dataDir, { recursive: true, force: true })
})

const pathOf = (id: number) => ({ params: { id: String(id) } })
const sha = (bytes: Uint8Array | undefined) =>
  createHash('sha256')
    .update(bytes ?? Buffer.alloc(0))
    .digest('hex')

/** Of two files of the vault, with all that can be said of a session. */
async function makeSession(person: Person, title = 'Abend · 夜') {
  const jpeg = await plainJpeg({ width: 700, height: 500 })
  const [first, second] = [
    await putMedia(person, jpeg),
    await putMedia(person, samples.gif, 'tiny.gif'),
  ]
  const [tag = { slug: '' }] = await person.classification.tags()
  const category = (await person.classification.categories()).find(({ isDefault }) => !isDefault)
  const { session } = await person.sessions.createManual({
    body: {
      title,
      slides: [
        { mediaId: Number(first), caption: 'Schau hin, 見て, שלום', durationMs: 1500 },
        { mediaId: Number(second), caption: null },
      ],
      tags: [tag.slug],
      categoryId: category?.id ?? null,
      intervalMin: 2,
      intervalMax: 7,
      transition: 'zoom',
      aiPrompt: 'Be kind',
      captionTheme: 'custom',
      isManualMode: true,
      isFavorite: true,
    },
  })
  return { session, jpeg, tag, category }
}

describe('an export', () => {
  test('holds the session, its media to the byte and a hash of each, the same every time', async () => {
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

  test('is called as its session is, and says nothing of the account', async () => {
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

  test('is for the owner alone, whoever may read or play the session', async () => {
    const { session } = await makeSession(ana)
    await ana.sessions.update({ ...pathOf(session.id), body: { isPublic: true } })
    expect((await refused(bo.archives.exportSession(pathOf(session.id)))).status).toBe(403)
    expect((await refused(bo.archives.exportSession(pathOf(987_654)))).status).toBe(404)
    const bad = await refused(ana.archives.exportSession({ params: { id: 'x' } }))
    expect(bad.body).toEqual({ message: 'Invalid session ID' })
    await ana.archives.exportSession(pathOf(session.id))
  })

  test('fetches what lies elsewhere, and keeps the address of what it cannot have', async () => {
    site.gone.add('gone')
    const slides = ['/jpg/1', '/jpg/gone', '/page', '/webm/1'].map((path) => ({
      mediaUrl: `${site.origin}${path}`,
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
            { file: null, url: `${site.origin}/jpg/gone`, missing: 'gone' },
            { file: null, url: `${site.origin}/page`, missing: 'not-media' },
            { type: 'video', file: { name: 'sessions/1/004.webm' } },
          ],
        },
      ],
    })
    expect(await everythingIn(world)).toMatchObject({ files: [] })
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('gives out neither what is hidden nor a session that is quarantined', async () => {
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

  test('of somebody who goes away leaves nothing open and nothing behind', async () => {
    const slides = Array.from({ length: 30 }, (_, place) => ({
      mediaUrl: `${site.origin}/photo/${place}`,
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
    expect(site.asked.filter((path) => path.startsWith('/photo/')).length).toBeLessThan(30)
  })
})

describe('an import', () => {
  test('gives the session back to somebody else, as their own and private', async () => {
    const { session } = await makeSession(ana)
    const archive = await exportSession(ana, session.id)
    const { session: own, media, skipped } = await importArchive(bo, archive)
    expect(skipped).toEqual([])
    expect(own).toMatchObject({
      userId: await userIdOf(bo),
      title: session.title,
      tags: session.tags,
      categoryId: session.categoryId,
      isImported: true,
      importSource: 'archive',
      isPublic: false,
      isFavorite: true,
      fillStatus: 'ready',
      mediaCount: 2,
    })
    expect(media.map(({ caption, durationMs, order }) => [caption, durationMs, order])).toEqual([
      ['Schau hin, 見て, שלום', 1500, 0],
      [null, null, 1],
    ])
    expect((await exportSession(bo, own.id)).equals(archive)).toBe(true)
    const folder = `users/${own.userId}/manual-sessions/${own.id}/`
    const { files } = await everythingIn(world)
    expect(
      files.filter((key) => key.startsWith(folder)).map((key) => key.slice(folder.length)),
    ).toEqual(['0-640.webp', '0.jpg', '1.gif'])
    expect(await unclaimedKeys(world)).toEqual([])
    await bo.sessions.remove(pathOf(own.id))
    expect((await everythingIn(world)).files.filter((key) => key.startsWith(folder))).toEqual([])
  })

  test('takes a chosen cover along', async () => {
    const { session } = await makeSession(ana)
    const cover = new File([new Uint8Array(samples.png)], 'cover.png', { type: 'image/png' })
    const { fileUrl } = await ana.vault.upload({ form: { file: cover, source: 'thumbnail' } })
    await ana.sessions.update({ ...pathOf(session.id), body: { thumbnail: fileUrl } })
    const archive = await exportSession(ana, session.id)
    const { session: own } = await importArchive(bo, archive)
    expect(sha(await download(world, own.thumbnail ?? ''))).toBe(sha(samples.png))
    expect((await exportSession(bo, own.id)).equals(archive)).toBe(true)
  })

  test('leaves out and names what it cannot take, and keeps the rest in its order', async () => {
    const files = {
      'sessions/1/001.png': samples.png,
      'sessions/1/002.jpg': samples.html,
      'sessions/1/003.png': samples.svg,
      'sessions/1/004.mp4': samples.png,
      'sessions/1/005.jpg': samples.jpeg,
      'sessions/1/006.zip': buildZip([]),
    }
    const slides = Object.entries(files).map(([name, bytes]) =>
      slideOf(fileOf(name, bytes), { type: name.endsWith('mp4') ? 'video' : 'image' }),
    )
    const said = [
      ...slides,
      slideOf(fileOf('sessions/1/007.png', samples.png)),
      slideOf(fileOf('sessions/1/001.png', samples.png), { nsfw: true, caption: 'Adult' }),
      slideOf(null, { url: `${site.origin}/jpg/9`, caption: 'Far' }),
      slideOf(null, { missing: 'gone' }),
      slideOf(fileOf('sessions/1/001.png', samples.png), { caption: 'Last' }),
    ]
    const changes = { tags: ['no-such-tag'], category: 'no-such-category' }
    const archive = buildZip([
      ...Object.entries(files).map(([name, content]) => ({ name, content })),
      { name: 'a file that nobody names.txt', content: 'hello' },
      { name: 'manifest.json', content: manifestOf([sessionOf(said, changes)]) },
    ])
    const { session, media, skipped } = await importArchive(ana, archive)
    expect(media.map(({ caption, order }) => [caption, order])).toEqual([
      [null, 0],
      ['Far', 1],
      ['Last', 2],
    ])
    expect(media[1]?.mediaUrl).toBe(`${site.origin}/jpg/9`)
    expect(session).toMatchObject({ tags: [], categorySource: 'default', nsfw: false })
    expect(skipped.map(({ source, code }) => [source, code])).toEqual([
      ['sessions/1/002.jpg', 'not_media'],
      ['sessions/1/003.png', 'not_media'],
      ['sessions/1/004.mp4', 'not_media'],
      ['sessions/1/005.jpg', 'unreadable'],
      ['sessions/1/006.zip', 'not_media'],
      ['sessions/1/007.png', 'not_found'],
      ['sessions/1/001.png', 'age_restricted'],
      ['slide 10', 'not_found'],
      ['tag no-such-tag', 'not_found'],
      ['category no-such-category', 'not_found'],
    ])
    expect(await unclaimedKeys(world)).toEqual([])
    await world.runJobs()
    const later = await ana.sessions.read(pathOf(session.id))
    expect(later.skipped).toEqual(skipped)
    expect(later.media.map(({ mediaUrl }) => mediaUrl.split('/')[1])).toEqual(
      Array.from({ length: 3 }, () => 'media'),
    )
  })

  test('takes adult slides for whoever may see them, and hides what a camera wrote', async () => {
    const { session } = await ana.sessions.createManual({
      body: { title: 'Private', slides: [{ mediaUrl: `${site.origin}/jpg/1` }] },
    })
    const archive = await exportSession(ana, session.id)
    expect(archive.toString('latin1')).toContain(secretWords)
    const { media } = await importArchive(bo, archive)
    const shown = await download(world, media[0]?.mediaUrl ?? '')
    expect(shown.toString('latin1')).not.toContain(secretWords)
    const name = 'sessions/1/001.png'
    const adult = buildZip([
      { name, content: samples.png },
      {
        name: 'manifest.json',
        content: manifestOf([sessionOf([slideOf(fileOf(name, samples.png), { nsfw: true })])]),
      },
    ])
    await bo.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
    expect((await importArchive(bo, adult)).session).toMatchObject({ nsfw: true, mediaCount: 1 })
  })

  test('that fails half-way leaves nothing', async () => {
    const { session } = await makeSession(ana)
    const archive = await exportSession(ana, session.id)
    const before = await everythingIn(world)
    for (const failsAt of ['/imports/', '/manual-sessions/']) {
      storage.failsAt = failsAt
      storage.spared = failsAt === '/imports/' ? 0 : 1
      expect((await refused(importArchive(bo, archive))).status).toBe(503)
      storage.failsAt = null
      expect(await everythingIn(world)).toEqual(before)
    }
  })

  test('of a form without an archive, or without an end, is refused', async () => {
    const { body } = await refused(bo.imports.importSession({ form: {} }))
    expect(body).toEqual({ message: 'No file uploaded' })
    const response = await bo.fetch('/api/sessions/import-joip', {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK`,
    })
    expect(response.status).toBe(400)
    expect(await everythingIn(world)).toMatchObject({ files: [] })
  })
})
