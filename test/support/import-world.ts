/** A world with remote sites under host names: feeds and posts reject loopback addresses. */
import { createSafeFetch } from '../../src/server/platform/fetch/safe-fetch.ts'
import type { CommunityWorld } from './community-world.ts'
import { createCommunityWorld } from './community-world.ts'
import { answering } from './loopback-site.ts'

export type ImportWorld = CommunityWorld & {
  /** The remote site with pictures, by its host name. */
  readonly pictures: string
  /** Allows further hosts until the next reset. */
  readonly letThrough: (...hosts: string[]) => void
}

export async function createImportWorld(): Promise<ImportWorld> {
  const world = await createCommunityWorld()
  const pictures = `http://pictures.example:${world.site.host.split(':')[1]}`
  const letThrough = (...hosts: string[]) => {
    const allow = [world.site.host, new URL(pictures).host, ...hosts]
    const lookup = answering(['127.0.0.1'])
    Object.assign(world.ctx, { fetch: createSafeFetch({ allow, lookup }) })
    Object.assign(world.ctx.config, { fetchAllow: allow })
  }
  return {
    ...world,
    pictures,
    letThrough,
    async reset() {
      await world.reset()
      letThrough()
    },
  }
}
