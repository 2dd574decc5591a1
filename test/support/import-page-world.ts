/** A service that may fetch from the test's own remote site, and browsers for imports. */
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { createSafeFetch } from '../../src/server/platform/fetch/safe-fetch.ts'
import { desktop } from './accessibility.ts'
import { openBrowser } from './browser.ts'
import { visitAs } from './editor-visit.ts'
import { imgchestToken, serveImgchest, type TestPost } from './imgchest-server.ts'
import { startImportSite } from './import-site.ts'
import { answering } from './loopback-site.ts'
import { createWorld, type Person } from './world.ts'

export type ImportPageWorld = Awaited<ReturnType<typeof createImportPageWorld>>

export async function createImportPageWorld() {
  await buildWebIfStale({ print: () => {} })
  const site = await startImportSite()
  const webFolder = join(import.meta.dirname, '../../dist/web')
  const world = await createWorld({ FETCH_ALLOW: site.host }, { webFolder })
  const letThrough = (...hosts: string[]) => {
    const allow = [site.host, new URL(site.postedUrl('/')).host, ...hosts]
    const fetch = createSafeFetch({ allow, lookup: answering(['127.0.0.1']) })
    Object.assign(world.ctx, { fetch })
    Object.assign(world.ctx.config, { fetchAllow: allow })
  }
  letThrough()
  const browser = await openBrowser()
  const contexts: BrowserContext[] = []
  return {
    ...world,
    site,
    /** Adds an imgchest server with these posts. */
    async bringImgchest(posts: Record<string, TestPost>) {
      const server = await serveImgchest(posts)
      letThrough(server.host)
      const imgchest = { apiUrl: server.origin, token: imgchestToken }
      Object.assign(world.ctx.config, { imgchest })
    },
    /** Opens a browser for a person and collects its errors. */
    async visit(person: Person) {
      const visited = await visitAs(browser, person, world.url, { viewport: desktop })
      contexts.push(visited.context)
      return visited
    },
    /** Imports a session of two pictures and copies them. Returns its id. */
    async importWhole(person: Person, title: string): Promise<number> {
      const urls = [site.url('/1.jpg'), site.url('/2.jpg')]
      const { session } = await person.imports.importSession({ body: { title, urls } })
      await world.runJobs()
      return session.id
    },
    async closeVisits() {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
    },
    async close() {
      await browser.close()
      await world.close()
      await site.close()
    },
  }
}
