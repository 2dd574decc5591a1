/** Large libraries, and imports that take long or never end. */
import { expect, test } from 'vitest'
import { draftManifest } from '../../src/server/features/archives/export/manifest-draft.ts'
import type { Manifest } from '../../src/server/features/archives/manifest.ts'
import { manifest } from '../../src/server/features/archives/manifest.ts'
import { manifestOf, sessionOf, slideOf } from '../support/archive-parts.ts'
import type { ArchiveWorld } from '../support/archive-world.ts'
import { createArchiveWorld, everythingIn, exportBytes, zipFile } from '../support/archive-world.ts'
import { useWorld } from '../support/use-world.ts'
import { unclaimedKeys } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'

let world: ArchiveWorld
let ana: Person

useWorld(createArchiveWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
})

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Imports Ana's own empty library, and returns the parameters of its import. */
async function importOwnLibrary() {
  const archive = await exportBytes(ana, '/api/library/export')
  const { importId } = await ana.archives.importLibrary({ form: { file: zipFile(archive) } })
  return { params: { id: importId } }
}

async function endSilentImports() {
  await world.ctx.queue.jobs.find(({ name }) => name === 'end-silent-imports')?.run(world.ctx, {})
}

/** Returns the manifest that a draft of these sessions wrote, and the number of files it used in storage. */
async function draftedOf(userId: string, { sessions }: Manifest) {
  const draft = draftManifest(world.ctx, userId)
  for (const session of sessions) await draft.addSession(session)
  const { files } = await everythingIn(world)
  const chunks: Buffer[] = []
  for await (const chunk of draft.finish().open()) chunks.push(Buffer.from(chunk))
  await draft.discard()
  return { said: JSON.parse(String(Buffer.concat(chunks))) as unknown, fileCount: files.length }
}

test('a library that exceeds the memory is exported, and leaves nothing behind', async () => {
  const { id: userId } = await ana.accounts.currentUser()
  const slides = Array.from({ length: 200 }, () => slideOf(null, { caption: 'Ä'.repeat(2000) }))
  const sessions = ['One', 'Two', 'Three'].map((title) => sessionOf(slides, { title }))
  const content = manifest.parse(JSON.parse(manifestOf(sessions)))
  const { said, fileCount } = await draftedOf(userId, content)
  expect(said).toEqual(content)
  expect(fileCount).toBe(3)
  expect(await unclaimedKeys(world)).toEqual([])
  expect(await everythingIn(world)).toMatchObject({ files: [] })
})

test('an import without a worker fails with a clear error, and its archive is deleted', async () => {
  const path = await importOwnLibrary()
  await world.ctx.db.updateTable('library_imports').set({ done: 1 }).execute()
  world.clock.advance(3 * hourMs)
  await endSilentImports()
  expect(await ana.archives.readLibraryImport(path)).toMatchObject({ status: 'running' })
  await world.ctx.queue.boss.deleteQueuedJobs('restore-library')
  await endSilentImports()
  expect(await ana.archives.readLibraryImport(path)).toMatchObject({
    status: 'failed',
    error: 'The import was interrupted',
  })
  expect(await everythingIn(world)).toMatchObject({ files: [] })
})

test('a waiting import waits for as long as its archive is kept', async () => {
  const path = await importOwnLibrary()
  world.clock.advance(3 * hourMs)
  await endSilentImports()
  expect(await ana.archives.readLibraryImport(path)).toMatchObject({ status: 'running' })
  world.clock.advance(46 * hourMs)
  await endSilentImports()
  expect(await ana.archives.readLibraryImport(path)).toMatchObject({ status: 'failed' })
  expect(await everythingIn(world)).toMatchObject({ files: [] })
})

test('an import that fails before its first run, and is not tried again, has failed', async () => {
  const path = await importOwnLibrary()
  world.clock.advance(minuteMs)
  world.storage.isUnreadable = true
  await world.runJobs()
  await world.ctx.queue.boss.deleteQueuedJobs('restore-library')
  world.clock.advance(3 * hourMs)
  await endSilentImports()
  expect(await ana.archives.readLibraryImport(path)).toMatchObject({ status: 'failed' })
})
