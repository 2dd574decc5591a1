/** Files that were put into the storage directly get their rows when the vault is listed (contract 4.4). */
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDiskStage } from '../support/storage-stages.ts'
import { clearShelves, placeFile } from '../support/vault-media.ts'
import { samples, upload, userIdOf } from '../support/vault-world.ts'
import type { WatchedStorage } from '../support/watched-storage.ts'
import { watch } from '../support/watched-storage.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

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
  await clearShelves(world)
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  anaId = await userIdOf(ana)
  Object.assign(storage, { afterListing: null, looksAtOnce: false })
  storage.faults.list = false
})
afterAll(async () => {
  await world.close()
  await stage.stop()
})

const place = (name: string, owner = anaId) => placeFile(world, owner, name, samples.png)
const recordsOf = () => world.ctx.db.selectFrom('vault_media').selectAll().execute()

describe('a file without a record', () => {
  test.each([
    ['Captions', 'smart-caption', 'smart-caption'],
    ['Babecocks', 'babecock', 'babecock'],
    ['HypnoCocks', 'hypnococks', 'hypnococks'],
    ['Uploads', 'upload', 'upload'],
    ['General', 'upload', 'general'],
    ['Smart-caption', 'smart-caption', 'smart-caption'],
    ['Babecock', 'babecock', 'babecock'],
    ['Hypnococks', 'hypnococks', 'hypnococks'],
  ])('in %s/ is listed as %s', async (folder, category, source) => {
    const path = await place(`${folder}/a.png`)
    const { files, totalCount, categories } = await ana.vault.list()
    expect(files).toMatchObject([
      {
        name: 'a.png',
        originalName: 'a.png',
        category,
        size: samples.png.length,
        path,
        width: 0,
        height: 0,
        isShared: false,
        shareCode: null,
        characterName: null,
        enrichmentStatus: 'pending',
        enrichedAt: null,
      },
    ])
    expect(totalCount).toBe(1)
    expect(categories).toMatchObject({ [category]: 1 })
    expect(await recordsOf()).toMatchObject([
      {
        source,
        mime_type: 'image/png',
        share_to_community: false,
        metadata: { tool: source, backfilledAt: expect.stringMatching(/Z$/) },
      },
    ])
    expect((await world.visitor().fetch(files[0]!.url)).status).toBe(200)
  })

  test('has the time of its file, and is queued for an examination', async () => {
    const path = await place('Captions/a.png')
    const time = new Date('2020-05-06T07:08:09.000Z')
    await utimes(join(stage.folder, 'user-media', path), time, time)
    const { files } = await ana.vault.list()
    expect(files).toMatchObject([
      { lastModified: time.toISOString(), created_at: time.toISOString() },
    ])
    const jobs = await world.ctx.queue.boss.findJobs('enrich-media', {
      data: { mediaId: files[0]!.id },
    })
    expect(jobs).toHaveLength(1)
  })

  test('of every listed extension, and of no other', async () => {
    const listed = ['jpg', 'jpeg', 'png', 'gif', 'webp', 'mp4', 'mov', 'webm', 'PNG']
    for (const end of listed) await place(`General/a.${end}`)
    for (const name of ['a.json', 'a', 'a.svg', 'a.png.json', 'a.html', 'a.txt', 'png'])
      await place(`General/${name}`)
    await place('General/below/a.png')
    await place('Profile/a.png')
    await place('Thumbnails/a.png')
    await place('derived/1/320.webp')
    await place('a.png')
    const { files } = await ana.vault.list()
    expect(files.map(({ name }) => name).toSorted()).toEqual(
      listed.map((end) => `a.${end}`).toSorted(),
    )
    expect(files.filter(({ type }) => type === 'video')).toHaveLength(3)
  })

  test('is private to its owner', async () => {
    await place('General/a.png')
    await place('General/b.png', `${anaId}0`)
    expect(await bo.vault.list()).toMatchObject({ files: [], totalCount: 0 })
    expect(await ana.vault.list()).toMatchObject({ totalCount: 1 })
  })

  test('is found even directly after the last listing', async () => {
    for (let number = 1; number <= 10; number += 1) {
      await place(`General/${number}.png`)
      expect((await ana.vault.list()).totalCount).toBe(number)
    }
  })

  test('with an odd name does no harm', async () => {
    const folder = join(stage.folder, 'user-media/users', anaId, 'General')
    await mkdir(folder, { recursive: true })
    for (const name of ['.hidden.png', 'a b.png', 'ü.png', '-.png']) {
      await writeFile(join(folder, name), samples.png)
    }
    expect((await ana.vault.list()).files.map(({ name }) => name)).toEqual(['-.png'])
  })
})

describe('the service’s own files', () => {
  test('have one record, before and after a list', async () => {
    const { mediaId } = await upload(ana)
    await ana.vault.list()
    expect(await recordsOf()).toMatchObject([{ id: mediaId, metadata: {} }])
  })

  test('are not taken for foreign files while they are written', async () => {
    const listed: number[] = []
    storage.afterPut = async () => {
      storage.afterPut = null
      // The file exists, but its row does not yet.
      listed.push((await ana.vault.list()).files.length)
    }
    const { mediaId } = await upload(ana)
    expect(listed).toEqual([0])
    expect(await recordsOf()).toMatchObject([{ id: mediaId, metadata: {} }])
  })

  test('that were deleted while their folder was listed do not return', async () => {
    const { id } = await upload(ana, 'a.png')
    await upload(ana, 'b.png')
    storage.looksAtOnce = true
    storage.afterListing = async (folder) => {
      if (!folder.endsWith('/General/')) return
      storage.afterListing = null
      await ana.vault.remove({ params: { id } })
    }
    await ana.vault.list()
    expect((await ana.vault.list()).files.map(({ name }) => name)).toEqual(['b.png'])
    expect(await recordsOf()).toHaveLength(1)
  })

  test('without their file keep their record', async () => {
    const { id, filePath } = await upload(ana)
    await storage.remove('user-media', filePath)
    expect((await ana.vault.list()).files).toMatchObject([{ id: Number(id) }])
    await ana.vault.remove({ params: { id } })
    expect((await ana.vault.list()).files).toEqual([])
  })
})

describe('listing the storage', () => {
  test('is not repeated while nothing has changed, even for thousands of files', async () => {
    const folder = join(stage.folder, 'user-media/users', anaId, 'General')
    await mkdir(folder, { recursive: true })
    for (let first = 0; first < 2500; first += 500)
      await Promise.all(
        Array.from({ length: 500 }, (_, n) =>
          writeFile(join(folder, `general-${first + n}-a.png`), samples.png),
        ),
      )
    const query = { limit: '50' }
    const before = await ana.vault.list({ query })
    expect([before.files.length, before.totalCount]).toEqual([50, 2500])
    expect(before.categories.upload).toBe(2500)
    await settle()
    await ana.vault.list({ query })
    const { listFolder, look } = storage.calls
    expect((await ana.vault.list({ query })).totalCount).toBe(2500)
    expect(storage.calls).toMatchObject({ listFolder, look })
    // With one more file, the folder is listed again and only the new file is read.
    await writeFile(join(folder, 'general-2500-a.png'), samples.png)
    expect((await ana.vault.list({ query })).totalCount).toBe(2501)
    expect(storage.calls.look).toBe(look + 1)
    // The storage removes files one by one, which would take a minute.
    await rm(folder, { recursive: true })
  })

  test('is not done for other accounts’ files', async () => {
    await ana.vault.list()
    await bo.vault.list()
    await settle()
    await ana.vault.list()
    const { listFolder } = storage.calls
    await place('General/a.png', await userIdOf(bo))
    await ana.vault.list()
    expect(storage.calls.listFolder).toBe(listFolder)
  })

  test('that fails returns the list of the records', async () => {
    await upload(ana)
    storage.faults.list = true
    expect(await ana.vault.list()).toMatchObject({ totalCount: 1 })
  })

  /** Waits: the service does not trust the state of a folder that changed a moment ago. */
  async function settle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 2100))
  }
})

test('by two concurrent lists makes one record', async () => {
  for (let number = 0; number < 30; number += 1) await place(`General/${number}.png`)
  const answers = await Promise.all(Array.from({ length: 6 }, () => ana.vault.list()))
  for (const { totalCount } of answers) expect(totalCount).toBe(30)
  expect(await recordsOf()).toHaveLength(30)
})
