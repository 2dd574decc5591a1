/**
 * Measures photographs end to end, for viewer and owner: four of 24 megapixels on a phone, in the sizes
 * that the service has made, and ten that are dropped on the library until the first of them plays. The
 * site has the default limits and settings.
 */
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../test/support/browser.ts'
import type { ClientOptions, ClientPart } from '../harness/goals.ts'
import { type Site, startSite, takePhotograph } from './site.ts'

const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  hasTouch: true,
  isMobile: true,
}
const megapixels24 = { width: 6000, height: 4000 }
const megapixels12 = { width: 4000, height: 3000 }
const shownPictures = 4
const droppedPictures = 10
const timeoutMs = 120_000
const benchmark = 'photos'

export const parts: readonly ClientPart[] = [measurePhotos]

async function measurePhotos(options: ClientOptions): Promise<void> {
  const { rounds, scale, progress, found } = options
  const tiny = { width: 600, height: 400 }
  const site = await startSite({ ...options, name: 'photos' })
  const browser = await openBrowser()
  try {
    progress('photos: four of 24 megapixels on a phone\n')
    const large = await take(scale(shownPictures, 2), scale(megapixels24, tiny))
    const sessionId = await site.makeSession('Large', await site.upload(large))
    const shown = await playOnPhone(browser, site, { sessionId, slides: large.length })
    found({ benchmark, what: 'four of 24 MP on a phone', unit: 'MB', goal: 1.5 }, [
      shown.bytes / 1_000_000,
    ])
    found({ benchmark, what: 'decoded at a time', unit: 'pictures', goal: 3 }, [shown.maxDecoded])
    const dropped = await take(scale(droppedPictures, 2), scale(megapixels12, tiny))
    const seconds: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      progress('photos: ten dropped on the library\n')
      seconds.push(await dropAndPlay(browser, site, dropped))
    }
    found({ benchmark, what: 'ten dropped, until one plays', unit: 's', goal: 10 }, seconds)
  } finally {
    await browser.close()
    await site.stop()
  }
}

async function take(count: number, size: { width: number; height: number }): Promise<Buffer[]> {
  const taken: Buffer[] = []
  // One at a time: each uses 70 MB while it is made.
  for (let number = 0; number < count; number += 1) taken.push(await takePhotograph(number, size))
  return taken
}

async function openPage(browser: Browser, site: Site, options = {}): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(timeoutMs)
  await context.addCookies(site.cookies())
  return context.newPage()
}

async function playOnPhone(
  browser: Browser,
  site: Site,
  { sessionId, slides }: { sessionId: number; slides: number },
) {
  const page = await openPage(browser, site, phone)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const pictures = new Set<string>()
  let bytes = 0
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Image') pictures.add(requestId)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (pictures.has(requestId)) bytes += encodedDataLength
  })
  await page.addInitScript(countDecoded)
  await page.goto(`${site.url}/play/${sessionId}`)
  for (let slide = 1; slide <= slides; slide += 1) {
    await page.getByText(`slide ${slide} of ${slides}`, { exact: true }).waitFor()
    await page.waitForFunction(() => {
      const image = [...document.querySelectorAll('.player-frame.is-shown img')].at(-1)
      return image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0
    })
    if (slide < slides) await page.touchscreen.tap(350, 400)
  }
  const maxDecoded = await page.evaluate<number>('window.maxDecoded')
  await page.context().close()
  return { bytes, maxDecoded }
}

/** Runs in the page before its own scripts: counts the decoded pictures that are still held. */
function countDecoded(): void {
  const decoded = new Set<HTMLImageElement>()
  Object.assign(window, { maxDecoded: 0 })
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its element below
  const { decode } = HTMLImageElement.prototype
  HTMLImageElement.prototype.decode = function () {
    decoded.add(this)
    const held = [...decoded].filter((picture) => picture.hasAttribute('src')).length
    const max = Math.max(Number(Reflect.get(window, 'maxDecoded')), held)
    Object.assign(window, { maxDecoded: max })
    return decode.call(this)
  }
}

/** Returns the seconds from the drop to the first slide. Clicks Play as soon as it appears. */
async function dropAndPlay(
  browser: Browser,
  site: Site,
  photographs: readonly Buffer[],
): Promise<number> {
  const page = await openPage(browser, site)
  await page.goto(`${site.url}/library`)
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  // The files are in the page before the clock starts, because a person's files are on their disk.
  await page.evaluate(() => Object.assign(window, { transfer: new DataTransfer() }))
  for (const [number, bytes] of photographs.entries()) {
    await page.evaluate(
      ({ name, content }) => {
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
        const { items } = Reflect.get(window, 'transfer') as DataTransfer
        items.add(new File([bytes], name, { type: 'image/jpeg' }))
      },
      { name: `IMG_${number}.jpg`, content: bytes.toString('base64') },
    )
  }
  const startedMs = performance.now()
  await page.evaluate(() => {
    const dataTransfer = Reflect.get(window, 'transfer') as DataTransfer
    const event = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer })
    document.body.dispatchEvent(event)
  })
  await page.getByRole('link', { name: 'Play', exact: true }).first().click()
  await page.locator('.player-frame.is-shown img').first().waitFor()
  const seconds = (performance.now() - startedMs) / 1000
  await page.context().close()
  return seconds
}
