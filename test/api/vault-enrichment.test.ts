/** The facts that the service finds out about files in the vault (contract 1.4). */
import { describe, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import { privateTraces } from '../support/private-traces.ts'
import { makeFilm, paint, plainJpeg, privateJpeg } from '../support/sample-media.ts'
import { useWorld } from '../support/use-world.ts'
import {
  createVaultWorld,
  download,
  listed,
  placeFile,
  putMedia,
  readStored,
  unclaimedKeys,
} from '../support/vault-media.ts'
import type { Person, World } from '../support/world.ts'

let world: World
let ana: Person

useWorld(createVaultWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
})

const rowOf = (id: string) =>
  world.ctx.db
    .selectFrom('vault_media')
    .selectAll()
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()

describe('a picture', () => {
  test('is pending, then examined: real size, thumbnails, hashes', async () => {
    const id = await putMedia(ana, await plainJpeg({ width: 1300, height: 900 }))
    expect(await listed(ana, id)).toMatchObject({
      width: 0,
      height: 0,
      enrichmentStatus: 'pending',
      enrichedAt: null,
      thumbnails: [],
    })
    await world.runJobs()
    const file = await listed(ana, id)
    expect(file).toMatchObject({ width: 1300, height: 900, enrichmentStatus: 'completed' })
    expect(file.enrichedAt).toMatch(/Z$/)
    expect(file.thumbnails.map(({ width }) => width)).toEqual([320, 640, 1280])
    for (const { width, url } of file.thumbnails)
      expect(await sharp(await download(world, url)).metadata()).toMatchObject({
        width,
        format: 'webp',
      })
    const row = await rowOf(id)
    expect(row.perceptual_hashes).toHaveLength(12)
    expect(row).toMatchObject({ display_path: row.file_path, enrichment_tries: 1 })
    expect(await unclaimedKeys(world)).toEqual([])
    const origins = await world.ctx.db.selectFrom('file_origins').selectAll().execute()
    expect(origins).toHaveLength(3)
    expect(new Set(origins.map(({ origin_key }) => origin_key))).toEqual(new Set([row.file_path]))
  })

  test('that a phone rotated is measured upright, and shown without private metadata', async () => {
    const id = await putMedia(ana, await privateJpeg({ orientation: 6 }))
    await world.runJobs()
    expect(await listed(ana, id)).toMatchObject({ width: 600, height: 800 })
    const row = await rowOf(id)
    expect(row.display_path).not.toBe(row.file_path)
    const shown = await readStored(world, 'user-media', row.display_path!)
    expect(await privateTraces(shown)).toEqual([])
    expect(row.metadata).toMatchObject({ title: 'Secret Street 7' })
  })

  test('is what its bytes are, not what its name says', async () => {
    const { id: userId } = await ana.accounts.currentUser()
    await placeFile(world, userId, 'Uploads/named.jpg', await paint().webp().toBuffer())
    const { files } = await ana.vault.list()
    await world.runJobs()
    expect(await rowOf(String(files[0]!.id))).toMatchObject({ mime_type: 'image/webp', width: 800 })
  })

  test('narrower than any thumbnail has none', async () => {
    const id = await putMedia(ana, await plainJpeg({ width: 300, height: 200 }))
    await world.runJobs()
    expect(await listed(ana, id)).toMatchObject({ width: 300, thumbnails: [] })
  })

  test.each([
    ['Ada_Lovelace-02.jpg', 'Ada Lovelace'],
    ['Grace Hopper - at work.jpg', 'Grace Hopper'],
    ['IMG_20240101.jpg', null],
    ['Screen Shot 2024.jpg', null],
    ['holiday.jpg', null],
  ])('called %s shows %s', async (name, characterName) => {
    const id = await putMedia(ana, await plainJpeg({ width: 64, height: 64 }), name)
    await world.runJobs()
    expect(await listed(ana, id)).toMatchObject({ characterName })
  })

  test('with a name in its embedded title or its caption shows it', async () => {
    const titled = await paint({ width: 64, height: 64 })
      .withExif({ IFD0: { ImageDescription: 'Ada Lovelace - a portrait' } })
      .jpeg()
      .toBuffer()
    const byTitle = await putMedia(ana, titled, 'a.jpg')
    const byCaption = await putMedia(ana, await plainJpeg({ width: 64, height: 64 }), 'b.jpg')
    await world.ctx.db
      .updateTable('vault_media')
      .set({ caption: 'Grace Hopper | 1952' })
      .where('id', '=', Number(byCaption))
      .execute()
    await world.runJobs()
    expect(await listed(ana, byTitle)).toMatchObject({ characterName: 'Ada Lovelace' })
    expect(await listed(ana, byCaption)).toMatchObject({ characterName: 'Grace Hopper' })
  })
})

describe('a video', () => {
  test('is measured and timed, and its poster is in the thumbnails', async () => {
    const film = await makeFilm({ width: 720, height: 480, rotation: 90, title: 'Ada Lovelace' })
    const id = await putMedia(ana, film, 'film.mp4')
    await world.runJobs()
    const file = await listed(ana, id)
    expect(file).toMatchObject({
      type: 'video',
      width: 480,
      height: 720,
      characterName: 'Ada Lovelace',
      enrichmentStatus: 'completed',
    })
    expect(file.durationMs).toBeGreaterThan(900)
    expect(file.thumbnails.map(({ width }) => width)).toEqual([320])
    const poster = await sharp(await download(world, file.thumbnails[0]!.url)).metadata()
    expect(poster).toMatchObject({ width: 320, height: 480, format: 'webp' })
    expect((await rowOf(id)).perceptual_hashes).toHaveLength(12)
  })

  test.each(['film.mp4', 'film.webm'])('%s is shown without its location', async (name) => {
    const format = name.endsWith('webm') ? 'webm' : 'mp4'
    const film = await makeFilm({ format, location: '+50.2996+014.8203/' })
    const id = await putMedia(ana, film, name)
    await world.runJobs()
    const row = await rowOf(id)
    const shown = await readStored(world, 'user-media', row.display_path!)
    expect(row.display_path).not.toBe(row.file_path)
    expect(await privateTraces(shown)).toEqual([])
    expect(shown.length).toBeLessThan(film.length)
  })
})
