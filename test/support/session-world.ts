/** A world with a feed that tests set, and helpers that create sessions and grant credits. */
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import type { Replica } from '../../src/server/database/replica.ts'
import type { Log } from '../../src/server/platform/log.ts'
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import type { FakeFeed } from './fake-feed.ts'
import { createFakeFeed } from './fake-feed.ts'
import type { Person, World } from './world.ts'
import { createWorld } from './world.ts'

export type SessionWorld = World & {
  readonly feed: FakeFeed
  readonly grant: (name: string, amount: number) => Promise<void>
  readonly make: (
    person: Person,
    change?: Record<string, unknown>,
  ) => ReturnType<Person['sessions']['create']>
  /** Creates a session and fills it. Returns its id as a path needs it. */
  readonly makeFilled: (person: Person, change?: Record<string, unknown>) => Promise<string>
}

export async function createSessionWorld(
  settings: Record<string, string> = {},
  options: {
    storage?: Storage
    givesOpenings?: boolean
    webFolder?: string
    database?: DatabaseHandle
    replica?: Replica
    log?: Log
  } = {},
): Promise<SessionWorld> {
  const feed = createFakeFeed()
  const world = await createWorld(settings, { ...options, feed })
  const make = (person: Person, change: Record<string, unknown> = {}) =>
    person.sessions.create({ body: { title: 'Evening', subfeeds: 'city', ...change } })
  return {
    ...world,
    feed,
    make,
    async reset() {
      feed.reset()
      await world.reset()
    },
    async grant(name, amount) {
      const admin = world.visitor()
      await admin.accounts.devSignIn()
      const { id } = await world.ctx.db
        .selectFrom('users')
        .select('id')
        .where('email', '=', `${name}@example.test`)
        .executeTakeFirstOrThrow()
      await admin.credits.grant({ params: { id }, body: { amount, reason: 'For tests' } })
    },
    async makeFilled(person, change = {}) {
      const { id } = await make(person, change)
      await world.runJobs()
      return String(id)
    },
  }
}
