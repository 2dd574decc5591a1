/**
 * The quota of an account: the files that count, and refusals before anything is stored (contract,
 * section 15).
 */
import { describe, expect, test } from 'vitest'
import { measureFiles } from '../../src/server/features/quota/storage-use.ts'
import { fillStorage, overQuota } from '../support/full-storage.ts'
import type { PictureWorld } from '../support/picture-world.ts'
import { compose, createPictureWorld, upload } from '../support/picture-world.ts'
import { blue, dataUri, plain, red } from '../support/pictures.ts'
import { useWorld } from '../support/use-world.ts'
import { placeFile, putMedia } from '../support/vault-media.ts'
import { pngFile, samples, sendForm, userIdOf } from '../support/vault-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: PictureWorld
let ana: Person
let bo: Person
let pictures: { first: string; second: string }

useWorld(createPictureWorld, async (fresh) => {
  world = fresh
  ana = await world.rich('ana')
  bo = await world.rich('bo')
  pictures = {
    first: dataUri(await plain(200, 400, red)),
    second: dataUri(await plain(300, 400, blue)),
  }
})

const freeBytes = 5120 * 1_048_576
const size = samples.png.length

async function setQuota(quotaMb: Record<string, number>) {
  await world.ctx.db
    .insertInto('settings')
    .values({ key: 'quotaMb', value: JSON.stringify(quotaMb), updated_at: new Date() })
    .execute()
}

describe('the storage', () => {
  test('counts originals and results once, and only the caller’s', async () => {
    const nothing = { usedBytes: 0, quotaBytes: freeBytes, files: 0, trashBytes: 0 }
    expect(await ana.storage.read()).toEqual(nothing)
    const mediaId = Number(await putMedia(ana, samples.png, 'one.png'))
    await putMedia(ana, samples.png, 'two.png', 'babecock')
    await world.runJobs()
    const slides = [{ mediaId }, { mediaId }]
    await ana.sessions.createManual({ body: { title: 'Twice the same', slides } })
    await ana.vault.upload({ form: { file: pngFile(), source: 'profile' } })
    await ana.vault.upload({ form: { file: pngFile(), source: 'thumbnail' } })
    await world.runJobs()
    expect(await ana.storage.read()).toEqual({ ...nothing, usedBytes: 2 * size, files: 2 })
    expect(await bo.storage.read()).toEqual(nothing)
  })

  test('counts unsaved results while they exist, and saved ones again', async () => {
    const { imageUrl } = await compose(ana, pictures)
    const made = (await world.bytesAt(imageUrl)).length
    expect(await ana.storage.read()).toMatchObject({ usedBytes: made, files: 1 })
    await ana.images.save({ body: { imageUrl } })
    expect(await ana.storage.read()).toMatchObject({ usedBytes: 2 * made, files: 2 })
    world.clock.advance(25 * 3_600_000)
    await world.sweep()
    expect(await ana.storage.read()).toMatchObject({ usedBytes: made, files: 1 })
    const [file] = (await ana.vault.list()).files
    await ana.vault.remove({ params: { id: String(file?.id) } })
    expect(await ana.storage.read()).toMatchObject({ usedBytes: 0, files: 0 })
  })

  test('counts files that appeared outside the service once they are listed, and earlier ones', async () => {
    const key = await placeFile(world, await userIdOf(ana), 'Uploads/placed.png', samples.png)
    expect((await ana.storage.read()).usedBytes).toBe(0)
    await ana.vault.list()
    expect((await ana.storage.read()).usedBytes).toBe(size)
    await world.ctx.db
      .updateTable('stored_files')
      .set({ size: null })
      .where('key', '=', key)
      .execute()
    expect((await ana.storage.read()).usedBytes).toBe(0)
    await measureFiles(world.ctx)
    expect((await ana.storage.read()).usedBytes).toBe(size)
  })

  test('depends on the tier, and 0 is unlimited', async () => {
    await setQuota({ vip: 7, free: 1 })
    expect((await ana.storage.read()).quotaBytes).toBe(1_048_576)
    const setTier = (tier: 'vip' | 'full_access') =>
      world.ctx.db.updateTable('credit_accounts').set({ tier }).execute()
    await setTier('vip')
    expect((await ana.storage.read()).quotaBytes).toBe(7 * 1_048_576)
    await setTier('full_access')
    expect((await ana.storage.read()).quotaBytes).toBe(102_400 * 1_048_576)
    await world.ctx.db
      .updateTable('settings')
      .set({ value: JSON.stringify({ full_access: 0 }) })
      .execute()
    expect((await ana.storage.read()).quotaBytes).toBeNull()
    await fillStorage(world, ana)
    await putMedia(ana, samples.png, 'one.png')
  })
})

describe('over the quota', () => {
  test('an upload is refused, and neither a file nor a record is left', async () => {
    await fillStorage(world, ana, size - 1)
    expect(await refused(putMedia(ana, samples.png, 'one.png'))).toMatchObject(overQuota)
    expect(await world.ownKeys()).toEqual([])
    expect((await ana.vault.list()).files).toEqual([])
    await putMedia(bo, samples.png, 'bo.png')
    await fillStorage(world, ana, size)
    await putMedia(ana, samples.png, 'two.png')
    expect((await ana.storage.read()).usedBytes).toBe(freeBytes)
    // A file that does not count is not refused.
    await ana.vault.upload({ form: { file: pngFile(), source: 'profile' } })
  })

  test('an upload with its folder after the file counts once', async () => {
    await fillStorage(world, ana, size)
    const file = { name: 'file', fileName: 'late.png', type: 'image/png', value: samples.png }
    const sent = await sendForm(ana, [file, { name: 'source', value: 'babecock' }])
    expect(sent.status).toBe(200)
    expect(await ana.storage.read()).toMatchObject({ usedBytes: freeBytes })
  })

  test('an invalid file is reported before the quota', async () => {
    await fillStorage(world, ana)
    const file = new File(['text'], 'notes.txt', { type: 'text/plain' })
    expect(await refused(ana.vault.upload({ form: { file } }))).toMatchObject({ status: 400 })
  })

  test('no tool runs and nothing is charged; the quota is checked before the price', async () => {
    const { imageUrl } = await compose(ana, pictures)
    const before = await world.balanceOf(ana)
    await fillStorage(world, ana)
    const picture = await plain(300, 300, red)
    const region = { x: 0, y: 0, width: 0.5, height: 1 }
    const tries = [
      () => compose(ana, pictures),
      () => compose(ana, { ...pictures, saveToVault: true }),
      () => upload(ana, picture, 'uploadFirst'),
      () => upload(ana, picture, 'uploadSecond'),
      () => ana.images.remix({ body: { imageUrl, swap: true } }),
      () => ana.images.save({ body: { imageUrl } }),
      () =>
        ana.images.animate({
          body: {
            imageUrls: [pictures.first, pictures.second],
            frameMs: 200,
            effect: 'cut',
            size: 128,
            format: 'gif',
          },
        }),
      () =>
        ana.images.censor({
          body: { imageUrl: dataUri(picture), regions: [region], mode: 'bar', strength: 5 },
        }),
    ]
    const files = await world.ownKeys()
    for (const attempt of tries) expect(await refused(attempt())).toMatchObject(overQuota)
    expect(await world.balanceOf(ana)).toBe(before)
    // Some bytes fit, but not the result. That costs nothing either.
    await fillStorage(world, ana, 10)
    expect(await refused(compose(ana, pictures))).toMatchObject(overQuota)
    expect(await world.balanceOf(ana)).toBe(before)
    expect(await world.ownKeys()).toEqual(files)
    const poor = await world.as('poor')
    for (const _ of [1, 2]) await compose(poor, pictures)
    expect(await refused(compose(poor, pictures))).toMatchObject({ status: 402 })
    await fillStorage(world, poor)
    expect(await refused(compose(poor, pictures))).toMatchObject(overQuota)
  })
})
