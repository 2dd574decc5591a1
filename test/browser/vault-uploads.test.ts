/** Two hundred files on a slow and unreliable network: nothing is lost or stored twice. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { desktop } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { visitAs } from '../support/editor-visit.ts'
import { bring, photos } from '../support/file-visit.ts'
import { createWorld } from '../support/world.ts'

const count = 200

test('two hundred files arrive once each, although responses and connections are lost', async () => {
  await buildWebIfStale({ print: () => {} })
  const webFolder = join(import.meta.dirname, '../../dist/web')
  await using site = await openSite(webFolder)
  const { world, page, ana } = site
  let requests = 0
  const lost = { requests: 0, answers: 0 }
  await page.route('**/api/media/upload', async (route) => {
    requests += 1
    const turn = requests
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (turn % 29 === 0) {
      lost.requests += 1
      await route.abort('connectionreset')
    } else if (turn % 23 === 0) {
      // The service stores the file, but its answer is lost.
      await route.fetch()
      lost.answers += 1
      await route.abort('connectionreset')
    } else await route.continue()
  })
  await page.getByText('Your vault is empty').waitFor()
  const files = (await photos(count)).map((file, n) => ({
    ...file,
    // The colours repeat, so the files need other bytes. Bytes after the end of a JPEG are not drawn.
    bytes: Buffer.concat([file.bytes, Buffer.from(`number ${n}`)]),
  }))
  await bring(page, 'drop', files)
  await page.getByText(`${count} files. Only you see them.`).waitFor({ timeout: 240_000 })
  await page.getByText(/^Uploading/).waitFor({ state: 'detached' })
  const listed = (await ana.vault.list()).files.map(({ originalName }) => originalName)
  expect(listed.toSorted()).toEqual(files.map(({ name }) => name).toSorted())
  expect(lost.requests).toBeGreaterThan(3)
  expect(lost.answers).toBeGreaterThan(3)
  expect(requests).toBe(count + lost.requests + lost.answers)
  const unclaimed = await world.ctx.db.selectFrom('unclaimed_files').select('key').execute()
  expect(unclaimed.filter(({ key }) => key.includes('/General/'))).toEqual([])
}, 300_000)

/** Opens a site with real rate limits, and a person with the vault open. */
async function openSite(webFolder: string) {
  const world = await createWorld(
    { RATE_LIMIT_PUBLIC: '100/900', RATE_LIMIT_UPLOAD: '1000/900' },
    { webFolder },
  )
  const browser = await openBrowser()
  const ana = await world.as('ana')
  const { page } = await visitAs(browser, ana, world.url, { viewport: desktop, locale: 'en-GB' })
  await page.goto(`${world.url}/vault`)
  return {
    world,
    page,
    ana,
    async [Symbol.asyncDispose]() {
      await browser.close()
      await world.close()
    },
  }
}
