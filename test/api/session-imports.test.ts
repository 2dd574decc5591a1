/** An archive becomes a session of the account that imports it (contract 4.2). */
import { describe, expect, test } from 'vitest'
import { fileOf, manifestOf, sessionOf, slideOf } from '../support/archive-parts.ts'
import type { ArchiveWorld } from '../support/archive-world.ts'
import {
  createArchiveWorld,
  everythingIn,
  exportSession,
  importArchive,
  makeSession,
  sha,
} from '../support/archive-world.ts'
import { secretWords } from '../support/picture-site.ts'
import { useWorld } from '../support/use-world.ts'
import { download, unclaimedKeys } from '../support/vault-media.ts'
import { boundary, samples, userIdOf } from '../support/vault-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'
import { buildZip } from '../support/zip-builder.ts'

let world: ArchiveWorld
let ana: Person
let bo: Person

useWorld(createArchiveWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
  bo = await world.as('bo')
})

const pathOf = (id: number) => ({ params: { id: String(id) } })

describe('an import', () => {
  test('restores the session for another account as a private session of its own', async () => {
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

  test('restores a chosen cover', async () => {
    const { session } = await makeSession(ana)
    const cover = new File([new Uint8Array(samples.png)], 'cover.png', { type: 'image/png' })
    const { fileUrl } = await ana.vault.upload({ form: { file: cover, source: 'thumbnail' } })
    await ana.sessions.update({ ...pathOf(session.id), body: { thumbnail: fileUrl } })
    const archive = await exportSession(ana, session.id)
    const { session: own } = await importArchive(bo, archive)
    expect(sha(await download(world, own.thumbnail ?? ''))).toBe(sha(samples.png))
    expect((await exportSession(bo, own.id)).equals(archive)).toBe(true)
  })

  test('skips and names what it cannot restore, and keeps the rest in its order', async () => {
    const lastName = 'sessions/1/011.png'
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
      slideOf(null, { url: `https://a.example/${'x'.repeat(3000)}`, nsfw: true, caption: 'Adult' }),
      slideOf(null, { url: `${world.site.origin}/jpg/9`, caption: 'Far' }),
      slideOf(null, { missing: 'gone' }),
      slideOf(fileOf(lastName, samples.png), { caption: 'Last' }),
    ]
    const changes = { tags: ['no-such-tag'], category: 'no-such-category' }
    const archive = buildZip([
      ...Object.entries(files).map(([name, content]) => ({ name, content })),
      { name: lastName, content: samples.png },
      { name: 'a file that nobody names.txt', content: 'hello' },
      { name: 'manifest.json', content: manifestOf([sessionOf(said, changes)]) },
    ])
    const { session, media, skipped } = await importArchive(ana, archive)
    expect(media.map(({ caption, order }) => [caption, order])).toEqual([
      [null, 0],
      ['Far', 1],
      ['Last', 2],
    ])
    expect(media[1]?.mediaUrl).toBe(`${world.site.origin}/jpg/9`)
    expect(session).toMatchObject({ tags: [], categorySource: 'default', nsfw: false })
    expect(skipped.map(({ source, code }) => [source, code])).toEqual([
      ['sessions/1/002.jpg', 'not_media'],
      ['sessions/1/003.png', 'not_media'],
      ['sessions/1/004.mp4', 'not_media'],
      ['sessions/1/005.jpg', 'unreadable'],
      ['sessions/1/006.zip', 'not_media'],
      ['sessions/1/007.png', 'not_found'],
      [`https://a.example/${'x'.repeat(482)}`, 'age_restricted'],
      ['slide 10', 'not_found'],
      ['tag no-such-tag', 'not_found'],
      ['category no-such-category', 'not_found'],
    ])
    expect(await unclaimedKeys(world)).toEqual([])
    await world.runJobs()
    const later = await ana.sessions.read(pathOf(session.id))
    expect(later.skipped).toEqual(skipped)
    expect(later.media.map(({ mediaUrl }) => mediaUrl?.split('/')[1])).toEqual(
      Array.from({ length: 3 }, () => 'media'),
    )
  })

  test('keeps adult slides for accounts that may see them, and removes camera metadata', async () => {
    const { session } = await ana.sessions.createManual({
      body: { title: 'Private', slides: [{ mediaUrl: `${world.site.origin}/jpg/1` }] },
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
      world.storage.failsAt = failsAt
      world.storage.spared = failsAt === '/imports/' ? 0 : 1
      expect((await refused(importArchive(bo, archive))).status).toBe(503)
      world.storage.failsAt = null
      expect(await everythingIn(world)).toEqual(before)
    }
  })

  test('of a form without an archive, or a truncated one, is refused', async () => {
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
