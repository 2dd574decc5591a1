/** A world with a feed that tests decide, and two people with credits to make sessions. */
import type { FakeFeed } from './fake-feed.ts'
import { createFakeFeed } from './fake-feed.ts'
import type { Person, World } from './world.ts'
import { createWorld } from './world.ts'

export type SessionWorld = World & {
  readonly feed: FakeFeed
  readonly grant: (name: string, amount: number) => Promise<void>
  /** Makes a session and fills it; its id as a path wants it. */
  readonly makeFilled: (person: Person, change?: Record<string, unknown>) => Promise<string>
}

export async function createSessionWorld(
  settings: Record<string, string> = {},
): Promise<SessionWorld> {
  const feed = createFakeFeed()
  const world = await createWorld(settings, { feed })
  return {
    ...world,
    feed,
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
      const body = { title: 'Evening', subfeeds: 'city', ...change }
      const { id } = await person.sessions.create({ body })
      await world.runJobs()
      return String(id)
    },
  }
}
