/** Enrichment of vault files when the files, the storage or the workers fail (contract, section 2). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sweepUnclaimedFiles } from '../../src/server/features/files/unclaimed-files.ts'
import { makeRendition } from '../../src/server/features/renditions/make-rendition.ts'
import { enrich } from '../../src/server/features/vault/enrich/enrich.ts'
import { releaseEnrichments } from '../../src/server/features/vault/enrich/enrichment-jobs.ts'
import { runJob } from '../../src/server/jobs/job.ts'
import { StorageUnreachable } from '../../src/server/platform/storage/storage.ts'
import { plainJpeg, privateJpeg } from '../support/sample-media.ts'
import {
  clearShelves,
  download,
  holdNextRead,
  keysIn,
  listed,
  putMedia,
  unclaimedKeys,
} from '../support/vault-media.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: World
let ana: Person

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(async () => {
  await clearShelves(world)
  ana = await world.as('ana')
})
afterEach(() => void vi.restoreAllMocks())
afterAll(() => world.close())

const minuteMs = 60_000
const rowOf = (id: string) =>
  world.ctx.db
    .selectFrom('vault_media')
    .selectAll()
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()

/** Runs the due jobs and their retries, until a job would have no retries left. */
async function runThroughRetries(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await world.runJobs()
    world.clock.advance(2 * minuteMs)
  }
}

describe('a file that cannot be read', () => {
  const waysToShare = [
    { shareToCommunity: false },
    { policyAgreed: true, tags: ['city'], nsfw: false },
  ]
  const broken = async () => {
    const whole = await plainJpeg()
    return Buffer.concat([whole.subarray(0, 700), Buffer.alloc(400, 0x55)])
  }

  test('has three tries, then has failed and stays failed', async () => {
    const id = await putMedia(ana, await plainJpeg())
    // An upload that cannot be decoded is refused. This file broke in the storage.
    await world.ctx.storage.put('user-media', (await rowOf(id)).file_path, await broken())
    const seen: string[] = []
    for (let round = 0; round < 5; round += 1) {
      await world.runJobs()
      const row = await rowOf(id)
      seen.push(`${row.enrichment_status} ${row.enrichment_tries}`)
      world.clock.advance(2 * minuteMs)
    }
    expect(seen).toEqual(['pending 1', 'pending 2', 'failed 3', 'failed 3', 'failed 3'])
    const row = await rowOf(id)
    expect(row.metadata).toMatchObject({ enrichmentError: 'picture: broken' })
    expect(row.enriched_at).toBeNull()
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('is not read again when it is shared', async () => {
    const id = await putMedia(ana, await plainJpeg())
    await world.ctx.storage.put('user-media', (await rowOf(id)).file_path, await broken())
    await runThroughRetries()
    const read = vi.spyOn(world.ctx.storage, 'read')
    for (const body of waysToShare) {
      const { status, message } = await refused(ana.vault.share({ params: { id }, body }))
      expect([status, message]).toEqual([400, expect.stringMatching(/cannot be decoded/)])
    }
    expect(read).not.toHaveBeenCalled()
    read.mockRestore()
  })

  test.each(waysToShare)('is shared once a later try could read it: %o', async (body) => {
    const id = await putMedia(ana, await plainJpeg())
    const { file_path: path } = await rowOf(id)
    await world.ctx.storage.put('user-media', path, await broken())
    await world.runJobs()
    expect(await rowOf(id)).toMatchObject({ enrichment_status: 'pending', enrichment_tries: 1 })
    await world.ctx.storage.put('user-media', path, await plainJpeg())
    const { shareCode } = await ana.vault.share({ params: { id }, body })
    expect(shareCode).toEqual(expect.any(String))
  })

  test('that is missing fails as well', async () => {
    const id = await putMedia(ana, await plainJpeg())
    await world.ctx.storage.remove('user-media', (await rowOf(id)).file_path)
    await runThroughRetries()
    expect(await rowOf(id)).toMatchObject({
      enrichment_status: 'failed',
      metadata: { enrichmentError: 'the file is missing' },
    })
  })

  test('because the storage is unreachable waits for it, and no try is counted', async () => {
    const id = await putMedia(ana, await plainJpeg())
    const away = vi
      .spyOn(world.ctx.storage, 'stat')
      .mockRejectedValue(new StorageUnreachable('away'))
    for (let round = 0; round < 5; round += 1) {
      await world.runJobs()
      world.clock.advance(2 * minuteMs)
    }
    expect(await rowOf(id)).toMatchObject({ enrichment_status: 'pending', enrichment_tries: 0 })
    away.mockRestore()
    await world.runJobs()
    expect(await rowOf(id)).toMatchObject({ enrichment_status: 'completed' })
  })
})

describe('a worker that dies', () => {
  const sweep = () => runJob(world.ctx, releaseEnrichments, {})
  const dieAt = (id: string) =>
    world.ctx.db
      .updateTable('vault_media')
      .set((row) => ({
        enrichment_status: 'processing',
        enrichment_tries: row('enrichment_tries', '+', 1),
        enrichment_started_at: world.clock.now(),
      }))
      .where('id', '=', Number(id))
      .execute()

  test('leaves its item pending again, and another worker finishes it', async () => {
    const id = await putMedia(ana, await plainJpeg())
    await dieAt(id)
    await world.runJobs()
    await sweep()
    expect(await rowOf(id)).toMatchObject({ enrichment_status: 'processing' })
    world.clock.advance(6 * minuteMs)
    await sweep()
    expect(await rowOf(id)).toMatchObject({ enrichment_status: 'pending', enrichment_tries: 1 })
    await world.runJobs()
    expect(await rowOf(id)).toMatchObject({ enrichment_status: 'completed', enrichment_tries: 2 })
  })

  test('leaves its job to another, which takes the item over after a silence', async () => {
    const id = await putMedia(ana, await plainJpeg())
    await dieAt(id)
    await enrich(world.ctx, Number(id))
    expect(await rowOf(id)).toMatchObject({ enrichment_status: 'processing', enrichment_tries: 1 })
    world.clock.advance(6 * minuteMs)
    await enrich(world.ctx, Number(id))
    expect(await rowOf(id)).toMatchObject({ enrichment_status: 'completed', enrichment_tries: 2 })
  })

  test('three times leaves it failed', async () => {
    const id = await putMedia(ana, await plainJpeg())
    for (let death = 1; death <= 3; death += 1) {
      await dieAt(id)
      world.clock.advance(6 * minuteMs)
      await sweep()
    }
    await runThroughRetries()
    expect(await rowOf(id)).toMatchObject({
      enrichment_status: 'failed',
      metadata: { enrichmentError: 'interrupted' },
    })
  })

  test('and was only slow takes nothing from its successor', async () => {
    const id = await putMedia(ana, await plainJpeg({ width: 700, height: 500 }))
    const { begun, release } = holdNextRead(world)
    const slow = enrich(world.ctx, Number(id)).catch(() => 'failed')
    await begun
    world.clock.advance(6 * minuteMs)
    await enrich(world.ctx, Number(id))
    expect(await rowOf(id)).toMatchObject({ enrichment_status: 'completed', enrichment_tries: 2 })
    release()
    await slow
    world.clock.advance(120 * minuteMs)
    await sweepUnclaimedFiles(world.ctx)
    const { thumbnails } = await listed(ana, id)
    expect(thumbnails).toHaveLength(2)
    for (const { url } of thumbnails) await download(world, url)
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('deleting an item during its examination leaves nothing behind', async () => {
    const id = await putMedia(ana, await privateJpeg({ width: 700, height: 500 }))
    const { begun, release } = holdNextRead(world)
    const slow = enrich(world.ctx, Number(id)).catch(() => 'failed')
    await begun
    await ana.vault.remove({ params: { id } })
    release()
    await slow
    await world.runJobs()
    expect(await keysIn(world, 'user-media')).toEqual([])
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test.each([enrichTask, renditionTask])(
    'an item that is deleted during the work has not failed: %o',
    async (task) => {
      const id = await putMedia(ana, await privateJpeg({ width: 700, height: 500 }))
      const work = await task(id)
      const { begun, release } = holdNextRead(world)
      const running = work()
      await begun
      await ana.vault.remove({ params: { id } })
      release()
      expect(await running).toBe('done')
    },
  )
})

async function enrichTask(id: string) {
  return () => enrich(world.ctx, Number(id))
}

async function renditionTask(id: string) {
  await enrich(world.ctx, Number(id))
  const file = await world.ctx.db
    .selectFrom('media_renditions')
    .select(['bucket', 'key'])
    .executeTakeFirstOrThrow()
  return () => makeRendition(world.ctx, file)
}
