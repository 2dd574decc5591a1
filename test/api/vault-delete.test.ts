/** Deleting files of the vault, by id and by path, with everything that depends on them (contract 2, 4.4). */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { thumbnailKey } from '../../src/server/features/vault/media-files.ts'
import { readLines, sharedFile, testCorpus } from '../support/shared-corpora.ts'
import { openDiskStage } from '../support/storage-stages.ts'
import { clearShelves, placeFile } from '../support/vault-media.ts'
import {
  noTraces,
  pngFile,
  samples,
  storedKeys,
  tracesIn,
  upload,
  userIdOf,
} from '../support/vault-world.ts'
import type { WatchedStorage } from '../support/watched-storage.ts'
import { watch } from '../support/watched-storage.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: World
let storage: WatchedStorage
let stage: Awaited<ReturnType<typeof openDiskStage>>
let ana: Person
let bo: Person
let anaId: string

beforeAll(async () => {
  stage = await openDiskStage()
  storage = watch(stage.storage)
  world = await createWorld({}, { storage })
})
beforeEach(async () => {
  storage.faults.remove = false
  await clearShelves(world)
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  anaId = await userIdOf(ana)
})
afterAll(async () => {
  await world.close()
  await stage.stop()
})

const deleted = { message: 'Media deleted successfully' }
const missing = { status: 404, body: { message: 'Media not found' } }
const invalid = { status: 400, body: { message: 'Invalid media ID' } }

const byId = (id: string, person = ana) => person.vault.remove({ params: { id } })
const byPath = (path: string, person = ana) => person.vault.removeByPath({ params: { '*': path } })

describe('a file', () => {
  test('is deleted with its record, and its deletion is logged', async () => {
    const { id, mediaId, filePath, fileUrl } = await upload(ana)
    await upload(ana, 'other.png')
    expect(await byId(id)).toEqual(deleted)
    expect((await world.visitor().fetch(fileUrl)).status).toBe(404)
    const { files, totalCount, categories } = await ana.vault.list()
    expect(files).toMatchObject([{ name: 'other.png' }])
    expect([totalCount, categories.upload]).toEqual([1, 1])
    const log = await world.ctx.db.selectFrom('activity_log').selectAll().execute()
    expect(log.filter(({ action }) => action === 'media_deleted')).toMatchObject([
      { user_id: anaId, feature: 'media_gallery', details: { mediaId, filePath } },
    ])
    expect(await refused(byId(id))).toMatchObject(missing)
  })

  test('is deleted with its thumbnails, its copies and its link', async () => {
    const { id, mediaId } = await upload(ana)
    const thumbnails = [320, 640].map((width) =>
      thumbnailKey({ userId: anaId, id: Number(id) }, width),
    )
    const display = `users/${anaId}/derived/${id}/display.png`
    for (const key of [...thumbnails, display]) await storage.put('user-media', key, samples.png)
    const copies = ['community/media/1.png', 'community/media/1-thumbnail.webp']
    for (const key of copies) await storage.put('general', key, samples.png)
    await world.ctx.db
      .updateTable('vault_media')
      .set({ display_path: display, thumbnail_widths: [320, 640], share_to_community: true })
      .execute()
    await world.ctx.db
      .insertInto('community_media')
      .values({
        media_id: mediaId,
        owner_id: anaId,
        file_key: copies[0]!,
        thumbnail_key: copies[1]!,
        type: 'image',
        width: 1,
        height: 1,
        tags: ['city'],
        nsfw: true,
        published_at: new Date(),
      })
      .execute()
    await world.ctx.db
      .insertInto('media_shares')
      .values({ code: crypto.randomUUID(), media_id: Number(id), created_at: new Date() })
      .execute()
    await byId(id)
    expect(await tracesIn(world)).toEqual(noTraces)
    for (const table of ['community_media', 'media_shares'] as const)
      expect(await world.ctx.db.selectFrom(table).selectAll().execute()).toEqual([])
  })

  test('that is its own display file goes once', async () => {
    const { id, filePath } = await upload(ana)
    await world.ctx.db.updateTable('vault_media').set({ display_path: filePath }).execute()
    expect(await byId(id)).toEqual(deleted)
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('that no longer exists is deleted all the same', async () => {
    const { id, filePath } = await upload(ana)
    await storage.remove('user-media', filePath)
    expect(await byId(id)).toEqual(deleted)
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('that the storage cannot delete disappears for its owner, and is swept later', async () => {
    const { id, filePath } = await upload(ana)
    storage.faults.remove = true
    expect(await byId(id)).toEqual(deleted)
    expect(await ana.vault.list()).toMatchObject({ files: [] })
    expect((await tracesIn(world))['unclaimed']).toEqual([filePath])
    storage.faults.remove = false
    await world.ctx.queue.boss.send('sweep-files', {})
    await world.runJobs()
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('is deleted once by two concurrent calls', async () => {
    const { id } = await upload(ana)
    const outcomes = await Promise.allSettled([byId(id), byId(id)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await ana.vault.list()).categories.upload).toBe(0)
  })
})

describe('an id', () => {
  test.each(['0', '01', '-1', '1.5', '2147483648', 'abc', '1e3', ' 1', '１', '...', '%2e%2e%2f'])(
    'that is invalid is refused: %j',
    async (id) => expect(await refused(byId(id))).toMatchObject(invalid),
  )

  test('that is missing from the path is refused', async () => {
    expect(await refused(byPath(''))).toMatchObject(invalid)
  })

  test('that is unknown, or of another account’s file, is not found', async () => {
    const { id } = await upload(ana)
    expect(await refused(byId('2147483647'))).toMatchObject(missing)
    expect(await refused(byId(id, bo))).toMatchObject(missing)
    expect(await ana.vault.list()).toMatchObject({ totalCount: 1 })
  })
})

describe('a path', () => {
  test('below the caller’s folder, plain or escaped, deletes', async () => {
    const first = await upload(ana, 'a.png')
    const second = await upload(ana, 'b.png')
    expect(await byPath(`General/${first.fileName}`)).toEqual(deleted)
    expect(await byId(`General/${second.fileName}`)).toEqual(deleted)
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('deletes a file that has no record yet', async () => {
    await placeFile(world, anaId, 'Captions/a.png', samples.png)
    expect(await byPath('Captions/a.png')).toEqual(deleted)
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('to something other than a vault item is not found', async () => {
    const form = { file: pngFile(), source: 'profile' as const }
    const { fileName } = await ana.vault.upload({ form })
    for (const path of [
      `Profile/${fileName}`,
      'General/none.png',
      'General/',
      '/General/a.png',
      'General//a.png',
      'derived/1/320.webp',
      'Captions/notes.json',
    ])
      expect(await refused(byPath(path)), path).toMatchObject(missing)
    expect(await storedKeys(storage)).toHaveLength(1)
  })

  test('of another account’s file is not found, in any spelling', async () => {
    const { fileName, filePath } = await upload(ana)
    const boId = await userIdOf(bo)
    for (const path of [
      `General/${fileName}`,
      filePath,
      `../${anaId}/General/${fileName}`,
      `../../users/${anaId}/General/${fileName}`,
      `General/../../${anaId}/General/${fileName}`,
      `./../${anaId}/General/${fileName}`,
      `..\\${anaId}\\General/${fileName}`,
      `${boId}/../${anaId}/General/${fileName}`,
    ]) {
      expect(await refused(byId(path, bo)), path).toMatchObject(missing)
    }
    expect(await tracesIn(world)).toMatchObject({ records: [filePath], files: [filePath] })
  })

  testCorpus('of the traversal lists deletes nothing', async () => {
    const { filePath } = await upload(ana)
    await placeFile(world, anaId, 'Profile/a.png', samples.png)
    const lists = ['LFI-Jhaddix', 'deep_traversal', 'directory_traversal', 'exotic-encoding']
    const paths = lists.flatMap((list) => {
      const lines = readLines(sharedFile(`corpora/traversal/${list}.txt`))
      const step = Math.ceil(lines.length / 60)
      return lines
        .filter((_, index) => index % step === 0)
        .map((line) => line.replaceAll('{FILE}', 'General/a.png'))
    })
    for (const path of paths)
      for (const spelling of [path, encodeURIComponent(path), encodeURI(path)]) {
        const address = `/api/user/media/${spelling.replaceAll('#', '%23').replaceAll('?', '%3F')}`
        const response = await bo.fetch(address, { method: 'DELETE' })
        expect([400, 404], address).toContain(response.status)
      }
    expect(await storedKeys(storage)).toEqual([filePath, `users/${anaId}/Profile/a.png`])
    return paths.length * 3
  })
})

describe('slides that show the file', () => {
  async function makeSession(urls: readonly string[], shown: string, id: string) {
    const slides = urls.map((mediaUrl) => ({ mediaUrl }))
    const { session } = await ana.sessions.createManual({ body: { title: 'By hand', slides } })
    await world.ctx.db
      .updateTable('session_media')
      .set({ vault_media_id: Number(id) })
      .where('session_id', '=', session.id)
      .where('media_url', '=', shown)
      .execute()
    return session
  }

  const [one, two, three] = ['a', 'b', 'c'].map((name) => `https://pictures.example/${name}.jpg`)

  test('are removed from their sessions, without gaps', async () => {
    const { id } = await upload(ana)
    const first = await makeSession([one!, two!, one!, three!], one!, id)
    const second = await makeSession([one!], one!, id)
    const untouched = await makeSession([two!], one!, id)
    expect(first).toMatchObject({ mediaCount: 4, thumbnail: one })
    world.clock.advance(5000)
    await byId(id)
    const read = (session: { id: number }) =>
      ana.sessions.read({ params: { id: String(session.id) } })
    const after = await read(first)
    expect(after.media).toMatchObject([
      { mediaUrl: two, order: 0 },
      { mediaUrl: three, order: 1 },
    ])
    expect(after.session).toMatchObject({ mediaCount: 2, thumbnail: two })
    expect(after.session.updatedAt > first.updatedAt).toBe(true)
    expect(await read(second)).toMatchObject({
      session: { mediaCount: 0, thumbnail: null },
      media: [],
    })
    expect((await read(untouched)).session).toEqual(untouched)
  })
})

describe('failures', () => {
  test('of the record are reported, and nothing is lost', async () => {
    const { id, fileName } = await upload(ana)
    await sql`create function refuse_delete() returns trigger language plpgsql as
      $$ begin raise exception 'no'; end $$`.execute(world.ctx.db)
    await sql`create trigger refuse_delete before delete on vault_media
      for each row execute function refuse_delete()`.execute(world.ctx.db)
    try {
      const failed = { status: 500, body: { message: 'Failed to delete media from database' } }
      expect(await refused(byId(id))).toMatchObject(failed)
      expect(await refused(byPath(`General/${fileName}`))).toMatchObject(failed)
    } finally {
      await sql`drop function refuse_delete cascade`.execute(world.ctx.db)
    }
    expect(await ana.vault.list()).toMatchObject({ totalCount: 1 })
    expect(await storedKeys(storage)).toHaveLength(1)
  })

  test('of anything else too', async () => {
    const { id, fileName } = await upload(ana)
    await world.ctx.db.schema.alterTable('community_media').renameTo('away').execute()
    try {
      const failed = { status: 500, body: { message: 'Failed to delete media' } }
      expect(await refused(byId(id))).toMatchObject(failed)
      expect(await refused(byPath(`General/${fileName}`))).toMatchObject(failed)
    } finally {
      await world.ctx.db.schema.alterTable('away').renameTo('community_media').execute()
    }
    expect(await byId(id)).toEqual(deleted)
  })
})
