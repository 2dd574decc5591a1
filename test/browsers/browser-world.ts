/**
 * The world of the browser tests: a whole service with its web client, a site with pictures, and one of
 * the other browsers.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { desktop } from '../support/accessibility.ts'
import { servePictures } from '../support/caption-world.ts'
import { createWorld, password } from '../support/world.ts'
import type { BrowserName, InstalledBrowser } from './driver.ts'
import { startFirefox } from './firefox.ts'
import { createPage, type Page } from './page.ts'
import { copyWithErrorRecorder } from './recorded-errors.ts'
import { startWebKit } from './webkit.ts'

export type BrowserWorld = Awaited<ReturnType<typeof createBrowserWorld>>

/** The folder of all screenshots, for people to look at. */
const pictureFolder = join(tmpdir(), 'lanternist-browsers')

const start: Readonly<Record<BrowserName, () => Promise<InstalledBrowser>>> = {
  firefox: startFirefox,
  webkit: startWebKit,
}

export async function createBrowserWorld(name: BrowserName) {
  await buildWebIfStale({ print: () => {} })
  await mkdir(pictureFolder, { recursive: true })
  const fileFolder = await mkdtemp(join(tmpdir(), 'lanternist-files-'))
  const webFolder = await copyWithErrorRecorder(join(import.meta.dirname, '../../dist/web'))
  const site = await servePictures()
  const world = await createWorld({ FETCH_ALLOW: site.host }, { webFolder })
  const browser = await start[name]()
  const pages: Page[] = []

  async function visit(size = desktop): Promise<Page> {
    const page = createPage(await browser.openWindow(), {
      url: world.url,
      pictureFolder,
      prefix: name,
    })
    pages.push(page)
    await page.resize(size)
    return page
  }

  return {
    ...world,
    site,
    visit,
    /** Signs in through the form. */
    async visitAs(person: string, size = desktop): Promise<Page> {
      const page = await visit(size)
      await page.open('/login')
      await page.fill('Email', `${person}@example.test`)
      await page.fill('Password', password)
      await page.click('button', 'Sign in')
      await page.see('heading', 'Sessions')
      return page
    },
    /** Writes a file to the disk, for a file field. */
    async putFile(fileName: string, bytes: Buffer): Promise<string> {
      const path = join(fileFolder, fileName)
      await writeFile(path, bytes)
      return path
    },
    /** Fails with the errors of all open pages. */
    async expectNoErrors(): Promise<void> {
      const errors = await Promise.all(pages.map((page) => page.errors()))
      if (errors.flat().length > 0) throw new Error(errors.flat().join('\n'))
    },
    async closePages(): Promise<void> {
      for (const page of pages.splice(0)) await page.close()
    },
    async close() {
      await browser.close()
      await world.close()
      await site.close()
      await rm(webFolder, { recursive: true })
      await rm(fileFolder, { recursive: true })
    },
  }
}
