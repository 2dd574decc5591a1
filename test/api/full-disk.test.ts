/** A full disk, on every way to store bytes: 503 STORAGE_UNREACHABLE, nothing charged and nothing left. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { StorageFull } from '../../src/server/platform/storage/storage.ts'
import { pictureFile } from '../support/enhancement-world.ts'
import type { PictureWorld } from '../support/picture-world.ts'
import { compose, createPictureWorld } from '../support/picture-world.ts'
import { blue, dataUri, plain, red } from '../support/pictures.ts'
import { unclaimedKeys } from '../support/vault-media.ts'
import { sendForm, samples } from '../support/vault-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: PictureWorld
let ana: Person
let first: Buffer
let second: Buffer

beforeAll(async () => {
  world = await createPictureWorld()
  first = await plain(200, 400, red)
  second = await plain(300, 400, blue, 'jpeg')
})
beforeEach(async () => {
  await world.reset()
  ana = await world.rich('ana')
  await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  await ana.enhancement.giveConsent({ body: { version: 1 } })
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => world.close())

/** Makes every write fail. Stored files can still be read and removed. */
function fillDisk(): void {
  const full = new StorageFull('The storage folder cannot be used: ENOSPC')
  vi.spyOn(world.ctx.storage, 'put').mockRejectedValue(full)
  vi.spyOn(world.ctx.storage, 'copy').mockRejectedValue(full)
}

async function expectRefused(call: () => Promise<unknown>): Promise<void> {
  const keptBefore = [await world.balanceOf(ana), await world.ownKeys(), await unclaimedKeys(world)]
  fillDisk()
  expect(await refused(call())).toMatchObject({
    status: 503,
    body: { error: expect.any(String), code: 'STORAGE_UNREACHABLE', message: expect.any(String) },
  })
  vi.restoreAllMocks()
  const kept = [await world.balanceOf(ana), await world.ownKeys(), await unclaimedKeys(world)]
  expect(kept).toEqual(keptBefore)
}

const file = () => new File([new Uint8Array(first)], 'a.png', { type: 'image/png' })

describe('a full disk refuses', () => {
  test.each(['general', 'profile', 'thumbnail', 'babecock'] as const)(
    'an upload for %s',
    (source) => expectRefused(() => ana.vault.upload({ form: { source, file: file() } })),
  )

  test('an upload with its folder after the file', async () => {
    const full = new StorageFull('The storage folder cannot be used: EDQUOT')
    vi.spyOn(world.ctx.storage, 'copy').mockRejectedValue(full)
    const answer = await sendForm(ana, [
      { name: 'file', fileName: 'a.png', type: 'image/png', value: samples.png },
      { name: 'source', value: 'babecock' },
    ])
    expect(answer).toMatchObject({ status: 503, body: { code: 'STORAGE_UNREACHABLE' } })
    expect(await world.ownKeys()).toEqual([])
  })

  test('what does not fit into the database', async () => {
    await sql`create function refuse_for_room() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`.execute(
      world.ctx.db,
    )
    await sql`create trigger no_room before insert on sessions
      execute function refuse_for_room()`.execute(world.ctx.db)
    try {
      const slides = [{ mediaUrl: 'https://example.test/a.jpg' }]
      // Without the typed client: no endpoint declares the failures that all of them share.
      const answer = await fetch(`${world.url}/api/sessions/manual`, {
        method: 'POST',
        headers: { cookie: ana.jar.header(), 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'Late', slides }),
      })
      expect(answer.status).toBe(503)
      expect(await answer.json()).toEqual({
        error: 'Service Unavailable',
        message: 'The database is full, please try again later',
      })
    } finally {
      await sql`drop function refuse_for_room cascade`.execute(world.ctx.db)
    }
  })

  test('pictures for a composition', async () => {
    await expectRefused(() => ana.images.uploadFirst({ form: { image: file() } }))
    await expectRefused(() => ana.images.uploadSecond({ form: { image: file() } }))
  })

  test.each([false, true])('a composition, saved to the vault: %s', (saveToVault) =>
    expectRefused(() =>
      ana.images.compose({
        body: { babeImageUrl: dataUri(first), cockImageUrl: dataUri(second), saveToVault },
      }),
    ),
  )

  test('a new layout of a composition, and saving it', async () => {
    const { imageUrl } = await compose(ana, { first: dataUri(first), second: dataUri(second) })
    await expectRefused(() => ana.images.remix({ body: { imageUrl, swap: true } }))
    await expectRefused(() => ana.images.save({ body: { imageUrl } }))
  })

  test('an animation and a covered picture', async () => {
    const imageUrls = [dataUri(first), dataUri(second)]
    await expectRefused(() =>
      ana.images.animate({
        body: { imageUrls, frameMs: 100, effect: 'cut', size: 128, format: 'webp' },
      }),
    )
    const regions = [{ x: 0, y: 0, width: 0.5, height: 0.5 }]
    await expectRefused(() =>
      ana.images.censor({ body: { imageUrl: dataUri(first), regions, mode: 'bar', strength: 1 } }),
    )
  })

  test('an enhancement, and its result for the vault', async () => {
    const image = await pictureFile()
    await expectRefused(() => ana.enhancement.generate({ form: { image, quality: 'low' } }))
    const { generationId } = await ana.enhancement.generate({ form: { image, quality: 'low' } })
    await expectRefused(() => ana.enhancement.saveResult({ body: { generationId } }))
  })

  test('publishing a file, by its id and by its path', async () => {
    const { media, filePath } = await ana.vault.upload({ form: { file: file() } })
    await world.runJobs()
    const sharing = { tags: ['city'], policyAgreed: true, nsfw: true }
    await expectRefused(() => ana.vault.share({ params: { id: String(media?.id) }, body: sharing }))
    await expectRefused(() => ana.vault.shareByPath({ body: { filePath, ...sharing } }))
  })

  test('an archive, of a session and of a library', async () => {
    const archive = new File([new Uint8Array(100)], 'a.zip', { type: 'application/zip' })
    await expectRefused(() => ana.imports.importSession({ form: { file: archive } }))
    await expectRefused(() => ana.archives.importLibrary({ form: { file: archive } }))
  })
})

test('the thumbnails of an upload are made once there is space again', async () => {
  const { media } = await ana.vault.upload({ form: { file: file() } })
  fillDisk()
  await world.runJobs()
  vi.restoreAllMocks()
  world.clock.advance(3_600_000)
  await world.runJobs()
  const { files } = await ana.vault.list()
  expect(files.map(({ id, enrichmentStatus }) => [id, enrichmentStatus])).toEqual([
    [media?.id, 'completed'],
  ])
})
