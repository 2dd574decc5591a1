/** The credit of a picture's author on the pages: in the show, on a link, on a frame (contract 16). */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pictures } from '../support/fake-feed.ts'
import type { PlayerWorld } from '../support/player-world.ts'
import { createPlayerWorld, untilShown } from '../support/player-world.ts'
import type { Person } from '../support/world.ts'

const licence = { name: 'CC BY-SA 4.0', url: 'https://creativecommons.org/licenses/by-sa/4.0' }
const postUrl = 'https://commons.example/wiki/File:Lake'

let world: PlayerWorld
let ana: Person
let id: number

beforeAll(async () => {
  world = await createPlayerWorld()
  ana = await world.as('ana')
  const media = pictures('lakes', 1, {
    author: 'A <b>painter</b>',
    licence,
    postUrl,
    alt: 'A lake between mountains',
    mediaUrl: world.site.url('/0.jpg'),
    thumbnail: world.site.url('/0.jpg'),
  })
  world.feed.put('lakes', media)
  id = await world.makeFilled(ana, 1, { subfeeds: 'lakes', intervalMin: 60, intervalMax: 60 })
})

afterAll(async () => {
  await world?.close()
})

/** Expects the sheet about a slide with its two links to other sites. */
async function expectCredit(page: Page): Promise<void> {
  await untilShown(page, '/0.jpg')
  await page.keyboard.press('i')
  const about = page.getByRole('dialog', { name: 'About this picture' })
  await about.getByText('A <b>painter</b>', { exact: true }).waitFor()
  await about.getByText('A lake between mountains', { exact: true }).waitFor()
  const links = await about
    .getByRole('link')
    .evaluateAll((all: HTMLAnchorElement[]) =>
      all.map(({ href, rel, target, textContent }) => ({ href, rel, target, textContent })),
    )
  expect(links).toEqual([
    { href: licence.url, rel: 'noreferrer license', target: '_blank', textContent: licence.name },
    { href: postUrl, rel: 'noreferrer', target: '_blank', textContent: 'Open the post' },
  ])
}

test('is shown in the player as text, with links that send no referrer', async () => {
  const { page, errors } = await world.visit(ana)
  await page.goto(`/play/${id}`)
  await expectCredit(page)
  expect(errors).toEqual([])
})

test('is shown on a frame in one line', async () => {
  const { frameUrl } = await ana.frames.create({ body: { name: 'Hall', sessionIds: [id] } })
  const { page } = await world.visit(null)
  await page.goto(new URL(frameUrl, world.url).pathname)
  await page.getByText('A <b>painter</b> · CC BY-SA 4.0', { exact: true }).waitFor()
})

test('is shown on the screens of a room in one line, once the show has started', async () => {
  const { room } = await ana.rooms.open({ body: { sessionId: id } })
  const { page } = await world.visit(null)
  await page.goto(`/tv/${room.code}`)
  const line = page.getByText('A <b>painter</b> · CC BY-SA 4.0', { exact: true })
  await page.getByText(room.code).waitFor()
  expect(await line.count()).toBe(0)
  await ana.rooms.command({ params: { code: room.code }, body: { command: 'play' } })
  await line.waitFor()
})

test('is shown behind a link to everyone who opens it', async () => {
  const { shareCode } = await ana.sharing.shareSession({ params: { id: String(id) }, body: {} })
  const { page } = await world.visit(null)
  await page.goto(`/shared/${shareCode}/play`)
  await expectCredit(page)
})
