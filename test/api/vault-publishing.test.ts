/**
 * Publishing a file of the vault: the copies it makes, the input it requires, and the watermark
 * (contract, sections 2 and 4.4).
 */
import { describe, expect, test, vi } from 'vitest'
import { enrich } from '../../src/server/features/vault/enrich/enrich.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { eventually } from '../support/eventually.ts'
import { privateTraces } from '../support/private-traces.ts'
import { paint, plainJpeg, privateJpeg } from '../support/sample-media.ts'
import { useWorld } from '../support/use-world.ts'
import {
  createVaultWorld,
  download,
  holdNextRead,
  keysIn,
  listed,
  putMedia,
  readStored,
  unclaimedKeys,
} from '../support/vault-media.ts'
import type { Person, World } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: World
let ana: Person
let bo: Person
let photo: Buffer

useWorld(createVaultWorld, async (fresh) => {
  world = fresh
  photo = await plainJpeg()
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
})

const published = { policyAgreed: true, tags: ['city'] }
const share = (id: string, body: object = published, person = ana) =>
  person.vault.share({ params: { id }, body })
const byLink = (id: string) => share(id, { shareToCommunity: false })
const records = () => world.ctx.db.selectFrom('community_media').selectAll().execute()

describe('publishing', () => {
  test('creates code, copy, record and tags, and sets the flags', async () => {
    const id = await putMedia(ana, photo, 'holiday.jpg')
    const made = await share(id, { ...published, tags: ['city', 'nature', 'city'] })
    expect(made.shareUrl).toBe(`/shared/media/${made.shareCode}`)
    const [record, ...others] = await records()
    expect(others).toEqual([])
    expect(record).toMatchObject({
      id: made.communityMediaId,
      media_id: Number(id),
      type: 'image',
      width: 800,
      height: 600,
      tags: ['city', 'nature'],
      nsfw: true,
    })
    expect(await listed(ana, id)).toMatchObject({ isShared: true, shareToCommunity: true })
    expect((await download(world, made.communityUrl!)).length).toBeGreaterThan(1000)
    expect(await keysIn(world, 'general')).toEqual(
      [record!.file_key, record!.thumbnail_key!].toSorted(),
    )
    expect(await unclaimedKeys(world)).toEqual([])
    const origins = await world.ctx.db.selectFrom('file_origins').select('key').execute()
    expect(origins.map(({ key }) => key)).toEqual(
      expect.arrayContaining([record!.file_key, record!.thumbnail_key]),
    )
  })

  test('waits for an examination of the file that is running, so that its size is known', async () => {
    const id = await putMedia(ana, photo, 'made.jpg', 'smart-caption')
    const { begun, release } = holdNextRead(world)
    const looking = enrich(world.ctx, Number(id))
    await begun
    const sharing = share(id, {})
    await eventually(async () => {
      const [media] = await world.ctx.db.selectFrom('vault_media').selectAll().execute()
      expect(media).toMatchObject({ enrichment_status: 'processing' })
    })
    release()
    await Promise.all([looking, sharing])
    vi.restoreAllMocks()
    expect(await records()).toMatchObject([
      { width: 800, height: 600, thumbnail_key: expect.any(String) },
    ])
  })

  test('again changes its description, not its file', async () => {
    const id = await putMedia(ana, photo)
    const first = await share(id)
    const again = await share(id, { policyAgreed: true, tags: ['nature'], nsfw: false })
    expect(again).toEqual(first)
    expect(await records()).toMatchObject([{ tags: ['nature'], nsfw: false }])
    expect(await keysIn(world, 'general')).toHaveLength(2)
  })

  test('is logged with media, code and outcome', async () => {
    const id = await putMedia(ana, photo)
    const { shareCode } = await share(id)
    await byLink(id)
    const log = await world.ctx.db
      .selectFrom('activity_log')
      .select(['details', 'feature'])
      .where('action', '=', 'media_shared')
      .orderBy('id')
      .execute()
    const mediaId = Number(id)
    expect(log).toEqual([
      { feature: 'media_gallery', details: { mediaId, shareCode, communityStatus: 'published' } },
      { feature: 'media_gallery', details: { mediaId, shareCode, communityStatus: 'none' } },
    ])
  })

  test('an upload is refused without policy, then without tags, then with unknown ones', async () => {
    const id = await putMedia(ana, photo)
    const refusal = async (body: object) => {
      const { status, body: said } = await refused(share(id, body))
      return [status, said]
    }
    const policy = 'Policy confirmation is required for upload sharing'
    expect(await refusal({})).toEqual([400, { message: policy }])
    expect(await refusal({ tags: ['city'] })).toEqual([400, { message: policy }])
    const tag = 'At least one tag is required for upload sharing'
    expect(await refusal({ policyAgreed: true })).toEqual([400, { message: tag }])
    const [status, said] = await refusal({ policyAgreed: true, tags: ['city', 'nonsense'] })
    expect([status, said]).toMatchObject([400, { error: 'Validation Error' }])
    const eleven = Array.from({ length: 11 }, () => 'city')
    expect((await refusal({ policyAgreed: true, tags: eleven }))[0]).toBe(400)
    expect((await refusal({ policyAgreed: 'yes', tags: ['city'] }))[0]).toBe(400)
    expect(await records()).toEqual([])
    expect(await listed(ana, id)).toMatchObject({ isShared: false, shareCode: null })
  })

  test('a tool’s result needs neither tags nor policy', async () => {
    const id = await putMedia(ana, photo, 'made.jpg', 'smart-caption')
    expect((await share(id, {})).communityMediaId).toBeGreaterThan(0)
    expect((await refused(share(id, { tags: ['nonsense'] }))).status).toBe(400)
  })

  test('as adult needs a verified age; as not adult does not', async () => {
    const id = await putMedia(bo, photo)
    expect(await refused(share(id, published, bo))).toMatchObject({
      status: 403,
      body: { code: 'AGE_VERIFICATION_REQUIRED' },
    })
    expect(await records()).toEqual([])
    await share(id, { ...published, nsfw: false }, bo)
    expect(await records()).toMatchObject([{ nsfw: false }])
  })

  test('removes private metadata from the copy, its thumbnail and the thumbnails of the file', async () => {
    const id = await putMedia(ana, await privateJpeg({ orientation: 8, width: 1400, height: 900 }))
    await share(id)
    await world.runJobs()
    const keys = await keysIn(world, 'general')
    expect(keys).toHaveLength(2)
    for (const key of keys)
      expect(await privateTraces(await readStored(world, 'general', key)), key).toEqual([])
    const { thumbnails, width, height } = await listed(ana, id)
    expect([width, height]).toEqual([900, 1400])
    // Without a watermark the copy is not encoded again.
    const tools = await putMedia(ana, await privateJpeg(), 'made.jpg', 'smart-caption')
    const copy = await download(world, (await share(tools, {})).communityUrl!)
    expect(await privateTraces(copy)).toEqual([])
    expect(thumbnails.map((thumbnail) => thumbnail.width)).toEqual([320, 640])
    for (const { url } of thumbnails)
      expect(await privateTraces(await download(world, url))).toEqual([])
  })
})

describe('the watermark', () => {
  const animated = async (format: 'gif' | 'webp') => {
    const frames = await Promise.all(
      [1, 2].map((seed) => paint({ seed, width: 400, height: 300 }).png().toBuffer()),
    )
    const image = sharp(frames, { join: { animated: true } })
    return (format === 'gif' ? image.gif() : image.webp({ lossless: true })).toBuffer()
  }

  test.each([
    ['a JPEG', 'photo.jpg', () => plainJpeg()],
    ['a PNG', 'photo.png', () => paint().png().toBuffer()],
    ['a WebP', 'photo.webp', () => paint().webp({ lossless: true }).toBuffer()],
  ])('is on the copy of %s that was uploaded, and on its thumbnail', async (_, name, make) => {
    const bytes = await make()
    const { communityUrl } = await share(await putMedia(ana, bytes, name))
    const copy = await download(world, communityUrl!)
    const shades = (of: Uint8Array) => sharp(of).removeAlpha().resize(800, 600).raw().toBuffer()
    const [before, after] = [await shades(bytes), await shades(copy)]
    const changed = (from: number, to: number) => {
      let max = 0
      for (let at = from; at < to; at += 1)
        max = Math.max(max, Math.abs((before[at] ?? 0) - (after[at] ?? 0)))
      return max
    }
    expect(changed(0, before.length / 2)).toBeLessThan(30)
    expect(changed(before.length / 2, before.length)).toBeGreaterThan(60)
    expect((await sharp(copy).metadata()).format).toBe((await sharp(bytes).metadata()).format)
  })

  test.each([
    ['a GIF', 'photo.gif', 'general', () => animated('gif')],
    ['a WebP that moves', 'photo.webp', 'general', () => animated('webp')],
    ['what a tool has made', 'made.jpg', 'smart-caption', () => plainJpeg()],
    ['another tool’s', 'made.png', 'babecock', () => paint().png().toBuffer()],
  ] as const)('is not on %s', async (_, name, source, make) => {
    const bytes = await make()
    const { communityUrl } = await share(await putMedia(ana, bytes, name, source))
    expect((await download(world, communityUrl!)).equals(bytes)).toBe(true)
  })
})
