/** A world whose sessions show pictures of a remote site, which loses them when a test says so. */
import { checkDueLinks } from '../../src/server/features/link-health/link-checks.ts'
import type { LinkSite } from './link-site.ts'
import { startLinkSite } from './link-site.ts'
import type { SessionWorld } from './session-world.ts'
import { createSessionWorld } from './session-world.ts'
import type { Person } from './world.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
export const gone = { status: 404 }

export type LinkWorld = SessionWorld & {
  readonly site: LinkSite
  readonly check: () => Promise<void>
  readonly checkAfter: (ms: number) => Promise<void>
  /** Creates a session of the first `count` posts of 'city', which then has `spare` more. */
  readonly fill: (person: Person, count: number, spare?: number) => Promise<string>
  /** Creates a session of chosen slides: paths on the site, or whole URLs. */
  readonly choose: (person: Person, addresses: readonly string[]) => Promise<string>
  /** Returns the paths on the site that the owner of a session sees. */
  readonly paths: (person: Person, id: string) => Promise<string[]>
  readonly brokenPaths: (person: Person, id: string) => Promise<string[]>
  /** Returns the events about links that the session's listeners received. */
  readonly told: (id: string) => Promise<unknown[]>
}

export async function createLinkWorld(): Promise<LinkWorld> {
  const site = await startLinkSite()
  const world = await createSessionWorld({ FETCH_ALLOW: site.host })
  const check = () => checkDueLinks(world.ctx)
  const read = async (person: Person, id: string) =>
    (await person.sessions.read({ params: { id } })).media
  const pathOf = ({ mediaUrl }: { mediaUrl: string | null }) =>
    (mediaUrl ?? '').replace(site.origin, '')
  return {
    ...world,
    site,
    check,
    checkAfter(ms) {
      world.clock.advance(ms)
      return check()
    },
    async fill(person, count, spare = 5) {
      const posts = site.posts('city', count + spare)
      world.feed.put('city', posts.slice(0, count))
      const id = await world.makeFilled(person)
      world.feed.put('city', posts)
      return id
    },
    async choose(person, addresses) {
      const slides = addresses.map((address) => ({
        mediaUrl: address.startsWith('http') ? address : `${site.origin}${address}`,
      }))
      const { session } = await person.sessions.createManual({ body: { title: 'Chosen', slides } })
      return String(session.id)
    },
    paths: async (person, id) => (await read(person, id)).map(pathOf),
    brokenPaths: async (person, id) =>
      (await read(person, id)).filter(({ isBroken }) => isBroken).map(pathOf),
    async told(id) {
      const events = await world.ctx.db
        .selectFrom('session_events')
        .select('data')
        .where('session_id', '=', Number(id))
        .where('type', '=', 'links_checked')
        .orderBy('seq')
        .execute()
      return events.map(({ data }) => data)
    },
    async reset() {
      site.reset()
      await world.reset()
    },
    async close() {
      await world.close()
      await site.close()
    },
  }
}
