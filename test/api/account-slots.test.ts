/** The limit on how many slots an account has at a time, on one node or on several. */
import { expect, test } from 'vitest'
import { acquireSlot, slotLeaseMs } from '../../src/server/leases/account-slots.ts'
import { useWorld } from '../support/use-world.ts'
import { userIdOf } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let ana: Person
let userId: string

useWorld(createWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
  userId = await userIdOf(ana)
})

const acquire = (kind = 'export', atMost = 2) => acquireSlot(world.ctx, { kind, userId, atMost })
const rows = () => world.ctx.db.selectFrom('account_slots').select('slot').execute()

test('concurrent requests get exactly as many slots as there are', async () => {
  const slots = await Promise.all(Array.from({ length: 12 }, () => acquire()))
  expect(slots.filter((slot) => slot !== null)).toHaveLength(2)
  expect(await acquire()).toBeNull()
  expect(await acquire('another kind')).not.toBeNull()
  const boId = await userIdOf(await world.as('bo'))
  expect(await acquireSlot(world.ctx, { kind: 'export', userId: boId, atMost: 2 })).not.toBeNull()
})

test('a released slot can be taken again, and is released only once', async () => {
  const [first, second] = [await acquire(), await acquire()]
  await first?.release()
  const third = await acquire()
  expect(third).not.toBeNull()
  await first?.release()
  expect(await acquire()).toBeNull()
  await Promise.all([second?.release(), third?.release()])
  expect(await rows()).toEqual([])
})

test('the slot of a dead node is free when its lease ends, and the node cannot renew it', async () => {
  const [first] = [await acquire(), await acquire()]
  world.clock.advance(slotLeaseMs - 1000)
  expect(await acquire()).toBeNull()
  world.clock.advance(2000)
  const next = [await acquire(), await acquire()]
  expect(next).not.toContain(null)
  // The dead node returns. Its release does not free the slot that another holder has now.
  await first?.release()
  expect(await acquire()).toBeNull()
})

test('a deleted account frees its slots', async () => {
  expect(await acquire()).not.toBeNull()
  const { email } = await ana.accounts.currentUser()
  await ana.accounts.deleteAccount({ body: { confirm: email } })
  expect(await rows()).toEqual([])
})
