/**
 * The pages follow the site's settings: credits, registration, and the first session of a new account.
 * Nothing moves while they load.
 */
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectOpenToAll } from '../support/accessibility.ts'
import { countShifts, shiftsOf } from '../support/layout-shifts.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld({}, { givesOpenings: true })
})
afterEach(async () => {
  await setSite({ credits: 'on', registration: 'open', siteName: 'Lanternist' })
  await world.closeAll()
})
afterAll(() => world?.close())

async function setSite(settings: Record<string, unknown>): Promise<void> {
  const request = await world.asking(1)
  const answer = await request.patch(`${world.url}/api/admin/settings`, { data: settings })
  expect(answer.status()).toBe(200)
}

let newcomers = 0

/** Registers a new account by a request. */
async function newcomer(options: BrowserContextOptions = {}) {
  const visit = await world.visit(options)
  const email = `newcomer-${(newcomers += 1)}@example.test`
  const answer = await visit.context.request.post(`${world.url}/api/auth/register`, {
    data: { email, password: 'a long enough password' },
  })
  expect(answer.status()).toBe(201)
  return visit
}

describe('credits that are off', () => {
  test.each([
    ['desktop', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ])('show no credits on any page (%s)', async (_, viewport) => {
    const { page, open, context } = await world.signedIn(1, { viewport })
    const id = await world.makeSession(page, 'Without a price')
    // With a custom voice each slide has a price, if the site has credits.
    const voice = { captionTheme: 'custom', aiPrompt: 'In verse' }
    await context.request.patch(`${world.url}/api/sessions/${id}`, { data: voice })
    await setSite({ credits: 'off' })
    await context.request.post(`${world.url}/api/sessions/${id}/share`, { data: {} })
    for (const path of ['/library', '/account', '/sessions/new', `/sessions/${id}`, '/community']) {
      await open(path)
      await page.waitForLoadState('networkidle')
      expect(await page.locator('body').innerText(), path).not.toMatch(/credit|bonus|balance/i)
    }
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Account' }).waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/credit/i)
    await page.keyboard.press('Escape')
    await page.goto(`${world.url}/sessions/${id}?share`)
    await page.getByLabel('Link', { exact: true }).waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/credit/i)
  })

  test('do not change the making of a session', async () => {
    await setSite({ credits: 'off' })
    const { page, open } = await newcomer()
    await open('/sessions/new/feeds')
    await page.getByLabel('Title').fill('For nothing')
    await page.getByLabel('Feeds', { exact: true }).fill('nightcities')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Make session' }).first().click()
    await page.getByRole('heading', { name: 'For nothing' }).waitFor()
  })
})

describe('a visitor', () => {
  test('gets the site’s features with the page, without another request', async () => {
    await setSite({ siteName: 'The Magic Lantern' })
    const { page, open } = await world.visit()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await open('/login')
    await page.getByRole('link', { name: 'The Magic Lantern' }).waitFor()
    await page.getByRole('link', { name: 'Create one' }).waitFor()
    await page.getByRole('link', { name: 'dev 1' }).waitFor()
    expect(await page.title()).toBe('Sign in · The Magic Lantern')
    // The options for passkeys are requested only after the page is drawn.
    const forPasskeys = '/api/login/passkey/options'
    expect(asked.filter((path) => path.startsWith('/api/') && path !== forPasskeys)).toEqual([])
  })

  test('is not offered a closed registration', async () => {
    await setSite({ registration: 'closed' })
    const { page, open } = await world.visit()
    await open('/')
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    expect(await page.getByRole('link', { name: 'Create account' }).count()).toBe(0)
    await open('/login')
    expect(await page.getByRole('link', { name: 'Create one' }).count()).toBe(0)
    await open('/register')
    await page.getByText('This site does not accept new accounts').waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
  })

  test('who forgot the password reads whom to ask if the site sends no mail', async () => {
    const { page, open } = await world.visit()
    await open('/login')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByText('Ask the people who run it').waitFor()
    expect(await page.getByRole('button', { name: 'Send the link' }).count()).toBe(0)
    await expectOpenToAll(page, '/forgot-password')
  })

  test('who registers reaches the library without seeing the front page again', async () => {
    const { page, open } = await world.visit()
    await open('/register')
    await page.getByLabel('Email').fill('straight-on@example.test')
    await page.getByLabel('Password', { exact: true }).fill('a long enough password')
    const shown = new Set<string>()
    page.on('framenavigated', (frame) => shown.add(new URL(frame.url()).pathname))
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Account menu' }).waitFor()
    expect([...shown]).toEqual(['/library'])
  })

  test('sees pictures dissolve on the front page, and none with reduced motion', async () => {
    for (const [reducedMotion, moving] of [
      ['no-preference', 2],
      ['reduce', 0],
    ] as const) {
      const { page, open } = await world.visit({ reducedMotion })
      await open('/')
      await page.getByRole('img', { name: /^A slideshow/ }).waitFor()
      const animated = page
        .locator('.landing-scene')
        .evaluateAll((scenes) => scenes.filter((scene) => scene.getAnimations().length > 0).length)
      expect(await animated).toBe(moving)
    }
  })

  test('pauses those pictures with one button, until the page is loaded again', async () => {
    const { page, open, errors } = await world.visit({ reducedMotion: 'no-preference' })
    await open('/')
    const states = () =>
      page
        .locator('.landing-scene')
        .evaluateAll((scenes) =>
          scenes.flatMap((scene) => scene.getAnimations().map(({ playState }) => playState)),
        )
    const [pause, play] = ['Pause the pictures', 'Play the pictures'].map((name) =>
      page.getByRole('button', { name }),
    )
    await expect.poll(states).toEqual(['running', 'running'])
    await pause?.press('Enter')
    await expect.poll(states).toEqual(['paused', 'paused'])
    await expectOpenToAll(page, 'the front page')
    await play?.click()
    await expect.poll(states).toEqual(['running', 'running'])
    await pause?.click()
    await page.reload()
    await expect.poll(states).toEqual(['running', 'running'])
    // Where nothing moves, there is nothing to pause.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await expect.poll(states).toEqual([])
    expect(await page.getByRole('button', { name: /pictures$/ }).count()).toBe(0)
    expect(errors).toEqual([])
  })

  test('plays a demo without an account, and returns from it', async () => {
    const { page, open, errors } = await world.visit()
    await open('/')
    await page.getByRole('link', { name: 'Try it' }).click()
    await page.locator('[data-testid="stage"] img').first().waitFor()
    await page.getByText('The hills keep the night a little longer').first().waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByText('Nobody is in a hurry').first().waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: /^Your photos and feeds/ }).waitFor()
    expect(errors).toEqual([])
  })

  test('reaches the community, the report form and the API documentation from the front page', async () => {
    const { page, open } = await world.visit()
    await open('/')
    await page.getByRole('heading', { name: 'Fills itself from feeds' }).waitFor()
    await expectOpenToAll(page, '/')
    const docs = page.getByRole('link', { name: 'API' })
    await expect.poll(() => docs.getAttribute('href')).toBe('/api/docs')
    await page.getByRole('link', { name: 'Report something' }).click()
    await page.getByRole('heading', { name: 'Report something' }).waitFor()
    await expectOpenToAll(page, '/report')
    await open('/')
    await page.getByRole('link', { name: 'Community' }).click()
    await page.waitForURL('**/community')
    await page.getByRole('heading', { name: 'Community' }).waitFor()
  })

  test('reports a link by its address', async () => {
    const code = await world.sharedCode()
    const { page, open } = await world.visit()
    await open('/report')
    await page.getByLabel('Address').fill('https://elsewhere.example/cats')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').filter({ hasText: 'not the address of a shared' }).waitFor()
    await page.getByLabel('Address').fill(`${world.url}/shared/${code}?r=ABCD1234`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Reason').selectOption('other')
    const sent = page.waitForResponse((answer) => answer.url().endsWith('/api/reports'))
    await page.getByRole('button', { name: 'Send report' }).click()
    expect((await sent).status()).toBe(202)
  })
})

describe('a new account', () => {
  test('opens on a filled session, and is offered steps that fit its answers', async () => {
    const owner = await world.signedIn(1)
    const id = await world.makeSession(owner.page, 'Night walks')
    const address = `${world.url}/api/sessions/${id}`
    await owner.context.request.patch(address, { data: { tags: ['night'] } })
    await world.publish(owner.page, id)
    await world.publishedId(owner.page, 'Night walks')

    const { page, open } = await newcomer()
    await open('/library')
    await page.getByRole('link', { name: 'Play Slow light' }).waitFor()
    expect(await page.getByRole('heading', { name: 'For you' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Making' }).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'My own pictures' }).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Night', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    const offers = page.getByRole('region', { name: 'For you' })
    await offers.getByRole('link', { name: /Night walks/ }).waitFor()
    const ways = await offers.getByRole('listitem').allInnerTexts()
    expect(ways).toEqual([
      'Use your own pictures',
      'Choose every slide yourself',
      'Fill a session from feeds',
    ])
  })
})

describe('no layout shift', () => {
  test.each([
    ['/account', { width: 1440, height: 900 }],
    ['/account', { width: 390, height: 844 }],
    ['/credits', { width: 1440, height: 900 }],
    ['/credits', { width: 390, height: 844 }],
    ['/sessions/new/feeds', { width: 1440, height: 900 }],
    ['/sessions/new/feeds', { width: 390, height: 844 }],
    ['/library', { width: 1440, height: 900 }],
  ])('while %s loads piece by piece', async (path, viewport) => {
    const { page, open } = await world.signedIn(1, { viewport })
    // Each answer is delayed, so that every loading state is drawn.
    await page.route('**/api/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400))
      await route.continue()
    })
    await page.addInitScript(countShifts)
    await open(path)
    await page.waitForLoadState('networkidle')
    await page.waitForFunction(() => document.querySelector('.skeleton') === null)
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    const { total, parts } = await shiftsOf(page)
    expect(total, JSON.stringify(parts)).toBeLessThanOrEqual(0.02)
  })
})

describe('appearance', () => {
  test('a wide screen has more columns, and the header is above the page', async () => {
    const { page, open } = await world.signedIn(1, { viewport: { width: 2560, height: 1300 } })
    await open('/library')
    await page.getByRole('article').first().waitFor()
    const places = await page.evaluate(() => {
      const leftOf = (selector: string) =>
        document.querySelector(selector)?.getBoundingClientRect().left ?? -1
      const grid = document.querySelector('article')?.parentElement
      const columns = grid ? getComputedStyle(grid).gridTemplateColumns.split(' ').length : 0
      return { mark: leftOf('header a svg'), heading: leftOf('main h1'), columns }
    })
    expect(Math.abs(places.mark - places.heading)).toBeLessThanOrEqual(4)
    expect(places.columns).toBeGreaterThanOrEqual(6)
  })

  test('a session is large only among at least five', async () => {
    const { page, open, context } = await newcomer()
    await open('/library')
    const play = page.getByRole('link', { name: 'Play', exact: true })
    await page.getByRole('link', { name: 'Play Slow light' }).waitFor()
    expect(await play.count()).toBe(0)
    for (const title of ['Two', 'Three', 'Four', 'Five']) {
      const slides = [{ mediaUrl: `${world.url}/favicon.svg` }]
      const data = { title, slides }
      const made = await context.request.post(`${world.url}/api/sessions/manual`, { data })
      expect(made.status()).toBe(201)
    }
    await open('/library')
    await play.waitFor()
  })

  test('a session shows its length, its date and its tags', async () => {
    const { page, open, context } = await world.signedIn(1)
    const id = await world.makeSession(page, 'Facts')
    const data = { tags: ['night'], intervalMin: 6, intervalMax: 6 }
    await context.request.patch(`${world.url}/api/sessions/${id}`, { data })
    await open(`/sessions/${id}`)
    const head = page.locator('main dl').first()
    await head.waitFor()
    await expect.poll(() => head.innerText()).toMatch(/Duration\s+about \d+ minutes?/)
    await expect.poll(() => head.innerText()).toMatch(/Created\s+\d+ \w+ 20\d\d/)
    await page.getByRole('list', { name: 'Tags' }).getByText('Night').waitFor()
  })

  test('films and animations are marked among the slides', async () => {
    const { page, open, context } = await world.signedIn(1)
    const body = { title: 'Moving', subfeeds: 'chromatropes' }
    const made = await context.request.post(`${world.url}/api/sessions`, { data: body })
    const { id } = (await made.json()) as { id: number }
    await open(`/sessions/${id}`)
    await page.getByText('Animation').first().waitFor({ state: 'attached' })
    // The next request, such as that of a dialog, goes before thumbnails that wait for a connection.
    const slides = page.getByRole('main').getByRole('listitem').getByRole('img')
    expect(await slides.count()).toBeGreaterThan(0)
    expect(await slides.and(page.locator(':not([fetchpriority=low])')).count()).toBe(0)
  })

  test('the title field shows its focus as a ring around it, and chosen text is lit', async () => {
    const { page, open } = await world.signedIn(1)
    await open('/sessions/new/feeds')
    await page.getByLabel('Title').focus()
    const ring = await page.getByLabel('Title').evaluate((field) => {
      const { outlineStyle, outlineWidth, borderBottomLeftRadius, borderTopLeftRadius } =
        getComputedStyle(field)
      return { outlineStyle, outlineWidth, borderBottomLeftRadius, borderTopLeftRadius }
    })
    expect(ring).toEqual({
      outlineStyle: 'solid',
      outlineWidth: '2px',
      borderBottomLeftRadius: '6px',
      borderTopLeftRadius: '6px',
    })
    const selected = await page.evaluate(
      () => getComputedStyle(document.body, '::selection').backgroundColor,
    )
    expect(selected).not.toBe('rgba(0, 0, 0, 0)')
  })
})
