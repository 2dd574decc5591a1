/**
 * The job that makes sizes of pictures: accounts take turns, older pictures are backfilled, and faults
 * are retried.
 */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sweepRenditions } from '../../src/server/features/renditions/rendition-jobs.ts'
import { runJob } from '../../src/server/jobs/job.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld, publishManual } from '../support/community-world.ts'
import { addressesOf, allWidths, showWide, slidesOf, wide } from '../support/rendition-world.ts'
import { paint, plainJpeg } from '../support/sample-media.ts'
import { useWorld } from '../support/use-world.ts'
import { putMedia, unclaimedKeys } from '../support/vault-media.ts'
import { userIdOf } from '../support/vault-world.ts'
import type { Person } from '../support/world.ts'

let world: CommunityWorld
let ana: Person

useWorld(createCommunityWorld, async (fresh) => {
  world = fresh
  ana = await world.adult('ana')
})

const minuteMs = 60_000
const sweep = () => runJob(world.ctx, sweepRenditions, {})

const renditions = () =>
  world.ctx.db
    .selectFrom('media_renditions')
    .select(['key', 'bucket', 'status', 'tries'])
    .orderBy('key')
    .execute()

const waitingJobs = async () => {
  const { rows } = await sql<{ account: string; isLast: boolean }>`
    select group_id as account, priority < -500000000 as "isLast" from pgboss.job
    where name = 'make-rendition' and state = 'created' order by group_id`.execute(world.ctx.db)
  return rows
}

const backfills = async () =>
  (await world.ctx.db.selectFrom('rendition_backfills').select('source').execute()).map(
    ({ source }) => source,
  )

/** Removes all sizes, as if every picture were older than this feature. */
async function forgetRenditions(): Promise<void> {
  await sql`delete from media_renditions`.execute(world.ctx.db)
  await sql`delete from unclaimed_files`.execute(world.ctx.db)
  await sql`insert into rendition_backfills (source) values ('vault'), ('slides'), ('published')
    on conflict do nothing`.execute(world.ctx.db)
}

/** Shows a picture whose sizes are still missing. */
async function showUnmade(person: Person, bytes?: Uint8Array) {
  const picture = bytes ?? (await paint(wide).jpeg().toBuffer())
  const mediaId = await putMedia(person, picture)
  const { session } = await person.sessions.createManual({
    body: { title: 'New', slides: [{ mediaId: Number(mediaId) }] },
  })
  return String(session.id)
}

describe('existing pictures', () => {
  test('get their sizes gradually, behind everything new', async () => {
    const { sessionId } = await showWide(world, ana)
    const published = await publishManual(world, ana)
    const bo = await world.adult('bo')
    const saved = await bo.community.save({ params: { id: published.id } })
    await world.runJobs()
    const before = await slidesOf(ana, sessionId)
    await forgetRenditions()
    expect((await slidesOf(ana, sessionId))[0]).toMatchObject({ sizes: null, focus: null })
    await sweep()
    const ids = [await userIdOf(ana), await userIdOf(bo)]
    // For the first account one in the vault and three published; for the second, three saved.
    const accounts = [...Array<string>(4).fill(ids[0]!), ...Array<string>(3).fill(ids[1]!)]
    expect(await waitingJobs()).toEqual(
      accounts.toSorted().map((account) => ({ account, isLast: true })),
    )
    expect(await backfills()).toEqual([])
    await world.runJobs()
    const [slide] = await slidesOf(ana, sessionId)
    expect(Object.keys(slide!.sizes ?? {})).toEqual(allWidths)
    expect(slide!.focus).toEqual(before[0]!.focus)
    for (const slides of [
      await slidesOf(bo, String(saved.sessionId)),
      (await bo.community.open({ params: { id: published.id } })).media,
    ])
      expect(addressesOf(slides)).toHaveLength(2)
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('wait while the queue is long', async () => {
    await showWide(world, ana)
    await forgetRenditions()
    await sql`insert into media_renditions (bucket, key, user_id)
      select 'user-media', 'users/x/' || n, ${await userIdOf(ana)} from generate_series(1, 400) n`.execute(
      world.ctx.db,
    )
    await sweep()
    expect(await waitingJobs()).toEqual([])
    expect(await backfills()).toHaveLength(3)
  })
})

test('each account’s work is separate, and runs once however often it is requested', async () => {
  const bo = await world.adult('bo')
  await showUnmade(ana)
  await showUnmade(bo)
  await sweepVaultAgain()
  const accounts = [await userIdOf(ana), await userIdOf(bo)].toSorted()
  expect(await waitingJobs()).toEqual(accounts.map((account) => ({ account, isLast: false })))
})

/** Runs the backfill again. Every size was enqueued with its file, so it finds nothing. */
async function sweepVaultAgain(): Promise<void> {
  await sql`insert into rendition_backfills (source) values ('vault') on conflict do nothing`.execute(
    world.ctx.db,
  )
  await sweep()
}

describe('a failing try', () => {
  test('because of the storage is repeated later, and does not count', async () => {
    const id = await showUnmade(ana)
    world.storageFaults.writesLeft = 0
    await world.runJobs()
    expect(await renditions()).toMatchObject([{ status: 'pending', tries: 0 }])
    expect(await slidesOf(ana, id)).toMatchObject([{ sizes: null }])
    world.storageFaults.writesLeft = Infinity
    world.clock.advance(2 * minuteMs)
    await world.runJobs()
    expect(addressesOf(await slidesOf(ana, id))).toHaveLength(4)
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('because of the picture is repeated three times, and the slide stays as it is', async () => {
    const id = await showUnmade(ana)
    const [file] = await renditions()
    const whole = await plainJpeg({ width: 2000, height: 1000 })
    const broken = Buffer.concat([whole.subarray(0, 900), Buffer.alloc(400, 0x55)])
    await world.ctx.storage.put(file!.bucket, file!.key, broken)
    for (let round = 0; round < 4; round += 1) {
      await world.runJobs()
      world.clock.advance(2 * minuteMs)
    }
    expect(await renditions()).toMatchObject([{ status: 'failed', tries: 3 }])
    const [slide] = await slidesOf(ana, id)
    expect(slide).toMatchObject({ sizes: null, focus: null, type: 'image' })
    await sweep()
    expect(await world.runJobs()).toBe(0)
    expect(await unclaimedKeys(world)).toEqual([])
  })

  test('whose worker died is repeated by a sweep, three times in all', async () => {
    await showUnmade(ana)
    const begin = (tries: number) =>
      sql`update media_renditions set status = 'processing', tries = ${tries},
        started_at = ${world.clock.now()}`.execute(world.ctx.db)
    await begin(1)
    await sweep()
    expect(await renditions()).toMatchObject([{ status: 'processing', tries: 1 }])
    world.clock.advance(6 * minuteMs)
    await sweep()
    expect(await renditions()).toMatchObject([{ status: 'pending', tries: 1 }])
    await begin(3)
    world.clock.advance(6 * minuteMs)
    await sweep()
    expect(await renditions()).toMatchObject([{ status: 'failed', tries: 3 }])
  })
})

test('an address that a user entered reveals nothing about the file', async () => {
  const { sessionId } = await showWide(world, ana)
  const [shown] = await slidesOf(ana, sessionId)
  const carl = await world.as('carl')
  const whole = shown!.mediaUrl ?? ''
  const [path = ''] = whole.split('?')
  const slides = [path, `${path}?s=${'A'.repeat(24)}`, whole].map((mediaUrl) => ({
    mediaUrl,
  }))
  const { media } = await carl.sessions.createManual({ body: { title: 'Guessed', slides } })
  for (const slide of media)
    expect(slide).toMatchObject({ sizes: null, focus: null, lengthMs: null })
})
