/**
 * The pages against the real service, as people use them: an account, a session that is filled, a link
 * that a stranger opens, a copy from the community, and error messages.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { phone } from '../support/accessibility.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

test('a new visitor creates an account and a session, and sees it fill', async () => {
  const { page, open, errors } = await world.visit({ viewport: phone })
  await open('/register')
  await page.getByLabel('First name (optional)').fill('Mara')
  await page.getByLabel('Email').fill('mara@example.test')
  await page.getByLabel('Password', { exact: true }).fill('a long enough password')
  await page.getByRole('button', { name: 'Create account' }).click()

  await page.getByText('No sessions yet').waitFor()
  await page.getByRole('button', { name: 'Skip' }).click()
  await page.getByText('Three questions').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: '50 credits' }).click()
  await page.getByText('Spent 0 and received 50 so far.').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'New session' }).click()
  await page.getByRole('link', { name: /^Upload photos.*It costs nothing/ }).waitFor()
  await page.getByRole('link', { name: /^Import/ }).waitFor()
  await page.getByRole('link', { name: /^From feeds/ }).click()

  await page.getByRole('button', { name: 'Make session' }).click()
  await page.getByText('Enter a title.').waitFor()
  await page.getByLabel('Title').fill('Harbours in winter')
  await page.getByLabel('Feeds', { exact: true }).fill('slowwater')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove slowwater' }).waitFor()
  await page.getByText('25 of 50').waitFor()
  await page.getByRole('button', { name: 'Make session' }).click()

  await page.getByRole('heading', { name: 'Harbours in winter' }).waitFor()
  await page.getByRole('listitem').nth(4).waitFor()
  await page.getByRole('link', { name: 'Play' }).waitFor()
  await page.getByText(/^\d+\sslides\s· dissolve\s· 4\sto\s9\ss$/).waitFor()
  await page.getByRole('link', { name: '25 credits' }).click()
  await page.getByText('Spent 25 and received 50 so far.').waitFor()
  expect(errors).toEqual([])

  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('link', { name: 'Play Harbours in winter' }).waitFor()
})

test('a page requests its first data once, and a visitor’s page does not request the user', async () => {
  const member = await world.signedIn(1)
  const asked: string[] = []
  member.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await member.open('/library')
  await member.page.getByRole('article').first().waitFor()
  for (const path of ['/api/auth/user', '/api/sessions'])
    expect(asked.filter((one) => one === path)).toEqual([path])

  const visitor = await world.visit()
  const answers: number[] = []
  visitor.page.on('response', (response) => answers.push(response.status()))
  await visitor.open('/')
  await visitor.page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  expect(answers).not.toContain(401)
})

test('a favourite is stored, found by its filter, and a deleted session disappears', async () => {
  const { page, open } = await world.signedIn(3)
  await world.makeSession(page, 'Kept for long')
  await open('/library')
  const star = page.getByRole('button', { name: 'Favourite Kept for long' })
  await star.click()
  await star.and(page.locator('[aria-pressed=true]')).waitFor()
  await page.getByRole('button', { name: 'Favourites' }).click()
  await page.getByRole('link', { name: 'Kept for long', exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('?favourites=1')

  await page.getByRole('searchbox').fill('nothing like this')
  await page.getByText('No sessions found').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('link', { name: 'Kept for long', exact: true }).waitFor()

  await page.getByRole('button', { name: 'More for Kept for long' }).click()
  await page.getByRole('menuitem', { name: 'Move to trash' }).click()
  await page.getByText('“Kept for long” is in the trash.').waitFor()
  await page
    .getByRole('link', { name: 'Kept for long', exact: true })
    .waitFor({ state: 'detached' })
})

test('a favourite that is set while a list is loading stays set', async () => {
  const { context, page, open } = await world.signedIn(3)
  await world.makeSession(page, 'Starred in passing')
  await open('/library')
  const star = page.getByRole('button', { name: 'Favourite Starred in passing' })
  await star.waitFor()
  const lit = Promise.withResolvers<void>()
  const isOld = Promise.withResolvers<void>()
  await context.route(
    '**/api/sessions?*favorite=true*',
    async (route) => {
      const old = await route.fetch()
      isOld.resolve()
      await lit.promise
      await route.fulfill({ response: old })
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Favourites' }).click()
  await isOld.promise
  await star.click()
  await star.and(page.locator('[aria-pressed=true]')).waitFor()
  const told = page.waitForResponse((answer) => answer.url().includes('favorite=true'))
  lit.resolve()
  await told
  await star.and(page.locator('[aria-pressed=true]')).waitFor()
})

test('a shared session opens for a visitor and for a member, and ends when it is stopped', async () => {
  const owner = await world.signedIn(1)
  const id = await world.makeSession(owner.page, 'Lamps by the river')
  await owner.open(`/sessions/${id}`)
  await owner.page.getByRole('button', { name: 'Share' }).click()
  await owner.page.getByLabel('Who can play it').selectOption('members')
  await owner.page.getByLabel('Password (optional)').fill('open sesame')
  await owner.page.getByRole('button', { name: 'Make the link' }).click()
  const link = new URL(await owner.page.getByLabel('Link', { exact: true }).inputValue())
  expect(link.searchParams.get('r')).toMatch(/^[A-Z0-9]{8}$/)

  const stranger = await world.visit({ viewport: phone })
  await stranger.open(link.pathname + link.search)
  await stranger.page.getByRole('heading', { name: 'This link has a password' }).waitFor()
  await stranger.page.getByLabel('Password', { exact: true }).fill('a guess')
  await stranger.page.getByRole('button', { name: 'Open' }).click()
  await stranger.page.getByText('Wrong password.').waitFor()
  expect(await stranger.page.content()).not.toContain('Lamps by the river')
  await stranger.page.getByLabel('Password', { exact: true }).fill('open sesame')
  await stranger.page.getByRole('button', { name: 'Open' }).click()
  await stranger.page.getByRole('heading', { name: 'Lamps by the river' }).waitFor()
  await expect.poll(() => stranger.page.getByRole('listitem').count()).toBe(3)
  await stranger.page.getByText('Without an account the first 3 slides play.').waitFor()
  expect(await hrefOf(stranger.page, 'Play')).toBe(`${link.pathname}/play`)
  expect(await hrefOf(stranger.page, 'Make your own')).toBe('/register')
  const here = encodeURIComponent(link.pathname + link.search)
  expect(await hrefOf(stranger.page, 'Sign in')).toBe(`/login?redirect=${here}`)

  const member = await world.signedIn(2)
  await member.open(link.pathname)
  await member.page.getByLabel('Password', { exact: true }).fill('open sesame')
  await member.page.getByRole('button', { name: 'Open' }).click()
  await member.page.getByRole('heading', { name: 'Lamps by the river' }).waitFor()
  expect(await hrefOf(member.page, 'Make your own')).toBe('/sessions/new')
  expect(await member.page.getByRole('link', { name: 'Sign in' }).count()).toBe(0)

  await owner.page.getByRole('button', { name: 'Stop sharing' }).click()
  await owner.page.getByText('The link was removed.').waitFor()
  await stranger.open(link.pathname)
  await stranger.page.getByText('The owner has stopped sharing this session.').waitFor()

  await owner.page.getByRole('button', { name: 'More', exact: true }).click()
  await owner.page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await owner.page.getByText('This is the copy. Only you can see it.').waitFor()
  await owner.page.getByRole('heading', { name: 'Lamps by the river' }).waitFor()
  expect(new URL(owner.page.url()).pathname).not.toBe(`/sessions/${id}`)
})

test('a link with default settings plays completely for a visitor, on a phone', async () => {
  const owner = await world.signedIn(1)
  const id = await world.makeSession(owner.page, 'Harbour at noon')
  await owner.page.goto(`${world.url}/sessions/${id}?share`)
  await owner.page.getByText('Anyone with the link can play it').waitFor()
  await owner.page.getByRole('switch', { name: 'Guests may download it' }).check()
  await owner.page.getByRole('button', { name: 'Make the link' }).click()
  const link = new URL(await owner.page.getByLabel('Link', { exact: true }).inputValue())

  const stranger = await world.visit({ viewport: phone })
  await stranger.open(link.pathname)
  await stranger.page.getByRole('heading', { name: 'Harbour at noon' }).waitFor()
  expect(await stranger.page.getByText('Without an account').count()).toBe(0)
  const saving = stranger.page.waitForEvent('download')
  await stranger.page.getByRole('button', { name: 'Download' }).click()
  expect((await saving).suggestedFilename()).toBe('Harbour at noon.zip')
  await stranger.page.getByRole('link', { name: 'Play' }).click()
  await stranger.page.getByRole('slider', { name: 'Slide' }).waitFor()
  const slides = await stranger.page.getByRole('slider', { name: 'Slide' }).getAttribute('max')
  expect(Number(slides)).toBe(25)
})

test('a session is published, found by another member, and saved for credits once', async () => {
  const owner = await world.signedIn(1)
  const id = await world.makeSession(owner.page, 'Arcades of the south')
  await owner.open(`/sessions/${id}`)
  await owner.page.getByRole('button', { name: 'More', exact: true }).click()
  await owner.page.getByRole('menuitem', { name: 'Publish to the community' }).click()
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await owner.page.getByText('The session is being published.').waitFor()

  const other = await world.signedIn(3)
  await world.publishedId(other.page, 'Arcades of the south')
  await other.open('/community?kind=sessions')
  const before = await balanceOf(other.page)
  await other.page.getByRole('link', { name: /Arcades of the south/ }).click()
  await other.page.getByRole('link', { name: 'Play', exact: true }).click()
  await other.page.locator('.player-frame.is-shown').waitFor()
  await other.page.keyboard.press('Escape')
  await other.page.waitForURL(/\/community\/\d+$/)
  expect(await balanceOf(other.page)).toBe(before)
  await other.page.getByRole('button', { name: /Save a copy/ }).click()
  await other.page.getByText('Saved to your library.').waitFor()
  await other.page.waitForURL(/\/sessions\/\d+$/)
  await other.page.getByRole('heading', { name: 'Arcades of the south' }).waitFor()
  await other.page
    .getByRole('link', { name: `${(before - 25).toLocaleString('en')} credits` })
    .waitFor()

  await other.page.goBack()
  await other.page.getByRole('button', { name: /Save a copy/ }).click()
  await other.page.getByText('You have already saved this session.').waitFor()
  expect(await balanceOf(other.page)).toBe(before - 25)
})

test('the chosen theme stays, whatever the system prefers', async () => {
  const { page, open } = await world.signedIn(2, { colorScheme: 'light' })
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
  await open('/library')
  expect(await theme()).toBe('light')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  expect(await theme()).toBe('dark')
  await page.reload({ waitUntil: 'commit' })
  await page.waitForFunction(() => document.documentElement.dataset['theme'] !== undefined)
  expect(await theme()).toBe('dark')
  await page.emulateMedia({ colorScheme: 'dark' })
  await open('/account')
  await page.getByText('Same as the system').click()
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(theme).toBe('light')
})

test('everyone who sees a shared session can report it', async () => {
  const stranger = await world.visit()
  await stranger.open(`/shared/${await world.sharedCode()}`)
  await stranger.page.getByRole('button', { name: 'Report' }).click()
  await stranger.page.getByRole('dialog').getByLabel('Reason').selectOption('other')
  await stranger.page.getByRole('dialog').getByRole('button', { name: 'Send report' }).click()
  await stranger.page.getByRole('heading', { name: 'Thank you' }).waitFor()
})

test('an empty fill says why, and one button fills it again', async () => {
  const { context, page, open } = await world.signedIn(2)
  await world.makeSession(page, 'Rust and rivets')
  const refilled: string[] = []
  await context.route('**/api/sessions?**', async (route) => {
    const [session] = (await (await route.fetch()).json()) as object[]
    const failed = { fillStatus: 'failed', mediaCount: 0, fillError: 'The feed did not answer' }
    await route.fulfill({ json: [{ ...session, ...failed }] })
  })
  await context.route('**/refill', async (route) => {
    refilled.push(route.request().headers()['idempotency-key'] ?? '')
    // The first request gets no answer, as on a train. The next try must be the same call.
    if (refilled.length === 1) await route.abort()
    else await route.continue()
  })
  await open('/library')
  await page.getByText('The feed did not answer').waitFor()
  await page.getByRole('button', { name: /Fill again/ }).click()
  await page.getByText('The server cannot be reached.').waitFor()
  await page.getByRole('button', { name: /Fill again/ }).click()
  await expect.poll(() => refilled.length).toBe(2)
  expect(refilled[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(refilled[1]).toBe(refilled[0])
})

test('a page whose part disappeared with an update says so, and the other pages still work', async () => {
  const { context, page, open } = await world.signedIn(1)
  await open('/library')
  await context.route('**/assets/credits-page-*.js*', (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: /credits/ }).click()
  await page.getByText('The site was updated since you opened it').waitFor()
  await page.getByRole('link', { name: 'Community' }).click()
  await page.getByRole('heading', { name: 'Community' }).waitFor()

  await context.route('**/assets/play-page-*.js*', (route) => route.fulfill({ status: 404 }))
  await page.goto(`${world.url}/play/1`)
  await page.getByText('The site was updated since you opened it').waitFor()
  await page.getByRole('link', { name: 'Back to your sessions' }).click()
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
})

async function balanceOf(page: Page): Promise<number> {
  const answer = await page.request.get(`${world.url}/api/credits/balance`)
  return ((await answer.json()) as { balance: number }).balance
}

function hrefOf(page: Page, name: string): Promise<string | null> {
  return page.getByRole('link', { name, exact: true }).getAttribute('href')
}
