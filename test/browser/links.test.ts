/** Links that just play: a preview before any script, a player in a frame on another site, and a QR code. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import { findBarriers } from '../support/accessibility.ts'
import { countShifts, shiftsOf } from '../support/layout-shifts.ts'
import { serveHttp } from '../support/loopback-site.ts'
import type { PlayerWorld } from '../support/player-world.ts'
import { createPlayerWorld, numbered, stays, untilShown } from '../support/player-world.ts'
import { showMedia, wide } from '../support/rendition-world.ts'
import { paint } from '../support/sample-media.ts'
import { putMedia } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'

const title = 'Evening <b>walk</b>'
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 }

let world: PlayerWorld
let ana: Person
let id: string
let code: string

beforeAll(async () => {
  world = await createPlayerWorld()
  ana = await world.as('ana')
  const ids: string[] = []
  for (const seed of [1, 2, 3]) {
    const picture = paint({ ...wide, seed })
    ids.push(await putMedia(ana, await picture.jpeg().toBuffer()))
  }
  id = await showMedia(world, ana, ids)
  await world.runJobs()
  await ana.sessions.update({ params: { id }, body: { title } })
  code = await share({ access: 'anyone' })
})

afterEach(async () => {
  await Promise.all(world.browser.contexts().map((context) => context.close()))
})

afterAll(() => world?.close())

async function share(body: object): Promise<string> {
  return (await ana.sharing.shareSession({ params: { id }, body })).shareCode
}

const anyPicture = 'img[src*="/media/user-media/"]'
const isDrawn = (picture: Element) =>
  picture instanceof HTMLImageElement && picture.complete && picture.naturalWidth > 0

/** Records the path of every picture file that the page requests. */
function watchPictures(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/media/')) asked.push(pathname)
  })
  return asked
}

/** Records for each animation frame if a picture is visible. */
function watchFrames() {
  const seen: boolean[] = []
  Object.assign(window, { seen })
  const look = () => {
    const pictures = [
      ...document.querySelectorAll('[data-first-frame] img, .is-shown img, main img'),
    ]
    seen.push(
      pictures.some(
        (one) => one instanceof HTMLImageElement && one.complete && one.naturalWidth > 0,
      ),
    )
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

describe('before any script', () => {
  test.each(['', '/play'])('the picture and the title of /shared/…%s are there', async (way) => {
    const { page } = await world.visit(null, { javaScriptEnabled: false, ...phone })
    await page.goto(`/shared/${code}${way}`)
    await page.getByRole('heading', { name: title }).waitFor()
    const picture = page.locator(anyPicture)
    await picture.waitFor()
    expect(await picture.evaluate(isDrawn)).toBe(true)
    const box = await picture.boundingBox()
    expect(box?.width).toBeGreaterThan(300)
  })

  test.each(['', '/play'])(
    '/shared/…%s continues from it: no gap, no jump, no other file',
    async (way) => {
      for (const look of [{}, phone]) {
        const { page, errors } = await world.visit(null, look)
        await page.addInitScript(countShifts)
        await page.addInitScript(watchFrames)
        const asked = watchPictures(page)
        await page.goto(`/shared/${code}${way}`)
        const after =
          way === '' ? page.getByRole('button', { name: 'Report' }) : page.locator('.is-shown img')
        await after.waitFor()
        expect(await page.locator('[data-first-frame]').count()).toBe(0)
        const seen = await page.evaluate<boolean[]>('window.seen')
        const first = seen.indexOf(true)
        expect(first).toBeGreaterThanOrEqual(0)
        expect(seen.slice(first)).not.toContain(false)
        const { total, parts } = await shiftsOf(page)
        expect(total, JSON.stringify(parts)).toBeLessThanOrEqual(0.02)
        const { files, thumbnail } = await filesOfFirst()
        const loaded = new Set(asked.filter((path) => files.includes(path)))
        expect(loaded.size).toBeGreaterThan(0)
        // On the page, the sheet of slides loads the thumbnail too.
        if (way === '') loaded.delete(thumbnail)
        expect(loaded.size).toBeLessThanOrEqual(1)
        expect(errors).toEqual([])
      }
    },
  )

  test('the first data of a link’s page is requested once', async () => {
    const { page } = await world.visit(null)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`/shared/${code}`)
    await page.getByRole('button', { name: 'Report' }).waitFor()
    expect(asked.filter((path) => path.endsWith('/preview'))).toHaveLength(1)
    const scripts = asked.filter((path) => path.endsWith('.js'))
    expect(new Set(scripts).size).toBe(scripts.length)
  })
})

describe('the slides below the cover', () => {
  const visitLink = async (sessionId: number, body: object, person: Person | null = null) => {
    const params = { id: String(sessionId) }
    const { shareCode } = await ana.sharing.shareSession({ params, body })
    const { page } = await world.visit(person, { viewport: { width: 1440, height: 900 } })
    await page.goto(`/shared/${shareCode}`)
    await page.getByRole('heading', { name: 'Evening' }).waitFor()
    const cells = page.getByRole('region', { name: 'Slides', exact: true }).getByRole('link')
    return { page, cells }
  }

  test('are all there for anyone, some at a time, and each starts the show', async () => {
    const many = await world.makeManual(ana, numbered(200, { durationMs: stays }))
    const { page, cells } = await visitLink(many, { access: 'anyone' })
    await expect.poll(() => cells.count()).toBe(120)
    expect(await cells.locator('img[loading="lazy"]').count()).toBe(120)
    expect(await findBarriers(page)).toEqual([])
    await cells.nth(119).scrollIntoViewIfNeeded()
    await expect.poll(() => cells.count()).toBe(200)
    await cells.nth(6).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await untilShown(page, '/7.jpg')
    await page.goBack()
    await cells.nth(2).click()
    await untilShown(page, '/2.jpg')
  })

  test('leave out what a visitor may not see, and still start at the right one', async () => {
    const some = await world.makeManual(ana, numbered(6, { durationMs: stays }))
    await world.ctx.db
      .updateTable('session_media')
      .set({ nsfw: true })
      .where('session_id', '=', some)
      .where('position', 'in', [0, 3])
      .execute()
    const { page, cells } = await visitLink(some, { access: 'anyone' })
    await expect.poll(() => cells.count()).toBe(4)
    await cells.nth(2).click()
    await untilShown(page, '/4.jpg')
  })

  test('are the first three of a link that needs an account, and all after signing in', async () => {
    const some = await world.makeManual(ana, numbered(5))
    const { page, cells } = await visitLink(some, { access: 'members' })
    const first = page.getByRole('region', { name: 'The first slides' }).getByRole('link')
    await expect.poll(() => first.count()).toBe(3)
    expect(await cells.count()).toBe(0)
    const member = await visitLink(some, {}, ana)
    await expect.poll(() => member.cells.count()).toBe(5)
  })
})

/** Returns the paths of all files of the first slide. */
async function filesOfFirst() {
  const { media } = await world.visitor().sharing.open({ params: { code } })
  const [slide] = media
  const addresses = [slide?.mediaUrl ?? '', ...Object.values(slide?.sizes ?? {}).map(String)]
  expect(addresses).toHaveLength(5)
  const pathOf = (address: string) => new URL(address, world.url).pathname
  return { files: addresses.map(pathOf), thumbnail: pathOf(slide?.thumbnail ?? '') }
}

describe('on another site', () => {
  const hostPage = (source: string) =>
    `<!doctype html><title>Elsewhere</title><iframe title="A show" width="640" height="360" src="${source}"></iframe>`

  async function embed(path: string, person: Person | null = null) {
    const elsewhere = await serveHttp((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(hostPage(`${world.url}${path}`))
    })
    const visit = await world.visit(person)
    const cookies: Promise<string | undefined>[] = []
    visit.page.on('request', (request) => {
      const isCall = new URL(request.url()).pathname.startsWith('/api/')
      if (isCall) cookies.push(request.allHeaders().then((headers) => headers['cookie']))
    })
    await visit.page.goto(elsewhere.origin)
    return { ...visit, cookies, frame: visit.page.frameLocator('iframe') }
  }

  test('it plays only on request, without a sign-in', async () => {
    // The same host name on another port: the browser would send the cookies of this site.
    const { page, frame, cookies, errors } = await embed(`/embed/${code}`, ana)
    await frame.locator('.is-shown img').waitFor()
    await frame.getByText('slide 1 of 3', { exact: true }).waitFor()
    const play = frame.getByRole('button', { name: 'Play', exact: true })
    await play.click()
    await frame.getByRole('button', { name: 'Pause' }).waitFor()
    await frame.getByRole('button', { name: 'Next' }).click()
    await frame.getByText('slide 2 of 3', { exact: true }).waitFor()
    const leaving = page.context().waitForEvent('page')
    await frame.getByRole('button', { name: 'Open session page' }).click()
    expect(new URL((await leaving).url()).pathname).toBe(`/shared/${code}`)
    const framed = await frame.locator('html').evaluate(() => location.pathname)
    expect(framed).toBe(`/embed/${code}`)
    const sent = await Promise.all(cookies)
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.filter((cookie) => cookie !== undefined)).toEqual([])
    expect(errors).toEqual([])
  })

  test('its end leads to the page, and keys do nothing', async () => {
    const { page, frame } = await embed(`/embed/${code}`)
    await frame.getByRole('button', { name: 'Play', exact: true }).click()
    // The click moved the keyboard focus into the frame.
    await page.keyboard.press('End')
    await frame.getByText('slide 3 of 3', { exact: true }).waitFor()
    await frame.getByRole('button', { name: 'Next' }).click()
    await frame.getByText('That was the last slide.').waitFor()
    await frame.getByRole('button', { name: 'Open session page' }).last().waitFor()
    expect(await frame.getByRole('link', { name: 'Make your own' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(page.context().pages()).toHaveLength(1)
  })

  test('other pages of this site cannot be framed, and closed links say so', async () => {
    const shared = await embed(`/shared/${code}`)
    expect(await shared.frame.locator('#app').count()).toBe(0)
    await share({ access: 'members' })
    const closed = await embed(`/embed/${code}`)
    await closed.frame.getByText('This show cannot be played here.').waitFor()
    await closed.frame.getByRole('link', { name: 'Open on Lanternist' }).waitFor()
    await share({ expiresAt: new Date(0).toISOString() })
    const stopped = await embed(`/embed/${code}`)
    await stopped.frame.getByText('The owner has stopped sharing this.').waitFor()
    await share({ expiresAt: null })
    await share({ access: 'anyone' })
  })
})

test('a link is handed on as a QR code and as a frame for other sites', async () => {
  const { page, errors } = await world.visit(ana)
  await page.goto(`/sessions/${id}`)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog')
  const qr = dialog.getByRole('button', { name: 'QR code' })
  await qr.click()
  await dialog.getByRole('img', { name: `QR code of the link to “${title}”` }).waitFor()
  await expect.poll(() => qr.getAttribute('aria-expanded')).toBe('true')
  expect(await findBarriers(page)).toEqual([])
  const sizes: Record<string, number | undefined> = {}
  for (const kind of ['SVG', 'PNG']) {
    const saving = page.waitForEvent('download')
    await dialog.getByRole('button', { name: `Save as ${kind}` }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe(`link-${code.slice(0, 8)}.${kind.toLowerCase()}`)
    const bytes = await readFile(await saved.path())
    if (kind === 'SVG') expect(bytes.toString()).toMatch(/^<svg [^>]*>.*fill="#fff".*<\/svg>$/)
    else sizes['png'] = (await sharp(bytes).metadata()).width
  }
  expect(sizes['png']).toBeGreaterThan(400)

  await dialog.getByRole('button', { name: 'Embed' }).click()
  const frame = await dialog.getByLabel('Embed code').inputValue()
  expect(frame).toContain(`/embed/${code}"`)
  expect(frame).toMatch(/^<iframe .*><\/iframe>$/)
  await dialog.getByRole('button', { name: 'Copy the code' }).waitFor()
  await dialog.getByLabel('Who can play it').selectOption('members')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.getByText('Other sites can show sessions').waitFor()
  await dialog.getByLabel('Who can play it').selectOption('anyone')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.getByLabel('Embed code').waitFor()
  expect(errors).toEqual([])
})
