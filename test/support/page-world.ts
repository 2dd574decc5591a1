/**
 * The real service with its demo feed, three users with credits, and browsers, for tests of the pages. It
 * runs in this process, whose modules are already compiled; a new process for each file would spend most of
 * its time on that. The demo pictures are sketches; a painting is only painted when it is requested.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { parseConfig } from '../../src/server/config/config.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { startNode } from '../../src/server/node.ts'
import { openBrowser } from './browser.ts'
import { layDemoSketches } from './demo-sketches.ts'
import { eventually } from './eventually.ts'
import { unlimited } from './service-process.ts'
import { copyTemplate } from './test-database.ts'
import { createVisits } from './visits.ts'
import { cheapPasswords, testLog } from './world.ts'

export type PageWorld = Awaited<ReturnType<typeof createPageWorld>>

const picture3to2 = { width: 300, height: 200, channels: 3, background: '#a60' } as const

export async function createPageWorld(
  settings: Record<string, string> = {},
  /**
   * New accounts start as on a real site; by default they start empty, so that a test knows their content.
   */
  options: {
    givesOpenings?: boolean
    /** Another build of the client. */
    webFolder?: string
  } = {},
) {
  await buildWebIfStale({ print: () => {} })
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-pages-'))
  await layDemoSketches(join(folder, 'data'))
  const config = parseConfig({
    ...unlimited,
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    FEED: 'demo',
    DATABASE_URL: await copyTemplate(),
    ...settings,
  })
  const service = await startNode(config, {
    webFolder: options.webFolder ?? join(import.meta.dirname, '../../dist/web'),
    worksOnJobs: true,
    givesDemoSessions: true,
    replacements: {
      log: testLog(),
      passwordCost: cheapPasswords,
      ...(options.givesOpenings ? {} : { giveOpening: async () => {} }),
    },
  })
  const browser: Browser = await openBrowser()
  const visits = createVisits(browser, service.url)

  /** Creates a session by a request and waits until it is filled. Returns its id. */
  async function makeSession({ request }: Pick<Page, 'request'>, title: string): Promise<number> {
    const answer = await request.post(`${service.url}/api/sessions`, {
      data: { title, subfeeds: 'nightcities' },
    })
    const { id } = (await answer.json()) as { id: number }
    expect(answer.status()).toBe(201)
    await eventually(async () => {
      const read = await request.get(`${service.url}/api/sessions/${id}`)
      const { session } = (await read.json()) as { session: { fillStatus: string } }
      expect(session.fillStatus).toBe('ready')
    })
    return id
  }

  /** Returns the code of a link to a session of the first account, without a password. */
  async function sharedCode(): Promise<string> {
    const request = await visits.asking(1)
    const id = await makeSession({ request }, 'For everyone')
    const shared = await request.post(`${service.url}/api/sessions/${id}/share`, {
      data: {},
    })
    return ((await shared.json()) as { shareCode: string }).shareCode
  }

  async function publish(page: Page, id: number): Promise<void> {
    const address = `${service.url}/api/sessions/${id}`
    const answer = await page.request.patch(address, {
      data: { shareToCommunity: true, nsfw: false },
    })
    expect(answer.status()).toBe(200)
  }

  /** Returns the community id of a published session, once its copy exists. */
  async function publishedId(page: Page, title: string): Promise<number> {
    return eventually(async () => {
      const answer = await page.request.get(`${service.url}/api/community?kind=sessions`)
      const { items } = (await answer.json()) as { items: { id: number; title: string }[] }
      const found = items.find((item) => item.title === title)
      if (!found) throw new Error(`${title} is not in the community yet`)
      return found.id
    })
  }

  /** Returns the code of a link to a picture in the first account's vault. */
  async function sharedMediaCode(): Promise<string> {
    const request = await visits.asking(1)
    const picture = await sharp({ create: picture3to2 }).png().toBuffer()
    const file = { name: 'lamp.png', mimeType: 'image/png', buffer: picture }
    const stored = await request.post(`${service.url}/api/media/upload`, { multipart: { file } })
    const { media } = (await stored.json()) as { media: { id: number } }
    const shared = await request.post(`${service.url}/api/media/${media.id}/share`, {
      data: { shareToCommunity: false },
    })
    expect(shared.status()).toBe(200)
    return ((await shared.json()) as { shareCode: string }).shareCode
  }

  /** The first development account is an administrator. */
  async function giveCredits(): Promise<void> {
    const request = await visits.asking(1)
    for (const account of [1, 2, 3]) {
      const granted = await request.post(
        `${service.url}/api/admin/users/dev-user-${account}/grant`,
        { data: { amount: 1000, reason: 'For tests' } },
      )
      expect(granted.status()).toBe(200)
    }
    await visits.closeAll()
  }

  await giveCredits()
  return {
    url: service.url,
    ctx: service.ctx,
    ...visits,
    makeSession,
    sharedCode,
    sharedMediaCode,
    publish,
    publishedId,
    async close() {
      await browser.close()
      await service.stop()
      await rm(folder, { recursive: true })
    },
  }
}
