/** The quota for files from elsewhere: saved from the community, imported, or restored from an archive. */
import { expect, test } from 'vitest'
import { exportSession, importArchive, zipFile } from '../support/archive-world.ts'
import { save } from '../support/community-calls.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld, publishManual } from '../support/community-world.ts'
import { fillStorage, overQuota } from '../support/full-storage.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: CommunityWorld
let ana: Person
let bo: Person

useWorld(createCommunityWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.adult('bo')]
})

const at = (path: string) => `${world.site.origin}/${path}`
const importUrls = (person: Person, urls: string[]) =>
  person.imports.importSession({ body: { title: 'Brought along', urls } })
const balance = async (person: Person) => (await person.credits.balance()).balance

/** Returns the size of the files of a session's slides, without their thumbnails. */
async function bytesOf(prefix: string): Promise<number> {
  let bytes = 0
  for (const key of await world.filesIn('user-media', prefix))
    if (!/-640\.webp$|cover/.test(key))
      bytes += (await world.ctx.storage.stat('user-media', key))?.size ?? 0
  return bytes
}

test('a session of the community is saved completely or not at all, and then costs nothing', async () => {
  const { id } = await publishManual(world, ana, {})
  await fillStorage(world, bo, 100)
  const before = await balance(bo)
  expect(await refused(save(bo, id))).toMatchObject(overQuota)
  expect(await bo.sessions.list()).toEqual([])
  expect(await balance(bo)).toBe(before)
  const { id: boId } = await bo.accounts.currentUser()
  expect(await world.filesIn('user-media', `users/${boId}/`)).toEqual([])
  await world.ctx.db.deleteFrom('stored_files').where('user_id', '=', boId).execute()
  await save(bo, id)
  const kept = await bytesOf(`users/${boId}/`)
  expect(kept).toBeGreaterThan(100)
  expect((await bo.storage.read()).usedBytes).toBe(kept)
  const [session] = await bo.sessions.list()
  await bo.sessions.remove({ params: { id: String(session?.id) } })
  expect(await bo.storage.read()).toMatchObject({ usedBytes: 0, files: 0 })
})

test('the copy of a session has its own files, which must fit into the quota', async () => {
  const { id } = await publishManual(world, ana, {})
  await save(bo, id)
  const [saved] = await bo.sessions.list()
  const params = { id: String(saved?.id) }
  const { usedBytes } = await bo.storage.read()
  const { session, media } = await bo.sessions.duplicate({ params })
  expect((await bo.storage.read()).usedBytes).toBe(2 * usedBytes)
  await bo.sessions.remove({ params })
  await bo.trash.empty({})
  for (const { mediaUrl } of media) expect((await bo.fetch(mediaUrl ?? '')).status).toBe(200)
  expect((await bo.fetch(session.thumbnail ?? '')).status).toBe(200)
  await fillStorage(world, bo, Math.ceil(usedBytes / 2))
  const again = { params: { id: String(session.id) } }
  expect(await refused(bo.sessions.duplicate(again))).toMatchObject(overQuota)
  expect(await bo.sessions.list()).toHaveLength(1)
})

test('an import by addresses leaves out what does not fit, and does not start if the storage is full', async () => {
  const urls = [at('jpg/a.jpg'), at('jpg/b.jpg'), at('jpg/c.jpg')]
  const { session } = await importUrls(ana, urls)
  await world.runJobs()
  const { usedBytes, files } = await ana.storage.read()
  expect(files).toBe(3)
  expect(usedBytes).toBe(await bytesOf(`users/${session.userId}/manual-sessions/`))
  await fillStorage(world, bo, Math.ceil(usedBytes / 2))
  const { session: partly } = await importUrls(bo, urls)
  await world.runJobs()
  const { media, skipped } = await bo.sessions.read({ params: { id: String(partly.id) } })
  expect(media).toHaveLength(1)
  expect(skipped.map(({ code }) => code)).toEqual(['over_quota', 'over_quota'])
  await fillStorage(world, bo)
  expect(await refused(importUrls(bo, urls))).toMatchObject(overQuota)
})

test('an archive that does not fit is refused completely', async () => {
  const { session } = await importUrls(ana, [at('jpg/a.jpg'), at('jpg/b.jpg')])
  await world.runJobs()
  const archive = await exportSession(ana, session.id)
  const { usedBytes } = await ana.storage.read()
  await fillStorage(world, bo, usedBytes - 1)
  expect(await refused(importArchive(bo, archive))).toMatchObject(overQuota)
  const library = () => bo.archives.importLibrary({ form: { file: zipFile(archive) } })
  expect(await refused(library())).toMatchObject(overQuota)
  expect(await bo.sessions.list()).toEqual([])
  await fillStorage(world, bo, 2 * usedBytes)
  await importArchive(bo, archive)
  await world.ctx.db.deleteFrom('settings').execute()
  // The archive fitted when it was checked. Files that no longer fit are skipped one by one.
  const { importId } = await library()
  await fillStorage(world, bo)
  await world.runJobs()
  const outcome = await bo.archives.readLibraryImport({ params: { id: importId } })
  expect(outcome.skipped.map(({ code }) => code)).toEqual(['over_quota', 'over_quota'])
})
