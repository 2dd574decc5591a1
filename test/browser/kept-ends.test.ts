/**
 * A kept copy of a session on a device: the device deletes it when it learns that the session is no
 * longer available.
 */
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  isKept,
  keep,
  keptAddresses,
  keptFiles,
  makeFrame,
  shownPicture,
  untilKept,
  untilServed,
  withWorker,
} from '../support/offline-visit.ts'
import type { PageWorld } from '../support/page-world.ts'
import { createPageWorld } from '../support/page-world.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})
afterEach(() => world.closeAll())
afterAll(() => world.close())

const kept = 'kept-session-'

/** Stores one picture of each colour in the account's vault. */
async function storePictures(page: Page, colours: readonly string[]): Promise<number[]> {
  const mediaIds: number[] = []
  for (const background of colours) {
    const buffer = await sharp({ create: { width: 60, height: 40, channels: 3, background } })
      .png()
      .toBuffer()
    const file = { name: `${background}.png`, mimeType: 'image/png', buffer }
    const stored = await page.request.post(`${world.url}/api/media/upload`, { multipart: { file } })
    mediaIds.push(((await stored.json()) as { media: { id: number } }).media.id)
  }
  return mediaIds
}

/** Makes a session of pictures from the account's vault. */
async function ownPictures(page: Page, title: string, colours: readonly string[]) {
  const mediaIds = await storePictures(page, colours)
  const slides = mediaIds.map((mediaId) => ({ mediaId }))
  const made = await page.request.post(`${world.url}/api/sessions/manual`, {
    data: { title, slides },
  })
  expect(made.status()).toBe(201)
  return { id: ((await made.json()) as { session: { id: number } }).session.id, mediaIds }
}

/** Adds a picture at the end of a session. Returns a function that takes it out again. */
async function addPicture(page: Page, id: number, colour: string) {
  const address = `${world.url}/api/sessions/${id}`
  const read = await page.request.get(address)
  const { media } = (await read.json()) as { media: { id: number }[] }
  const before = media.map((slide) => ({ id: slide.id }))
  const [mediaId] = await storePictures(page, [colour])
  const put = async (slides: readonly object[]) => {
    const changed = await page.request.put(`${address}/media`, { data: { slides } })
    expect(changed.status()).toBe(200)
  }
  await put([...before, { mediaId }])
  return () => put(before)
}

/** Plays the session offline, from the copies on the device. */
async function expectToPlay(page: Page, path: string): Promise<void> {
  await page.context().setOffline(true)
  await page.goto(world.url + path)
  await shownPicture(page).waitFor()
  await page.context().setOffline(false)
}

/** Makes the kept copies look as if they were last checked some days ago. */
async function ageKept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const answer = await cache.match(request)
        if (!answer || !/\/api\/(sessions|shared|frames)\//.test(request.url)) continue
        const headers = { 'content-type': 'application/json', date: new Date(0).toUTCString() }
        await cache.put(request, new Response(await answer.text(), { headers }))
      }
    }
  })
}

test('a slide that is removed elsewhere frees its space, and the others still play', async () => {
  const device = await world.signedIn(1, withWorker)
  const { id } = await ownPictures(device.page, 'One less', ['red', 'green', 'blue'])
  await keep(device.page, world.url, id)
  expect(await keptFiles(device.page, kept)).toBe(3)
  const address = `${world.url}/api/sessions/${id}`
  const read = await device.page.request.get(address)
  const { media } = (await read.json()) as { media: { id: number }[] }
  const slides = media.slice(1).map((slide) => ({ id: slide.id }))
  const changed = await device.page.request.put(`${address}/media`, { data: { slides } })
  expect(changed.status()).toBe(200)
  await device.page.goto(`${world.url}/play/${id}`)
  await expect.poll(() => keptFiles(device.page, kept)).toBe(2)
  await expectToPlay(device.page, `/play/${id}`)
})

test('a picture in the trash is removed from the device, and its slide is skipped', async () => {
  const device = await world.signedIn(1, withWorker)
  const { id, mediaIds } = await ownPictures(device.page, 'One in the trash', ['navy', 'olive'])
  await keep(device.page, world.url, id)
  const items = [{ kind: 'media', id: mediaIds[0] }]
  const trashed = await device.page.request.post(`${world.url}/api/trash`, { data: { items } })
  expect(await trashed.json()).toMatchObject({ trashed: 1 })
  await device.page.goto(`${world.url}/play/${id}`)
  await expect.poll(() => keptFiles(device.page, kept)).toBe(1)
  await expectToPlay(device.page, `/play/${id}`)
})

test('a session that was removed from the device is saved again with its new slides', async () => {
  const { page } = await world.signedIn(1, withWorker)
  const { id } = await ownPictures(page, 'One more', ['coral', 'khaki'])
  await keep(page, world.url, id)
  await page.goto(`${world.url}/play/${id}`)
  await shownPicture(page).waitFor()
  await page.goto(`${world.url}/sessions/${id}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Save on this device' }).click()
  await page.getByRole('button', { name: 'Remove from this device' }).click()
  await expect.poll(() => isKept(page, id)).toBe(false)
  await addPicture(page, id, 'orchid')
  await keep(page, world.url, id)
  expect(await keptFiles(page, kept)).toBe(3)
})

test('a slide that is removed while its file is being saved is not saved', async () => {
  const { page, context } = await world.signedIn(1, withWorker)
  const { id } = await ownPictures(page, 'One too many', ['indigo', 'ivory'])
  await keep(page, world.url, id)
  const before = await keptAddresses(page, kept)
  const takeOut = await addPicture(page, id, 'plum')
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  await context.route('**/media/**', async (route) => {
    if (!route.request().serviceWorker() || before.includes(route.request().url()))
      return await route.continue()
    asked.resolve()
    await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Download again' }).click()
  await asked.promise
  await takeOut()
  const other = await context.newPage()
  await other.goto(`${world.url}/play/${id}`)
  await shownPicture(other).waitFor()
  held.resolve()
  await page.getByText(/^1 slide could not be saved/).waitFor()
  expect(await keptAddresses(page, kept)).toEqual(before)
})

test('a link whose session was taken down is removed by the daily check, without being opened', async () => {
  const admin = await world.signedIn(1)
  const author = await world.signedIn(2)
  const { id } = await ownPictures(author.page, 'Taken down', ['teal'])
  const shared = await author.page.request.post(`${world.url}/api/sessions/${id}/share`, {
    data: {},
  })
  const { shareCode } = (await shared.json()) as { shareCode: string }
  const guest = await world.signedIn(3, withWorker)
  await guest.open(`/shared/${shareCode}`)
  await untilServed(guest.page)
  await guest.page.getByRole('button', { name: 'Save on this device' }).click()
  await guest.page.getByRole('button', { name: 'Save', exact: true }).click()
  await untilKept(guest.page)

  const reported = await guest.page.request.post(`${world.url}/api/reports`, {
    data: { targetType: 'shared_session', shareCode, reason: 'other', details: '' },
  })
  expect(reported.status()).toBe(202)
  const { reportId } = (await reported.json()) as { reportId: number }
  const resolve = `${world.url}/api/admin/reports/${reportId}/resolve`
  const resolved = await admin.page.request.post(resolve, { data: { action: 'remove' } })
  expect(resolved.status()).toBe(200)
  // A copy that was checked today is not checked again.
  await guest.page.goto(`${world.url}/library`)
  expect(await keptFiles(guest.page, 'kept-link-')).toBe(1)
  await ageKept(guest.page)
  await guest.page.goto(`${world.url}/library`)
  await expect.poll(() => keptFiles(guest.page, 'kept-link-')).toBe(0)
  await guest.page.goto(`${world.url}/kept`)
  await guest.page.getByText(/^No session is saved on this device/).waitFor()
})

test('the user’s session in the trash is removed by the daily check', async () => {
  const device = await world.signedIn(1, withWorker)
  const { id } = await ownPictures(device.page, 'Thrown away elsewhere', ['maroon'])
  const { id: other } = await ownPictures(device.page, 'Stays', ['gray'])
  await keep(device.page, world.url, id)
  await keep(device.page, world.url, other)
  const address = `${world.url}/api/sessions/${id}?trash=true`
  expect((await device.page.request.delete(address)).status()).toBe(200)
  await ageKept(device.page)
  await device.page.goto(`${world.url}/library`)
  await expect.poll(() => isKept(device.page, id)).toBe(false)
  expect(await isKept(device.page, other)).toBe(true)
  await expectToPlay(device.page, `/play/${other}`)
})

test('a frame frees the space of a session that it no longer plays', async () => {
  const frame = await makeFrame(world, 'Emptier')
  const owner = await world.signedIn(1)
  const { id } = await ownPictures(owner.page, 'Smaller', ['purple'])
  const wall = await world.visit(withWorker)
  await wall.open(frame.path)
  await untilServed(wall.page)
  await expect.poll(() => keptFiles(wall.page, 'kept-frame-')).toBeGreaterThan(5)
  expect((await frame.change({ sessionIds: [id] })).status()).toBe(200)
  await wall.page.reload()
  const played = await wall.page.request.get(`${world.url}/api/frames/${frame.token}/playlist`)
  const { media } = (await played.json()) as { media: { mediaUrl: string }[] }
  const newFiles = media.map(({ mediaUrl }) => world.url + mediaUrl)
  expect(newFiles).toHaveLength(1)
  await expect.poll(() => keptAddresses(wall.page, 'kept-frame-')).toEqual(newFiles)
  await expectToPlay(wall.page, frame.path)
})

test('a frame’s files are removed by the daily check once its link has ended, without being opened', async () => {
  const frame = await makeFrame(world, 'No longer on the wall')
  const wall = await world.visit(withWorker)
  await wall.open(frame.path)
  await untilServed(wall.page)
  await expect.poll(() => keptFiles(wall.page, 'kept-frame-')).toBeGreaterThan(5)
  expect((await frame.end()).status()).toBe(200)
  await wall.open('/tv')
  // A copy that was checked today is not checked again.
  expect(await keptFiles(wall.page, 'kept-frame-')).toBeGreaterThan(5)
  await ageKept(wall.page)
  await wall.open('/tv')
  await expect.poll(() => keptFiles(wall.page, 'kept-frame-')).toBe(0)
})

test('the page of saved sessions leads back only to pages of this site', async () => {
  const device = await world.signedIn(1, withWorker)
  for (const from of [
    '//example.org/',
    '/\t/example.org',
    '/\\example.org',
    'https://example.org',
  ]) {
    await device.open(`/kept?from=${encodeURIComponent(from)}`)
    await device.page.getByRole('link', { name: 'To all sessions' }).waitFor()
    expect(await device.page.getByRole('link', { name: 'Try again' }).count()).toBe(0)
  }
  for (const from of ['/', '/library?view=list']) {
    await device.open(`/kept?from=${encodeURIComponent(from)}`)
    const again = device.page.getByRole('link', { name: 'Try again' })
    await expect.poll(() => again.getAttribute('href')).toBe(from)
  }
})
