/** Actions on pages that a service worker serves. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { PageWorld } from './page-world.ts'

/** Other tests have no worker, so that each page comes from the service. */
export const withWorker = { serviceWorkers: 'allow' } as const

export const shownPicture = (page: Page) => page.locator('.player-frame.is-shown img').last()

/** Waits until the worker controls the page. It starts after the page has loaded. */
export async function untilServed(page: Page): Promise<void> {
  const isServed = () => navigator.serviceWorker.controller !== null
  await page.waitForFunction(isServed)
}

/** Returns the number of stored files in the caches with this prefix. */
export async function keptFiles(page: Page, prefix: string): Promise<number> {
  return (await keptAddresses(page, prefix)).length
}

/** Returns the addresses of the files in the caches with this prefix. */
export function keptAddresses(page: Page, prefix: string): Promise<string[]> {
  return page.evaluate(async (begin) => {
    const names = (await caches.keys()).filter((name) => name.startsWith(begin))
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    const urls = keys.flat().map(({ url }) => url)
    return urls.filter((url) => !url.includes('/api/'))
  }, prefix)
}

export function isKept(page: Page, id: number): Promise<boolean> {
  return page.evaluate((name) => caches.has(name), `kept-session-${id}`)
}

/** Opens the dialog that stores a session on the device. */
export async function openKeeping(page: Page, url: string, id: number): Promise<void> {
  await page.goto(`${url}/sessions/${id}`)
  await untilServed(page)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Save on this device' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
}

export async function keep(page: Page, url: string, id: number): Promise<void> {
  await openKeeping(page, url, id)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await untilKept(page)
}

export async function untilKept(page: Page): Promise<void> {
  const told = page.getByText(/^It plays without a network, and uses .+ on this device\.$/)
  await told.waitFor()
}

/** Sets the storage quota of the site, as on a device that is nearly full. */
export async function setQuota(page: Page, quotaSize: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { origin } = new URL(page.url())
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize })
}

type Shared = { text?: string; file?: { name: string; type: string; bytes: Uint8Array } }

/** Shares content as the system does: it posts a form to the application's address. */
export async function shareWith(page: Page, { text = '', file }: Shared): Promise<void> {
  const told = file && { ...file, bytes: [...file.bytes] }
  await page.evaluate(
    ({ text, told }) => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = '/share-target'
      form.enctype = 'multipart/form-data'
      const words = document.createElement('input')
      words.name = 'text'
      words.value = text
      form.append(words)
      if (told) {
        const files = document.createElement('input')
        files.type = 'file'
        files.name = 'files'
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array(told.bytes)], told.name, { type: told.type }))
        files.files = data.files
        form.append(files)
      }
      document.body.append(form)
      form.submit()
    },
    { text, told },
  )
}

/** Creates a session and a frame that plays it. */
export async function makeFrame(world: PageWorld, title: string) {
  const owner = await world.signedIn(1)
  const id = await world.makeSession(owner.page, title)
  const made = await owner.page.request.post(`${world.url}/api/frames`, {
    data: { name: title, sessionIds: [id], settings: { intervalSeconds: 3 } },
  })
  const { frame, frameUrl } = (await made.json()) as { frame: { id: number }; frameUrl: string }
  const address = `${world.url}/api/frames/${frame.id}`
  const end = () => owner.page.request.delete(address)
  const change = (data: object) => owner.page.request.patch(address, { data })
  const path = new URL(frameUrl).pathname
  return { path, token: path.split('/').at(-1) ?? '', end, change }
}

/** Waits until another picture is shown. */
export async function nextPicture(page: Page): Promise<void> {
  const first = await shownPicture(page).getAttribute('src')
  await expect.poll(() => shownPicture(page).getAttribute('src')).not.toBe(first)
}
