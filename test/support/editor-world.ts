/** A service with its web client, a site with pictures, and a browser for editing. */
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { openBrowser } from './browser.ts'
import { servePictures } from './caption-world.ts'
import { visitAs } from './editor-visit.ts'
import type { Person, World } from './world.ts'
import { createWorld } from './world.ts'

export type EditorWorld = World & {
  readonly site: Awaited<ReturnType<typeof servePictures>>
  /** Closed before the next test. */
  readonly visit: (person: Person, options: BrowserContextOptions) => ReturnType<typeof visitAs>
}

export async function createEditorWorld(): Promise<EditorWorld> {
  await buildWebIfStale({ print: () => {} })
  const site = await servePictures()
  const webFolder = join(import.meta.dirname, '../../dist/web')
  const world = await createWorld({ FETCH_ALLOW: site.host }, { webFolder })
  const browser = await openBrowser()
  const contexts: BrowserContext[] = []
  return {
    ...world,
    site,
    async visit(person, options) {
      const visited = await visitAs(browser, person, world.url, options)
      contexts.push(visited.context)
      return visited
    },
    async reset() {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
      await world.reset()
    },
    async close() {
      await browser.close()
      await world.close()
      await site.close()
    },
  }
}
