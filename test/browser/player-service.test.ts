/**
 * The player with the service: its requests, their price, kept settings, and the same order for everyone
 * with a link.
 */
import type { Page, Response } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { PlayerWorld } from '../support/player-world.ts'
import {
  createPlayerWorld,
  numbered,
  recordShown,
  stays,
  untilShown,
} from '../support/player-world.ts'
import type { Person } from '../support/world.ts'

let world: PlayerWorld
let ana: Person
let ben: Person

beforeAll(async () => {
  world = await createPlayerWorld({
    RATE_LIMIT_PUBLIC: '500/900',
    RATE_LIMIT_CAPTIONS: '300/900',
    CAPTION_PROVIDER: 'demo',
  })
  ana = await world.as('ana')
  ben = await world.as('ben')
})

afterEach(async () => {
  await Promise.all(world.browser.contexts().map((context) => context.close()))
})

afterAll(async () => {
  await world?.close()
})

test('25 slides cost at most 10 limited requests, and at most one caption each', async () => {
  const id = await world.makeFilled(ana, 25, { intervalMin: 60, intervalMax: 60 })
  const { page, errors } = await world.visit(ana)
  const limited = countLimited(page)
  const shown = await recordShown(page)
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  for (let slide = 1; slide < 25; slide += 1) {
    await page.keyboard.press('ArrowRight')
    await untilShown(page, `/${slide}.jpg`)
  }
  await page.keyboard.press('ArrowRight')
  await page.getByRole('heading', { name: 'That was the last slide.' }).waitFor()
  await page.waitForLoadState('domcontentloaded')
  expect(await shown()).toHaveLength(25)
  expect(limited.others.length, limited.others.join('\n')).toBeLessThanOrEqual(10)
  expect(limited.captions).toBeLessThanOrEqual(25)
  expect(errors).toEqual([])
})

test('a link that ends while it plays shows the reason, not the end card', async () => {
  const id = await world.makeManual(ana, numbered(8, { durationMs: stays }))
  const share = (body: object) =>
    ana.sharing.shareSession({ params: { id: String(id) }, body: { access: 'anyone', ...body } })
  const open = { expiresAt: null, password: null }
  const soon = () => new Date(world.clock.now().getTime() + 60_000).toISOString()
  const ends = {
    'The owner has stopped sharing this session.': () =>
      share({ expiresAt: new Date(0).toISOString() }),
    'The owner has changed the password of this link.': () => share({ password: 'open sesame' }),
    'This link has expired.': async () => {
      await share({ expiresAt: soon() })
      world.clock.advance(61_000)
    },
  }
  const { shareCode } = await share(open)
  for (const [reason, end] of Object.entries(ends)) {
    const { page } = await world.visit(null)
    await page.goto(`/shared/${shareCode}/play`)
    await untilShown(page, '/0.jpg')
    await end()
    await page.route('**/7.jpg', (route) => route.fulfill({ status: 404 }))
    await page.keyboard.press('End')
    await page.getByRole('heading', { name: reason }).waitFor()
    await pressOffCard(page, ' ')
    expect(await page.getByRole('button', { name: 'Play', exact: true }).count()).toBe(1)
    // The result is the same when every picture was already loaded.
    const whole = await world.visit(null)
    await share(open)
    await whole.page.goto(`/shared/${shareCode}/play?slide=8`)
    await untilShown(whole.page, '/7.jpg')
    await end()
    await whole.page.keyboard.press('ArrowRight')
    await whole.page.getByRole('heading', { name: reason }).waitFor()
    await page.reload()
    if (reason.includes('password')) await page.getByText('This link has a password').waitFor()
    else await page.getByRole('heading', { name: reason }).waitFor()
    await share(open)
  }
})

test('a caption is written for the current slide, and is cached for the next time', async () => {
  const id = await world.makeFilled(ana, 3, { intervalMin: 60, intervalMax: 60 })
  const { page } = await world.visit(ana)
  const first = countLimited(page)
  await page.goto(`/play/${id}`)
  const words = page.locator('.burnt-words')
  await words.waitFor()
  const text = (await words.textContent()) ?? ''
  expect(text.length).toBeGreaterThan(20)
  await page.getByTestId('spoken').getByText(text).waitFor()
  await page.keyboard.press('End')
  await untilShown(page, '/2.jpg')
  await words.and(page.locator(':not(:empty)')).waitFor()
  expect(first.captions).toBe(3)

  const again = countLimited(page)
  await page.reload()
  await words.waitFor()
  await expect.poll(() => words.textContent()).toBe(text)
  expect(again.captions).toBe(0)
})

test('when captions are off, none are requested', async () => {
  const id = await world.makeFilled(ana, 3, { title: 'Silent', intervalMin: 60, intervalMax: 60 })
  const { page } = await world.visit(ana)
  await page.addInitScript(() => {
    localStorage.setItem('lanternist:player', JSON.stringify({ showsCaptions: false }))
  })
  const limited = countLimited(page)
  await page.goto(`/play/${id}`)
  await untilShown(page, '/0.jpg')
  await page.keyboard.press('ArrowRight')
  await untilShown(page, '/1.jpg')
  expect([limited.captions, await page.locator('.burnt-words').count()]).toEqual([0, 0])
  await page.keyboard.press('c')
  await page.locator('.burnt-words').waitFor()
})

test('the price of a slide is shown before it plays, to the viewer who pays', async () => {
  const voice = { captionTheme: 'custom', aiPrompt: 'In verse', isPublic: true }
  const price = 'Playing it costs 1 credit for each slide.'
  const filled = await world.makeFilled(ana, 5, voice)
  const byHand = await world.makeManual(ana, numbered(5), voice)
  const plain = await world.makeFilled(ana, 5)
  const owner = await world.visit(ana)
  const guest = await world.visit(ben)
  for (const { page, id, isSaid } of [
    { page: owner.page, id: filled, isSaid: true },
    { page: owner.page, id: byHand, isSaid: false },
    { page: owner.page, id: plain, isSaid: false },
    { page: guest.page, id: byHand, isSaid: true },
  ]) {
    await page.goto(`/sessions/${id}`)
    await page.getByRole('link', { name: 'Play', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    if (isSaid) await page.getByText(price).waitFor()
    else expect([id, await page.getByText(price).count()]).toEqual([id, 0])
  }
})

test('the page of a link shows what members pay, and nothing if it is free', async () => {
  const price = 'Members pay 1 credit for each slide.'
  const voice = { captionTheme: 'custom', aiPrompt: 'In verse' }
  const params = { id: String(await world.makeManual(ana, numbered(5), voice)) }
  const { shareCode } = await ana.sharing.shareSession({ params, body: {} })
  const guest = await world.visit(ben)
  await guest.page.goto(`/shared/${shareCode}`)
  await guest.page.getByText(price).waitFor()
  const visitor = await world.visit(null)
  await visitor.page.goto(`/shared/${shareCode}`)
  await visitor.page.getByText(price).waitFor()

  // With a link for everyone, a visitor without an account plays for free.
  await ana.sharing.shareSession({ params, body: { access: 'anyone' } })
  await visitor.page.reload()
  await visitor.page.getByRole('link', { name: 'Play', exact: true }).waitFor()
  await visitor.page.waitForLoadState('networkidle')
  expect(await visitor.page.getByText(price).count()).toBe(0)
})

test('charges are shown, and a viewer without credits gets a message', async () => {
  const settings = { aiPrompt: 'In verse', intervalMin: 60, intervalMax: 60 }
  const id = await world.makeFilled(ben, 10, settings)
  const { page } = await world.visit(ben)
  await page.goto(`/play/${id}`)
  await page.getByText('1 credit for this slide, 49 left').waitFor()

  await world.ctx.db
    .updateTable('credit_accounts')
    .set({ balance: 3 })
    .where('user_id', '=', (await ben.accounts.currentUser()).id)
    .execute()
  for (let slide = 1; slide <= 6; slide += 1) {
    await page.keyboard.press('ArrowRight')
    await untilShown(page, `/${slide}.jpg`)
  }
  await page.getByRole('heading', { name: 'You do not have enough credits to continue.' }).waitFor()
  await expect
    .poll(() => page.getByRole('link', { name: 'Your credits' }).getAttribute('href'))
    .toBe('/credits')
})

test('the cost of a show is subtracted from the balance on the page behind it', async () => {
  const settings = { aiPrompt: 'In verse', intervalMin: 60, intervalMax: 60 }
  const id = await world.makeFilled(ana, 4, settings)
  const { balance } = await ana.credits.balance()
  const { page } = await world.visit(ana)
  await page.goto('/library')
  await page.locator(`a[href="/play/${id}"]`).first().click()
  await page.getByText('1 credit for this slide').waitFor()
  await page.keyboard.press('ArrowRight')
  await untilShown(page, '/1.jpg')
  await page.keyboard.press('Escape')
  await page.waitForURL('/library')
  const shown = page.locator('header a[href="/credits"]')
  await expect.poll(() => shown.innerText()).toMatch(new RegExp(`^${balance - 2}\\b`))
  expect((await ana.credits.balance()).balance).toBe(balance - 2)
})

test('a link plays the same pictures for the same times for two viewers', async () => {
  const id = await world.makeManual(ana, numbered(8), { intervalMin: 2, intervalMax: 40 })
  const { shareCode } = await ana.sharing.shareSession({ params: { id: String(id) }, body: {} })
  const [one, other] = await Promise.all([
    readPlaylist(ana, shareCode),
    readPlaylist(ben, shareCode),
  ])
  expect(one).toEqual(other)
  expect(one.map(({ path }) => path)).toEqual(numbered(8).map(({ path }) => path))
  expect(new Set(one.map(({ shownFor }) => shownFor)).size).toBeGreaterThan(4)

  const visitor = await world.visit(null)
  await visitor.page.goto(`/shared/${shareCode}/play`)
  await untilShown(visitor.page, '/0.jpg')
  expect(await aboutSlide(visitor.page)).toBe(one[0]?.shownFor)
  await visitor.page.keyboard.press('End')
  await visitor.page.keyboard.press('ArrowRight')
  await visitor.page.getByRole('heading', { name: 'There are 5 more slides.' }).waitFor()
  const signIn = await visitor.page.getByRole('link', { name: 'Sign in' }).getAttribute('href')
  expect(signIn).toBe(`/login?redirect=${encodeURIComponent(`/shared/${shareCode}/play`)}`)
})

test('a link with a password plays for viewers with the password, and asks others for it', async () => {
  const id = await world.makeManual(ana, numbered(2, { durationMs: stays }))
  const params = { id: String(id) }
  const { shareCode } = await ana.sharing.shareSession({
    params,
    body: { password: 'open sesame' },
  })
  const { page } = await world.visit(ben)
  await page.goto(`/shared/${shareCode}/play`)
  await page.waitForURL(`**/shared/${shareCode}`)
  await page.evaluate(
    (code) => sessionStorage.setItem(`lanternist:share-password:${code}`, 'open sesame'),
    shareCode,
  )
  await page.goto(`/shared/${shareCode}/play`)
  await untilShown(page, '/0.jpg')
})

test('leaving returns to the previous page, and going back does not return to the show', async () => {
  const id = await world.makeManual(ana, numbered(2, { durationMs: stays }))
  const { page } = await world.visit(ana)
  await page.goto('/library')
  await page.locator(`a[href="/sessions/${id}"]`).first().click()
  await page.waitForURL(`/sessions/${id}`)
  await page.locator(`a[href="/play/${id}"]`).first().click()
  await untilShown(page, '/0.jpg')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.waitForURL(`/sessions/${id}`)
  await page.goBack()
  await page.waitForURL('/library')

  await page.locator(`a[href="/play/${id}"]`).first().click()
  await untilShown(page, '/0.jpg')
  await page.keyboard.press('i')
  await page.getByRole('dialog').waitFor()
  await page.evaluate(() => history.back())
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(page.url()).toContain(`/play/${id}`)
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('/library')

  const { page: fresh } = await world.visit(ana)
  await fresh.goto(`/play/${id}`)
  await untilShown(fresh, '/0.jpg')
  await fresh.getByRole('button', { name: 'Leave' }).click()
  await fresh.waitForURL(`/sessions/${id}`)
  await fresh.goBack()
  expect(fresh.url()).not.toContain('/play/')
})

test('a visitor is asked to sign in, and a missing session gets a message', async () => {
  const id = await world.makeManual(ana, numbered(1))
  const { page } = await world.visit(null)
  await page.goto(`/play/${id}`)
  await page.waitForURL(`**/login?redirect=${encodeURIComponent(`/play/${id}`)}`)
  const bens = await world.visit(ben)
  await bens.page.goto(`/play/${id}`)
  await bens.page.getByText('You do not have access to this session').waitFor()
})

/**
 * Returns each slide with its duration, first in order and then shuffled, as one person's browser plays
 * it.
 */
async function readPlaylist(person: Person, code: string) {
  const { page } = await world.visit(person)
  const shown = await recordShown(page)
  await page.goto(`/shared/${code}/play`)
  await untilShown(page, '/0.jpg')
  await page.keyboard.press(' ')
  const times: string[] = []
  for (let slide = 0; slide < 8; slide += 1) {
    await untilShown(page, `/${slide}.jpg`)
    times.push(await aboutSlide(page))
    if (slide < 7) await page.keyboard.press('ArrowRight')
  }
  const paths = await shown()
  return paths.map((path, at) => ({ path, shownFor: times[at] }))
}

/** Presses a key while no button of the end card has the focus. */
async function pressOffCard(page: Page, key: string): Promise<void> {
  const focused = page.locator('.player-card :focus')
  await focused.waitFor()
  await focused.blur()
  await page.keyboard.press(key)
}

async function aboutSlide(page: Page): Promise<string> {
  await page.keyboard.press('i')
  const about = page.getByRole('dialog', { name: 'About this picture' })
  const shownFor = (await about.getByText(/^\d+\.\d s$/).textContent()) ?? ''
  await page.keyboard.press('Escape')
  await about.waitFor({ state: 'detached' })
  return shownFor
}

/** Counts the requests that count towards a rate limit, those for captions separately. */
function countLimited(page: Page): { captions: number; readonly others: string[] } {
  const counted = { captions: 0, others: [] as string[] }
  page.on('response', (response: Response) => {
    if (response.headers()['x-ratelimit-limit'] === undefined) return
    const { pathname } = new URL(response.url())
    if (pathname === '/api/generate-caption') counted.captions += 1
    else counted.others.push(`${response.request().method()} ${pathname}`)
  })
  return counted
}
