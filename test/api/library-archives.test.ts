/** A whole library as one zip, restored on another account in small turns. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { insertImport } from '../../src/server/features/archives/import/library-queries.ts'
import { restoreLibrary } from '../../src/server/features/archives/import/restore-library.ts'
import { fileOf, manifestOf, sessionOf, slideOf } from '../support/archive-parts.ts'
import type { ArchiveWorld } from '../support/archive-world.ts'
import {
  contentsOf,
  createArchiveWorld,
  everythingIn,
  exportBytes,
  zipFile,
} from '../support/archive-world.ts'
import { plainJpeg } from '../support/sample-media.ts'
import { useWorld } from '../support/use-world.ts'
import { download, putMedia, unclaimedKeys } from '../support/vault-media.ts'
import { boundary, samples } from '../support/vault-world.ts'
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

const minuteMs = 60_000

const exportLibrary = (person: Person) => exportBytes(person, '/api/library/export')

async function importLibrary(person: Person, archive: Uint8Array) {
  const { importId } = await person.archives.importLibrary({ form: { file: zipFile(archive) } })
  return { params: { id: importId } }
}

/** Stores two files in the vault, one of them in two sessions. */
async function fill(person: Person) {
  const jpeg = await plainJpeg({ width: 400, height: 300 })
  const first = await putMedia(person, jpeg, 'Käse.jpg', 'smart-caption')
  await putMedia(person, samples.gif, 'tiny.gif')
  const [tag = { slug: '' }] = await person.classification.tags()
  const slides = [{ mediaId: Number(first), caption: 'One' }]
  const body = { title: 'First', slides, tags: [tag.slug] }
  await person.sessions.createManual({ body })
  await person.sessions.createManual({
    body: { title: 'Second', slides: [...slides, { mediaId: Number(first), caption: 'Two' }] },
  })
  return { jpeg, tag }
}

/** Returns the parts of a library that must survive the restore, without ids and dates of the account. */
async function libraryOf(person: Person) {
  const sessions = await person.sessions.list()
  const whole = await Promise.all(
    sessions.map(({ id }) => person.sessions.read({ params: { id: String(id) } })),
  )
  const { files } = await person.vault.list()
  return {
    sessions: whole.map(({ session, media }) => [
      session.title,
      session.tags,
      media.map(({ caption, type, width, height }) => [caption, type, width, height]),
    ]),
    vault: files.map(({ name, originalName, category, size, width }) => [
      name,
      originalName,
      category,
      size,
      width,
    ]),
  }
}

describe('a library', () => {
  test('is restored in several runs, so that others run in between, and completely in the end', async () => {
    await fill(ana)
    await world.runJobs()
    const archive = await exportLibrary(ana)
    const before = await libraryOf(ana)
    const at = await importLibrary(bo, archive)
    const outcomes: boolean[] = []
    // Four turns: two files in the vault and two sessions.
    for (let turn = 0; turn < 4; turn += 1)
      outcomes.push((await restoreLibrary(world.ctx, at.params.id, { turnMs: 0 })).isDone)
    expect(outcomes).toEqual([false, false, false, true])
    await world.runJobs()
    expect(await bo.archives.readLibraryImport(at)).toMatchObject({
      status: 'done',
      sessions: 2,
      vaultFiles: 2,
    })
    expect(await libraryOf(bo)).toEqual(before)
  })

  test('survives an export and an import unchanged, and exports the same each time', async () => {
    await fill(ana)
    await world.runJobs()
    const archive = await exportLibrary(ana)
    expect((await exportLibrary(ana)).equals(archive)).toBe(true)
    const { names } = await contentsOf(archive)
    expect(names).toEqual([
      'sessions/1/001.jpg',
      'sessions/2/001.jpg',
      'sessions/2/002.jpg',
      'vault/1.jpg',
      'vault/2.gif',
      'manifest.json',
    ])
    const path = await importLibrary(bo, archive)
    expect(await bo.archives.readLibraryImport(path)).toMatchObject({
      status: 'running',
      done: 0,
      total: 4,
    })
    await world.runJobs()
    expect(await bo.archives.readLibraryImport(path)).toMatchObject({
      status: 'done',
      done: 4,
      total: 4,
      sessions: 2,
      vaultFiles: 2,
      skipped: [],
      error: null,
    })
    expect(await libraryOf(bo)).toEqual(await libraryOf(ana))
    expect((await exportLibrary(bo)).equals(archive)).toBe(true)
    expect(await unclaimedKeys(world)).toEqual([])
    expect((await everythingIn(world)).files.filter((key) => key.endsWith('.zip'))).toEqual([])
  })

  test('without any content is an archive too', async () => {
    const path = await importLibrary(bo, await exportLibrary(ana))
    await world.runJobs()
    expect(await bo.archives.readLibraryImport(path)).toMatchObject({ status: 'done', total: 0 })
  })

  test('is visible only to its owner', async () => {
    const path = await importLibrary(ana, await exportLibrary(ana))
    expect((await refused(bo.archives.readLibraryImport(path))).body).toEqual({
      message: 'Import not found',
    })
    const unknown = { params: { id: 'x' } }
    expect((await refused(ana.archives.readLibraryImport(unknown))).status).toBe(404)
    await fill(ana)
    const { names } = await contentsOf(await exportLibrary(bo))
    expect(names).toEqual(['manifest.json'])
  })
})

describe('an import of a library', () => {
  test('continues after an interruption, and restores nothing twice', async () => {
    await fill(ana)
    await world.runJobs()
    const archive = await exportLibrary(ana)
    const path = await importLibrary(bo, archive)
    world.storage.failsAt = '/manual-sessions/'
    world.storage.spared = 2
    await world.runJobs()
    expect(await bo.archives.readLibraryImport(path)).toMatchObject({
      status: 'running',
      done: 3,
      sessions: 1,
    })
    world.storage.failsAt = null
    world.clock.advance(minuteMs)
    await world.runJobs()
    expect(await bo.archives.readLibraryImport(path)).toMatchObject({
      status: 'done',
      done: 4,
      sessions: 2,
      vaultFiles: 2,
    })
    expect(await libraryOf(bo)).toEqual(await libraryOf(ana))
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('skips and names broken entries, and restores the rest', async () => {
    const name = 'sessions/1/001.png'
    const adultName = 'sessions/2/001.png'
    const wrong = { ...fileOf(name, samples.png), sha256: '0'.repeat(64) }
    const vault = [
      { file: fileOf('vault/1.html', samples.html), missing: null, originalName: 'page.jpg' },
      { file: null, missing: 'withheld', originalName: 'reported.jpg' },
      { file: fileOf('vault/3.png', samples.png), missing: null, originalName: 'good.png' },
    ].map((file) => ({ name: 'x', source: 'general', caption: null, subfeed: null, ...file }))
    const archive = buildZip([
      { name, content: samples.png },
      { name: adultName, content: samples.png },
      { name: 'vault/1.html', content: samples.html },
      { name: 'vault/3.png', content: samples.png },
      {
        name: 'manifest.json',
        content: manifestOf(
          [
            sessionOf([slideOf(wrong)], { title: 'Broken' }),
            sessionOf([slideOf(fileOf(adultName, samples.png), { nsfw: true })], {
              title: 'Adult',
            }),
          ],
          { vault },
        ),
      },
    ])
    const path = await importLibrary(bo, archive)
    await world.runJobs()
    const { skipped, ...rest } = await bo.archives.readLibraryImport(path)
    expect(rest).toMatchObject({ status: 'done', done: 5, total: 5, sessions: 1, vaultFiles: 1 })
    expect(skipped.map(({ source, code }) => [source, code])).toEqual([
      ['page.jpg', 'not_media'],
      ['reported.jpg', 'not_found'],
      ['Broken', 'unreadable'],
      ['Adult: sessions/2/001.png', 'age_restricted'],
    ])
    const [file] = (await bo.vault.list()).files
    expect((await download(world, file?.url ?? '')).equals(samples.png)).toBe(true)
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('restores nothing that was taken down for good', async () => {
    const jpeg = await plainJpeg({ width: 640, height: 480, seed: 7 })
    const id = await putMedia(ana, jpeg)
    await world.runJobs()
    await ana.sessions.createManual({ body: { title: 'Again', slides: [{ mediaId: Number(id) }] } })
    const archive = await exportLibrary(ana)
    const { shareCode } = await ana.vault.share({
      params: { id },
      body: { shareToCommunity: false },
    })
    const { reportId } = await world.visitor().moderation.report({
      body: { targetType: 'shared_media', shareCode, reason: 'non_consensual' },
    })
    const admin = world.visitor()
    await admin.accounts.devSignIn()
    await admin.moderation.resolveReport({
      params: { id: String(reportId) },
      body: { action: 'remove_and_block', note: 'No consent' },
    })
    const path = await importLibrary(bo, archive)
    await world.runJobs()
    const { skipped, vaultFiles } = await bo.archives.readLibraryImport(path)
    expect(vaultFiles).toBe(0)
    expect(skipped.map(({ source, code }) => [source, code])).toEqual([
      ['photo.jpg', 'blocked'],
      ['Again: sessions/1/001.jpg', 'blocked'],
    ])
  })

  test('runs once at a time for each account, and is refused at once if unreadable', async () => {
    const archive = await exportLibrary(ana)
    const form = { form: { file: zipFile(archive) } }
    await importLibrary(ana, archive)
    expect((await refused(ana.archives.importLibrary(form))).status).toBe(409)
    await importLibrary(bo, archive)
    await world.runJobs()
    const before = await everythingIn(world)
    const broken = { form: { file: zipFile(archive.subarray(0, 40)) } }
    expect((await refused(ana.archives.importLibrary(broken))).body).toMatchObject({
      reason: 'truncated',
    })
    expect((await refused(ana.archives.importLibrary({ form: {} }))).body).toEqual({
      message: 'No file uploaded',
    })
    world.storage.failsAt = '/imports/'
    expect((await refused(ana.archives.importLibrary(form))).status).toBe(503)
    expect(await everythingIn(world)).toEqual(before)
  })

  test('can start any number of times on one connection', async () => {
    const { id } = await ana.accounts.currentUser()
    await world.ctx.db.connection().execute(async (db) => {
      const ctx = { ...world.ctx, db }
      for (let round = 0; round < 7; round += 1) {
        const made = { id: randomUUID(), userId: id, archiveKey: 'x', total: 1 }
        expect(await insertImport(ctx, made)).toBe(true)
        expect(await insertImport(ctx, { ...made, id: randomUUID() })).toBe(false)
        await db.deleteFrom('library_imports').execute()
      }
    })
  })

  test('of a truncated form is refused', async () => {
    const body = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nPK`
    const response = await ana.fetch('/api/library/import', {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body,
    })
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'Bad Request' }])
    expect(await everythingIn(world)).toMatchObject({ files: [] })
  })

  test('without its archive fails with a clear error', async () => {
    const path = await importLibrary(ana, await exportLibrary(ana))
    const [key = ''] = (await everythingIn(world)).files
    await world.ctx.storage.remove('user-media', key)
    await world.runJobs()
    expect(await ana.archives.readLibraryImport(path)).toMatchObject({
      status: 'failed',
      error: 'The archive can no longer be read',
    })
  })
})
