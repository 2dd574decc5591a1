/** Offline use in a real browser: frames and kept sessions. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll } from '../support/accessibility.ts'
import {
  isKept,
  keep,
  keptFiles,
  makeFrame,
  nextPicture,
  openKeeping,
  setQuota,
  shownPicture,
  untilKept,
  untilServed,
  withWorker,
} from '../support/offline-visit.ts'
import type { PageWorld } from '../support/page-world.ts'
import { createPageWorld } from '../support/page-world.ts'
import { makeFilm } from '../support/sample-media.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})
afterEach(() => world.closeAll())
afterAll(() => world.close())

test('a frame continues without a network, and deletes its data when its link ends', async () => {
  const frame = await makeFrame(world, 'For the wall')
  const wall = await world.visit(withWorker)
  await wall.open(frame.path)
  await untilServed(wall.page)
  await expect.poll(() => keptFiles(wall.page, 'kept-frame-')).toBeGreaterThan(5)
  await wall.context.setOffline(true)
  await wall.page.reload()
  await shownPicture(wall.page).waitFor()
  await nextPicture(wall.page)
  // In another orientation or size it requests other sizes of the same pictures.
  await wall.page.setViewportSize({ width: 300, height: 500 })
  await nextPicture(wall.page)
  await nextPicture(wall.page)

  await wall.context.setOffline(false)
  await frame.end()
  await wall.page.reload()
  await wall.page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  expect(await keptFiles(wall.page, 'kept-frame-')).toBe(0)
  await wall.context.setOffline(true)
  await wall.page.reload()
  await wall.page.getByRole('heading', { name: 'The site cannot be reached' }).waitFor()
})

test('a worker that is installed during a show uses what was already preloaded', async () => {
  const owner = await world.signedIn(1, withWorker)
  const id = await world.makeSession(owner.page, 'At the first visit')
  await owner.page.goto(`${world.url}/play/${id}`)
  await shownPicture(owner.page).waitFor()
  await untilServed(owner.page)
  expect(owner.errors).toEqual([])
})

test('a saved session plays offline, and is removed when its owner signs out', async () => {
  const owner = await world.signedIn(1, withWorker)
  const id = await world.makeSession(owner.page, 'For the flight')
  await keep(owner.page, world.url, id)
  await owner.page.getByText(/^There is space for .+ more\.$/).waitFor()
  await expectOpenToAll(owner.page, 'keeping a session')
  await owner.context.setOffline(true)
  await owner.page.goto(`${world.url}/library`)
  await owner.page.getByRole('heading', { name: 'Saved on this device' }).waitFor()
  await owner.page.getByText('This device has no network').waitFor()
  await expectOpenToAll(owner.page, 'what is kept')
  await owner.page.getByRole('link', { name: 'Play “For the flight”' }).click()
  await shownPicture(owner.page).waitFor()
  // Parts of a show that load on demand are kept too.
  await owner.page.keyboard.press('?')
  await owner.page.getByRole('dialog').waitFor()
  await owner.page.keyboard.press('Escape')
  await owner.page.reload()
  await shownPicture(owner.page).waitFor()
  expect(await owner.page.getByText('cannot be shown').count()).toBe(0)

  await owner.context.setOffline(false)
  await owner.page.goto(`${world.url}/kept?from=%2Flibrary`)
  await owner.page.getByRole('link', { name: 'Try again' }).click()
  await owner.page.waitForURL(/\/library$/)
  await owner.page.goto(`${world.url}/account`)
  await owner.page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await owner.page.waitForURL(/\/login/)
  expect(await keptFiles(owner.page, 'kept-session-')).toBe(0)
})

test('a saved film plays offline, and any part of it, with its captions', async () => {
  const owner = await world.signedIn(1, withWorker)
  const { request } = owner.context
  const film = await makeFilm({ format: 'webm', frames: 90 })
  const file = { name: 'film.webm', mimeType: 'video/webm', buffer: film }
  const stored = await request.post(`${world.url}/api/media/upload`, { multipart: { file } })
  const { media } = (await stored.json()) as { media: { id: number } }
  const made = await request.post(`${world.url}/api/sessions/manual`, {
    data: {
      title: 'A film',
      slides: [{ mediaId: media.id, caption: 'Upper half red', durationMs: 3_600_000 }],
    },
  })
  expect(made.status()).toBe(201)
  const { session } = (await made.json()) as { session: { id: number } }
  await keep(owner.page, world.url, session.id)
  await owner.context.setOffline(true)
  await owner.page.goto(`${world.url}/play/${session.id}`)
  const video = owner.page.locator('.player-frame.is-shown video')
  await video.waitFor()
  await owner.page.getByText('Upper half red').first().waitFor()
  const end = await video.evaluate(async (element) => {
    const playing = element as HTMLVideoElement
    playing.currentTime = playing.duration / 2
    await new Promise((resolve) => playing.addEventListener('seeked', resolve, { once: true }))
    return playing.seekable.end(0)
  })
  expect(end).toBeGreaterThan(1)
})

test('one account’s saved sessions are hidden from the next account, and a deleted session frees its space', async () => {
  const device = await world.signedIn(1, withWorker)
  const [one, two] = [
    await world.makeSession(device.page, 'Gone'),
    await world.makeSession(device.page, 'Private'),
  ]
  await keep(device.page, world.url, one)
  await keep(device.page, world.url, two)
  await device.page.goto(`${world.url}/sessions/${one}`)
  await device.page.getByRole('button', { name: 'More' }).click()
  await device.page.getByRole('menuitem', { name: 'Move to trash' }).click()
  await device.page.waitForURL(/\/library$/)
  await expect.poll(() => isKept(device.page, one)).toBe(false)
  expect(await isKept(device.page, two)).toBe(true)
  // Without the pages, as when a sign-in has expired and another begins.
  await device.context.request.get(`${world.url}/api/dev-login?account=2`)
  await device.page.goto(`${world.url}/kept`)
  await device.page.getByText(/^No session is saved on this device/).waitFor()
  expect(await isKept(device.page, two)).toBe(false)
  expect(await keptFiles(device.page, 'kept-session-')).toBe(0)
})

test('a session that was deleted elsewhere frees its space when this device learns of it', async () => {
  const device = await world.signedIn(1, withWorker)
  const id = await world.makeSession(device.page, 'Deleted elsewhere')
  await keep(device.page, world.url, id)
  await device.page.request.delete(`${world.url}/api/sessions/${id}`)
  await device.page.goto(`${world.url}/play/${id}`)
  await expect.poll(() => isKept(device.page, id)).toBe(false)
})

test('a link is saved by signed-in users, plays offline, and is removed when it has ended', async () => {
  const owner = await world.signedIn(1)
  const id = await world.makeSession(owner.page, 'By a link')
  const shared = await owner.page.request.post(`${world.url}/api/sessions/${id}/share`, {
    data: {},
  })
  const { shareCode } = (await shared.json()) as { shareCode: string }
  const visitor = await world.visit(withWorker)
  await visitor.open(`/shared/${shareCode}`)
  await untilServed(visitor.page)
  expect(await visitor.page.getByRole('button', { name: 'Save on this device' }).count()).toBe(0)

  const guest = await world.signedIn(2, withWorker)
  await guest.open(`/shared/${shareCode}`)
  await untilServed(guest.page)
  await guest.page.getByRole('button', { name: 'Save on this device' }).click()
  await guest.page.getByRole('button', { name: 'Save', exact: true }).click()
  await untilKept(guest.page)
  await guest.context.setOffline(true)
  await guest.page.goto(`${world.url}/kept`)
  await guest.page.getByRole('link', { name: 'Play “By a link”' }).click()
  await shownPicture(guest.page).waitFor()
  await guest.page.reload()
  await shownPicture(guest.page).waitFor()

  await guest.context.setOffline(false)
  await owner.page.request.delete(`${world.url}/api/sessions/${id}`)
  await guest.page.reload()
  await expect.poll(() => keptFiles(guest.page, 'kept-link-')).toBe(0)
  await guest.page.goto(`${world.url}/kept`)
  await guest.page.getByText(/^No session is saved on this device/).waitFor()
})

test('adult pictures are removed from the device if the age is not verified any more', async () => {
  const device = await world.signedIn(3, withWorker)
  const { request } = device.context
  const setAge = (data: object) => request.post(`${world.url}/api/auth/verify-age`, { data })
  expect((await setAge({ birthDate: '1980-01-01', ageVerified: true })).status()).toBe(200)
  const id = await world.makeSession(device.page, 'For adults')
  const address = `${world.url}/api/sessions/${id}`
  expect((await request.patch(address, { data: { nsfw: true } })).status()).toBe(200)
  await keep(device.page, world.url, id)
  expect((await setAge({ ageVerified: false })).status()).toBe(200)
  await device.page.goto(`${world.url}/kept`)
  await device.page.getByText(/^No session is saved on this device/).waitFor()
  await expect.poll(() => isKept(device.page, id)).toBe(false)
  await device.context.setOffline(true)
  await device.page.goto(`${world.url}/play/${id}`)
  await device.page.getByRole('heading', { name: 'cannot be shown' }).waitFor()
})

test('a device without space says so and saves nothing, nor does one that loses its network', async () => {
  const device = await world.signedIn(1, withWorker)
  const id = await world.makeSession(device.page, 'Too much')
  await openKeeping(device.page, world.url, id)
  await setQuota(device.page, 1)
  await device.page.getByRole('button', { name: 'Save', exact: true }).click()
  await device.page.getByText('There is not enough space on this device').waitFor()
  expect(await isKept(device.page, id)).toBe(false)
  await expectOpenToAll(device.page, 'a device without room')

  await setQuota(device.page, 1_000_000_000)
  await device.context.setOffline(true)
  await device.page.getByRole('button', { name: 'Save', exact: true }).click()
  await device.page.getByText('The connection was lost, so nothing was saved').waitFor()
  expect(await isKept(device.page, id)).toBe(false)
  await device.context.setOffline(false)
  await device.page.getByRole('button', { name: 'Save', exact: true }).click()
  await untilKept(device.page)
  await device.page.getByRole('button', { name: 'Remove from this device' }).click()
  await device.page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  expect(await isKept(device.page, id)).toBe(false)
})
