/**
 * Rooms in real browsers: two screens and a phone are led together, lose their network, and synchronise
 * again.
 */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll } from '../support/accessibility.ts'
import type { PlayerWorld } from '../support/player-world.ts'
import {
  cookiesOf,
  createPlayerWorld,
  numbered,
  stays,
  untilShown,
} from '../support/player-world.ts'
import type { Person } from '../support/world.ts'

const television = { viewport: { width: 1920, height: 1080 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

let world: PlayerWorld
let ana: Person

beforeAll(async () => {
  world = await createPlayerWorld()
  ana = await world.as('ana')
})

afterEach(async () => {
  await Promise.all(world.browser.contexts().map((context) => context.close()))
})

afterAll(async () => {
  await world?.close()
})

/** Opens a page whose clock is wrong by 90 seconds, on a slow connection. */
async function wrongAndSlow(options: BrowserContextOptions) {
  const visit = await world.visit(null, options)
  await visit.page.addInitScript(() => {
    const now = Date.now
    Date.now = () => now() + 90_000
  })
  await visit.page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
    await route.continue()
  })
  return visit
}

/** Records the slides that a screen has shown, in order. */
async function watchSlides(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const stage = document.querySelector<HTMLElement>('[data-testid=stage]')
      const slide = stage?.dataset['slide']
      if (slide !== undefined && seen.at(-1) !== slide) seen.push(slide)
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-slide'] })
  })
}

const seenBy = (page: Page) => page.evaluate<string[]>('window.seen')
const stageOf = (page: Page) => page.getByTestId('stage')
const untilSlide = (page: Page, slide: number) =>
  page.locator(`[data-testid=stage][data-slide="${slide}"]`).waitFor()

/** Enters the code with the four arrow keys only, as a television's remote control has them. */
async function enterByArrows(page: Page, code: string): Promise<void> {
  for (const letter of code) {
    // The first press of ArrowDown selects the ninth letter.
    const turns = letters.indexOf(letter) - 8
    await page.keyboard.press('ArrowDown')
    for (let turn = 0; turn < Math.abs(turns); turn += 1)
      await page.keyboard.press(turns > 0 ? 'ArrowDown' : 'ArrowUp')
    await page.keyboard.press('ArrowRight')
  }
}

test('a show is opened from the player, joined by arrow keys, and controlled from a phone', async () => {
  const id = await world.makeManual(ana, numbered(6, { durationMs: stays, caption: 'The bay' }))
  const host = await world.visit(ana)
  await host.page.goto(`/play/${id}`)
  await untilShown(host.page, '/0.jpg')
  await host.page.getByRole('button', { name: 'Play on other screens' }).click()
  const code = (await host.page.getByTestId('room-code').textContent())?.trim() ?? ''
  expect(code).toMatch(/^[2-9A-HJ-NP-Z]{6}$/)

  const tv = await world.visit(null, television)
  await watchSlides(tv.page)
  await tv.page.goto('/tv')
  await tv.page.getByRole('heading', { name: 'Join a room' }).waitFor()
  await expectOpenToAll(tv.page, 'the page of televisions')
  const wheel = tv.page.getByRole('spinbutton', { name: 'Letter 1 of 6' })
  await expect.poll(() => wheel.getAttribute('aria-valuetext')).toBe('Empty')
  await enterByArrows(tv.page, code)
  await tv.page.getByText('Waiting for the host to start').waitFor()

  const guest = await wrongAndSlow(phone)
  await watchSlides(guest.page)
  await guest.page.goto(`/rooms/${code.toLowerCase()}`)
  await guest.page.getByText('Waiting for the host to start').waitFor()
  await host.page.getByText('2 other devices here').waitFor()

  await host.page.getByRole('link', { name: 'To the controls' }).click()
  await host.page.waitForURL(`**/rooms/${code}/host`)
  const answering = host.page.waitForResponse(
    (response) => response.url().endsWith('/remotes') && response.request().method() === 'POST',
  )
  await host.page.getByRole('button', { name: 'Add a phone' }).click()
  const { remoteUrl } = (await (await answering).json()) as { remoteUrl: string }
  await host.page.getByRole('img', { name: 'QR code that makes a phone a remote' }).waitFor()
  await expectOpenToAll(host.page, 'the host’s page')

  const remote = await world.visit(null, phone)
  await remote.page.goto(remoteUrl.replace('http://lanternist.test', ''))
  const press = (name: string) => remote.page.getByRole('button', { name, exact: true }).click()
  await press('Play')
  for (const { page } of [tv, guest]) {
    await page.locator('[data-testid=stage][data-status=playing]').waitFor()
    await untilSlide(page, 0)
  }
  await expectOpenToAll(remote.page, 'the remote')
  for (const slide of [1, 2, 3]) {
    await press('Next')
    for (const { page } of [tv, guest]) await untilSlide(page, slide)
  }
  await press('Previous')
  for (const { page } of [tv, guest]) await untilSlide(page, 2)
  expect(await seenBy(tv.page)).toEqual(['0', '1', '2', '3', '2'])
  expect(await seenBy(guest.page)).toEqual(['0', '1', '2', '3', '2'])

  await tv.page.locator('.player-caption').waitFor()
  await press('Captions')
  await tv.page.locator('.player-caption').waitFor({ state: 'detached' })
  await press('2×')
  await remote.page.getByRole('button', { name: '2×', pressed: true }).waitFor()
  await press('Black out')
  for (const { page } of [tv, guest]) await page.getByTestId('black').waitFor()
  await press('Black out')
  for (const { page } of [tv, guest]) await page.getByTestId('black').waitFor({ state: 'detached' })

  await guest.page.getByRole('button', { name: 'React with 🎉' }).click()
  await tv.page.locator('.room-reaction', { hasText: '🎉' }).waitFor()

  await host.page.getByRole('button', { name: 'Remove' }).click()
  await host.page.getByRole('button', { name: 'Remove' }).waitFor({ state: 'detached' })
  await press('Next')
  await remote.page.getByText('This link cannot control the room.').waitFor()

  await host.page.getByRole('button', { name: 'End the room' }).click()
  const question = host.page.getByRole('dialog', { name: 'End this room?' })
  await question.getByText('shows “This room has ended.”').waitFor()
  await question.getByRole('button', { name: 'End the room' }).click()
  for (const { page } of [tv, guest, host]) await page.getByText('This room has ended.').waitFor()
  expect([...tv.errors, ...guest.errors]).toEqual([])
})

test('a screen that lost its network is in step again once it is back', async () => {
  const id = await world.makeManual(ana, numbered(8, { durationMs: 3000 }))
  const { room } = await ana.rooms.open({ body: { sessionId: id, loop: true } })
  const { code } = room
  const [one, other] = [await wrongAndSlow(television), await world.visit(null, television)]
  for (const { page } of [one, other]) await page.goto(`/tv/${code}`)
  const lead = (body: Parameters<Person['rooms']['command']>[0]['body']) =>
    ana.rooms.command({ params: { code }, body })
  await lead({ command: 'play' })
  for (const { page } of [one, other]) await untilSlide(page, 0)
  await one.page.context().setOffline(true)
  // It continues by itself while it has pictures.
  await untilSlide(other.page, 1)
  await untilSlide(one.page, 1)
  await lead({ command: 'pause' })
  await lead({ command: 'seek', slide: 6 })
  await untilSlide(other.page, 6)
  expect(await stageOf(one.page).getAttribute('data-slide')).not.toBe('6')
  await one.page.context().setOffline(false)
  await untilSlide(one.page, 6)
})

test('an unknown code, and a room for adults, get a message', async () => {
  const visitor = await world.visit(null, phone)
  await visitor.page.goto('/tv')
  await visitor.page.getByRole('textbox', { name: 'Letter 1 of 6' }).waitFor()
  await visitor.page.keyboard.type('abcdef')
  await visitor.page.getByRole('button', { name: 'Join' }).click()
  await visitor.page.waitForURL('**/tv/ABCDEF')
  await visitor.page.getByText('This room does not exist.').waitFor()
  await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  const id = await world.makeManual(ana, numbered(2), { nsfw: true })
  const { room } = await ana.rooms.open({ body: { sessionId: id } })
  await visitor.page.goto(`/tv/${room.code}`)
  await visitor.page.getByText('This room is for age-verified accounts.').waitFor()
  await visitor.page.goto(`/remote/${room.code}`)
  await visitor.page.getByText('This room is for age-verified accounts.').waitFor()
})

test('content that may no longer be seen disappears from every screen', async () => {
  await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  const open = async (sessionId: number) => {
    const { room } = await ana.rooms.open({ body: { sessionId } })
    const tv = await world.visit(null, television)
    await tv.page.goto(`/tv/${room.code}`)
    await untilSlide(tv.page, 0)
    return tv.page
  }
  const hidden = await world.makeManual(ana, numbered(2))
  const deleted = await world.makeManual(ana, numbered(2))
  const [adults, gone] = [await open(hidden), await open(deleted)]
  await ana.sessions.update({ params: { id: String(hidden) }, body: { nsfw: true } })
  await ana.sessions.remove({ params: { id: String(deleted) } })
  await adults.getByText('This room is for age-verified accounts.').waitFor()
  await gone.getByText('This room has ended.').waitFor()
  for (const page of [adults, gone]) expect(await page.locator('img').count()).toBe(0)
})

test('a television whose room does not exist enters another by arrow keys alone', async () => {
  const id = await world.makeManual(ana, numbered(2, { durationMs: stays }))
  const tv = await world.visit(null, television)
  await tv.page.goto('/tv/ZZZZZZ')
  await tv.page.getByRole('heading', { name: 'This room does not exist.' }).waitFor()
  await tv.page.keyboard.press('ArrowRight')
  await tv.page.getByRole('heading', { name: 'Join a room' }).waitFor()
  const { room } = await ana.rooms.open({ body: { sessionId: id } })
  await enterByArrows(tv.page, room.code)
  await tv.page.getByText('Waiting for the host to start').waitFor()
  await ana.rooms.command({ params: { code: room.code }, body: { command: 'end' } })
  await tv.page.getByRole('heading', { name: 'This room has ended.' }).waitFor()
  await tv.page.keyboard.press('ArrowRight')
  await tv.page.getByRole('heading', { name: 'Join a room' }).waitFor()
})

test('the next account on this device opens its own room', async () => {
  const bo = await world.as('bo')
  const id = await world.makeManual(ana, numbered(2, { durationMs: stays }))
  const { shareCode } = await ana.sharing.shareSession({ params: { id: String(id) }, body: {} })
  const device = await world.visit(ana)
  const openRoom = async () => {
    // The controls hide when the pointer does not move.
    await device.page.mouse.move(200, 200)
    await device.page.mouse.move(240, 240)
    await device.page.getByRole('button', { name: 'Play on other screens' }).click()
    const code = await device.page.getByTestId('room-code').textContent()
    await device.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    return code
  }
  await device.page.goto(`/shared/${shareCode}/play`)
  await untilShown(device.page, '/0.jpg')
  const first = await openRoom()
  expect(await openRoom()).toBe(first)
  await device.page.context().clearCookies()
  await device.page.context().addCookies(cookiesOf(bo, world.url))
  expect(await openRoom()).not.toBe(first)
})

test('a television that loses its network before its page is loaded continues when it is back', async () => {
  const tv = await world.visit(null, television)
  let isAway = true
  await tv.page.route('**/assets/room-pages*', (route) =>
    isAway ? route.abort('internetdisconnected') : route.continue(),
  )
  await tv.page.goto('/tv')
  await tv.page.getByRole('button', { name: 'Reload' }).waitFor()
  await tv.page.context().setOffline(true)
  isAway = false
  await tv.page.context().setOffline(false)
  await tv.page.getByRole('heading', { name: 'Join a room' }).waitFor()
})
