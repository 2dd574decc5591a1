/** The results of enhancement. Only their owner can use them. */
import { describe, expect, test, vi } from 'vitest'
import { StorageUnreachable } from '../../src/server/platform/storage/storage.ts'
import type { EnhancementWorld } from '../support/enhancement-world.ts'
import { createEnhancementWorld, pictureFile } from '../support/enhancement-world.ts'
import { eventually } from '../support/eventually.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: EnhancementWorld
let ana: Person
let bo: Person

useWorld(createEnhancementWorld, async (fresh) => {
  world = fresh
  ana = await world.enhancer('ana')
  bo = await world.enhancer('bo')
})

const generate = async (format: 'jpeg' | 'png' | 'webp' = 'png') =>
  ana.enhancement.generate({ form: { image: await pictureFile({ format }), quality: 'low' } })

describe('downloading', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('returns the exact file, as %s', async (format) => {
    const { generationId, resultUrl } = await generate(format)
    const response = await ana.fetch(`/api/enhance/${generationId}/download`, { method: 'POST' })
    expect(response.status).toBe(200)
    const extension = format === 'jpeg' ? 'jpg' : format
    expect(response.headers.get('content-type')).toBe(`image/${format}`)
    expect(response.headers.get('content-disposition')).toContain(
      `attachment; filename="enhanced-${generationId}.${extension}"`,
    )
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    const shown = await world.visitor().fetch(resultUrl)
    expect(bytes).toEqual(new Uint8Array(await shown.arrayBuffer()))
  })

  test('is for its owner, once it is completed', async () => {
    const { generationId } = await generate()
    const params = { id: String(generationId) }
    await ana.enhancement.download({ params })
    const absent = { status: 404, body: { error: 'Generation not found', code: 'NOT_FOUND' } }
    expect(await refused(bo.enhancement.download({ params }))).toMatchObject(absent)
    expect(await refused(ana.enhancement.download({ params: { id: '999' } }))).toMatchObject(absent)
    world.behave({ provider_a: 'fails', provider_b: 'fails' })
    await refused(generate())
    const [, failed] = await world.records('ana')
    const failedParams = { id: String(failed!.id) }
    expect(await refused(ana.enhancement.download({ params: failedParams }))).toMatchObject(absent)
    world.behave({ provider_a: 'works' })
    const held = world.holdProviders()
    const running = generate()
    await eventually(() => expect(held.entered()).toBe(1))
    const [, , pending] = await world.records('ana')
    const pendingParams = { id: String(pending!.id) }
    expect(await refused(ana.enhancement.download({ params: pendingParams }))).toMatchObject(absent)
    held.release()
    await running
  })

  test('of a deleted file is 404', async () => {
    const { generationId } = await generate()
    const [record] = await world.records('ana')
    await world.ctx.storage.remove('user-media', record!.result_path!)
    const params = { id: String(generationId) }
    expect((await refused(ana.enhancement.download({ params }))).status).toBe(404)
    const body = { generationId }
    expect((await refused(ana.enhancement.saveResult({ body }))).status).toBe(404)
    expect(await world.ctx.db.selectFrom('unclaimed_files').selectAll().execute()).toEqual([])
  })
})

test('a quarantined result can be neither downloaded nor saved', async () => {
  const { generationId } = await generate()
  const [record] = await world.records('ana')
  const { id } = await world.ctx.db
    .insertInto('takedowns')
    .values({ state: 'hidden', is_quarantine: true, created_at: world.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const hidden = { bucket: 'user-media' as const, key: record!.result_path!, takedown_id: id }
  await world.ctx.db.insertInto('hidden_files').values(hidden).execute()
  const params = { id: String(generationId) }
  expect((await refused(ana.enhancement.download({ params }))).status).toBe(404)
  expect((await refused(ana.enhancement.saveResult({ body: { generationId } }))).status).toBe(404)
})

test('an unreachable storage is reported, and nothing is half saved', async () => {
  const { generationId } = await generate()
  const { storage } = world.ctx
  const down = new StorageUnreachable('no disk')
  const spies = [
    vi.spyOn(storage, 'stat').mockRejectedValue(down),
    vi.spyOn(storage, 'copy').mockRejectedValue(down),
  ]
  const params = { id: String(generationId) }
  const answers = [
    await refused(ana.enhancement.download({ params })),
    await refused(ana.enhancement.saveResult({ body: { generationId } })),
  ]
  for (const spy of spies) spy.mockRestore()
  for (const { status, body } of answers)
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'STORAGE_UNREACHABLE' } })
  expect((await ana.vault.list()).totalCount).toBe(0)
  expect(await world.ctx.db.selectFrom('unclaimed_files').selectAll().execute()).toEqual([])
})

describe('saving', () => {
  test('saves it to the vault once, however often it is requested', async () => {
    const { generationId } = await generate('jpeg')
    const body = { generationId }
    const saves = await Promise.all(
      Array.from({ length: 5 }, () => ana.enhancement.saveResult({ body })),
    )
    const [first] = saves
    expect(saves).toEqual(Array.from({ length: 5 }, () => first))
    expect(await ana.enhancement.saveResult({ body })).toEqual(first)
    const { files, totalCount } = await ana.vault.list()
    expect(totalCount).toBe(1)
    expect(files[0]).toMatchObject({
      id: first!.mediaId,
      category: 'upload',
      name: `enhanced-${generationId}.jpg`,
      width: 80,
      height: 60,
    })
    expect(files[0]?.path).toContain(`users/${await world.idOf('ana')}/Uploads/`)
    const shown = await world.visitor().fetch(files[0]!.url)
    expect(shown.headers.get('content-type')).toBe('image/jpeg')
    expect(Number(shown.headers.get('content-length'))).toBe(files[0]!.size)
    const [origin] = await world.ctx.db
      .selectFrom('file_origins')
      .select('origin_key')
      .where('key', '=', files[0]!.path)
      .execute()
    expect(origin?.origin_key).toBe((await world.records('ana'))[0]!.result_path)
    expect(await world.ctx.db.selectFrom('unclaimed_files').selectAll().execute()).toEqual([])
  })

  test('again after its media was deleted creates another', async () => {
    const { generationId } = await generate()
    const body = { generationId }
    const { mediaId } = await ana.enhancement.saveResult({ body })
    await ana.vault.remove({ params: { id: String(mediaId) } })
    const again = await ana.enhancement.saveResult({ body })
    expect(again.mediaId).not.toBe(mediaId)
  })

  test('is for its owner, and for existing results', async () => {
    const { generationId } = await generate()
    for (const [person, id] of [
      [bo, generationId],
      [ana, 999],
    ] as const) {
      const { status } = await refused(
        person.enhancement.saveResult({ body: { generationId: id } }),
      )
      expect(status).toBe(404)
    }
    for (const id of [0, -1, 1.5, 2 ** 31, '1'])
      expect(
        (await refused(ana.enhancement.saveResult({ body: { generationId: id as number } })))
          .status,
      ).toBe(400)
    expect((await bo.vault.list()).totalCount).toBe(0)
  })
})

describe('what was enhanced lately', () => {
  test('is listed for its owner with its outcome, and with the rest of the limits', async () => {
    expect(await ana.enhancement.recent()).toMatchObject({
      today: { used: 0, limit: 30 },
      atOnce: { used: 0, limit: 3 },
      items: [],
    })
    const { generationId, resultUrl } = await generate()
    const { mediaId } = await ana.enhancement.saveResult({ body: { generationId } })
    world.behave({ provider_a: 'fails', provider_b: 'fails' })
    await refused(generate())
    world.behave({ provider_a: 'works' })
    const held = world.holdProviders()
    const running = generate()
    await eventually(() => expect(held.entered()).toBe(1))
    const { today, atOnce, items } = await ana.enhancement.recent()
    expect([today.used, atOnce.used]).toEqual([2, 1])
    expect(items).toMatchObject([
      { status: 'pending', resultUrl: null, isRefunded: false },
      { status: 'failed', resultUrl: null, isRefunded: true, mediaId: null },
      { id: generationId, status: 'completed', resultUrl, isRefunded: false, mediaId },
    ])
    expect((await bo.enhancement.recent()).items).toEqual([])
    held.release()
    await running
  })
})
