/** One account's files that take long to enrich do not delay another account's files. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { plainJpeg } from '../support/sample-media.ts'
import { listed, putMedia } from '../support/vault-media.ts'
import { userIdOf } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let ana: Person
let bo: Person

beforeAll(async () => {
  world = await createWorld()
  ana = await world.as('ana')
  bo = await world.as('bo')
})
afterAll(() => world.close())

/** Makes all reads of an account's pictures wait. */
function holdReads(userId: string) {
  const { storage } = world.ctx
  const gate = Promise.withResolvers<void>()
  const waiting: string[] = []
  const read = storage.read.bind(storage)
  const spy = vi.spyOn(storage, 'read').mockImplementation(async (bucket, key, range) => {
    if (key.startsWith(`users/${userId}/`)) {
      waiting.push(key)
      await gate.promise
    }
    return read(bucket, key, range)
  })
  return { waiting, release: gate.resolve, restore: () => spy.mockRestore() }
}

test('ten hanging pictures of one account do not block another’s picture', async () => {
  const jpeg = await plainJpeg()
  const hers: string[] = []
  for (let index = 0; index < 10; index += 1) hers.push(await putMedia(ana, jpeg, `${index}.jpg`))
  // Only now, because an upload reads the file too.
  const { waiting, release, restore } = holdReads(await userIdOf(ana))
  onTestFinished(() => {
    release()
    restore()
  })
  await world.ctx.queue.work(world.ctx)
  await eventually(() => expect(waiting).toHaveLength(1))
  const his = await putMedia(bo, jpeg)
  await eventually(async () => expect((await listed(bo, his)).enrichmentStatus).toBe('completed'))
  // One of Ana's files started. Her others wait for it, not for Bo's.
  expect(waiting).toHaveLength(1)
  release()
  await eventually(async () => {
    const { files } = await ana.vault.list()
    expect(files.map(({ enrichmentStatus }) => enrichmentStatus)).toEqual(
      hers.map(() => 'completed'),
    )
  })
})
