/**
 * Files without a row. Whatever happens to their writer, a row names each file in the end, or it is
 * deleted.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { atomically } from '../../src/server/database/atomically.ts'
import { recordOrigins } from '../../src/server/features/files/provenance.ts'
import {
  abandonFiles,
  claimFiles,
  copyUnclaimed,
  removeFiles,
  storeUnclaimed,
  sweepUnclaimedFiles,
} from '../../src/server/features/files/unclaimed-files.ts'
import type { FileAddress } from '../../src/server/platform/storage/storage.ts'
import { StorageUnreachable } from '../../src/server/platform/storage/storage.ts'
import { eventually } from '../support/eventually.ts'
import type { World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const hourMs = 3_600_000
const fileNamed = (name: string): FileAddress => ({ bucket: 'general', key: `test/${name}` })
const exists = async ({ bucket, key }: FileAddress) =>
  (await world.ctx.storage.stat(bucket, key)) !== null

test('an unclaimed file is swept at its time, not before', async () => {
  const file = fileNamed('forgotten')
  await storeUnclaimed(world.ctx, file, Buffer.from('x'))
  await sweepUnclaimedFiles(world.ctx)
  expect(await exists(file)).toBe(true)
  world.clock.advance(hourMs + 1000)
  await sweepUnclaimedFiles(world.ctx)
  expect(await exists(file)).toBe(false)
})

test('a file that was claimed stays', async () => {
  const file = fileNamed('named')
  await storeUnclaimed(world.ctx, file, Buffer.from('x'))
  await atomically(world.ctx, (ctx) => claimFiles(ctx, [file]))
  world.clock.advance(hourMs + 1000)
  await sweepUnclaimedFiles(world.ctx)
  expect(await exists(file)).toBe(true)
})

test('a temporary file is deleted at its time', async () => {
  const file = fileNamed('temporary')
  const removeAfter = new Date(world.clock.now().getTime() + 24 * hourMs)
  await storeUnclaimed(world.ctx, file, Buffer.from('x'), { removeAfter })
  world.clock.advance(23 * hourMs)
  await sweepUnclaimedFiles(world.ctx)
  expect(await exists(file)).toBe(true)
  world.clock.advance(2 * hourMs)
  await sweepUnclaimedFiles(world.ctx)
  expect(await exists(file)).toBe(false)
})

test('a claim after the sweep fails, so that no row names a missing file', async () => {
  const file = fileNamed('late')
  await storeUnclaimed(world.ctx, file, Buffer.from('x'))
  world.clock.advance(hourMs + 1000)
  await sweepUnclaimedFiles(world.ctx)
  await expect(atomically(world.ctx, (ctx) => claimFiles(ctx, [file]))).rejects.toThrow(
    'The sweep deleted a file',
  )
})

test('a failing source leaves neither a file nor a row', async () => {
  const file = fileNamed('broken')
  const failing = (async function* () {
    yield Buffer.from('half')
    throw new Error('broken off')
  })()
  await expect(storeUnclaimed(world.ctx, file, failing)).rejects.toThrow('broken off')
  expect(await exists(file)).toBe(false)
  expect(await linesOf(file)).toBe(0)
})

test('a file is deleted with the transaction that abandons it, and not without', async () => {
  const file = fileNamed('abandoned')
  await storeUnclaimed(world.ctx, file, Buffer.from('x'))
  await claimFiles(world.ctx, [file])
  const undone = atomically(world.ctx, async (ctx) => {
    await abandonFiles(ctx, [file])
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await removeFiles(world.ctx, [file])
  expect(await exists(file)).toBe(true)

  await atomically(world.ctx, (ctx) => abandonFiles(ctx, [file]))
  await removeFiles(world.ctx, [file])
  expect(await exists(file)).toBe(false)
  expect(await linesOf(file)).toBe(0)
})

test('files made from a file are known as long as it exists', async () => {
  const origin = fileNamed('origin')
  const copy = fileNamed('copy')
  await storeUnclaimed(world.ctx, origin, Buffer.from('x'))
  await copyUnclaimed(world.ctx, origin, copy)
  await atomically(world.ctx, async (ctx) => {
    await claimFiles(ctx, [origin, copy])
    await recordOrigins(ctx, copy, [origin])
  })
  const originsOf = ({ key }: FileAddress) =>
    world.ctx.db.selectFrom('file_origins').select('origin_key').where('key', '=', key).execute()
  expect(await originsOf(copy)).toEqual([{ origin_key: origin.key }])
  await abandonFiles(world.ctx, [copy])
  await removeFiles(world.ctx, [copy])
  expect(await originsOf(copy)).toEqual([])
})

test('a hanging storage holds no database connection', async () => {
  const files = Array.from({ length: 30 }, (_, n) => fileNamed(`hanging-${n}`))
  await abandonFiles(world.ctx, files)
  const hanging = Promise.withResolvers<void>()
  let asked = 0
  const storage = {
    ...world.ctx.storage,
    remove: () => {
      asked += 1
      return hanging.promise
    },
  }
  const removals = files.map((file) => removeFiles({ ...world.ctx, storage }, [file]))
  await eventually(() => expect(asked).toBe(files.length))
  expect(await world.visitor().classification.tags()).not.toEqual([])
  await expect(
    atomically(world.ctx, (ctx) => claimFiles(ctx, files.slice(0, 1))),
    'a file whose removal has begun',
  ).rejects.toThrow('The sweep deleted a file')
  hanging.resolve()
  await Promise.all(removals)
  for (const file of files) expect(await linesOf(file)).toBe(0)
})

test('a failed removal is repeated by the next sweep', async () => {
  const file = fileNamed('stubborn')
  await storeUnclaimed(world.ctx, file, Buffer.from('x'))
  const storage = {
    ...world.ctx.storage,
    remove: () => Promise.reject(new StorageUnreachable('away')),
  }
  await removeFiles({ ...world.ctx, storage }, [file])
  expect(await exists(file)).toBe(true)
  world.clock.advance(hourMs + 1000)
  await sweepUnclaimedFiles(world.ctx)
  expect(await exists(file)).toBe(false)
  expect(await linesOf(file)).toBe(0)
})

test('a transaction waits neither for the storage nor for a remote server', async () => {
  const file = fileNamed('unreachable')
  await expect(
    atomically(world.ctx, (ctx) => ctx.storage.stat(file.bucket, file.key)),
  ).rejects.toThrow('A transaction must not wait for the storage')
  await expect(
    atomically(world.ctx, (ctx) => ctx.fetch('http://far.test/', { maxBytes: 1 })),
  ).rejects.toThrow('A transaction must not wait for a remote server')
})

async function linesOf({ key }: FileAddress): Promise<number> {
  const lines = await world.ctx.db
    .selectFrom('unclaimed_files')
    .select('key')
    .where('key', '=', key)
    .execute()
  return lines.length
}
