/**
 * The web client's shell in a real Chromium: it renders, is accessible, and signs in and out as the
 * contract says. The tests answer its API requests. The journeys use the real API.
 */
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { expectOpenToAll } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { serveWebSite, type WebSite } from '../support/web-site.ts'

const mara = {
  id: 'user-1',
  email: 'mara@example.test',
  firstName: 'Mara',
  lastName: null,
  profileImageUrl: null,
  role: 'user',
  isActive: true,
  ageVerified: false,
  birthDate: null,
  referralCode: 'ABCD2345',
  referredBy: null,
  onboardingCompleted: false,
  interests: {},
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

const credits = {
  balance: 1240,
  tier: 'full_access',
  isLowBalance: false,
  nextAllocationDate: '2026-02-01T00:00:00.000Z',
}

const offeredSite = {
  name: 'Lanternist',
  version: '1.0.0',
  registration: 'open',
  signIn: ['password', 'oidc', 'development'],
  credits: 'on',
  mail: false,
  feeds: [],
  captions: true,
  paymentMethods: [],
  uploadLimitMb: 100,
  sourceUrl: null,
  languages: ['en'],
}

let site: WebSite
let browser: Browser
const openContexts: BrowserContext[] = []

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
  site = await serveWebSite(join(import.meta.dirname, '../../dist/web'))
  browser = await openBrowser()
})

afterEach(async () => {
  await Promise.all(openContexts.splice(0).map((context) => context.close()))
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

test('the pages show in their own fonts, without an error or a breach of the content policy', async () => {
  const { page, errors } = await openVisit()
  for (const path of ['/', '/login', '/register', '/no/such/page']) {
    await page.goto(site.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
  }
  await page.goto(site.url)
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  await expect.poll(() => loadedFonts(page)).toEqual(['Hanken Grotesk', 'Literata'])
  expect(errors).toEqual([])
})

test('no page has an accessibility barrier', async () => {
  const { page, service } = await openVisit()
  for (const path of ['/', '/login', '/register', '/no/such/page']) {
    await page.goto(site.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectOpenToAll(page, path)
  }

  await page.goto(`${site.url}/register`)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Choose a password of at least 10 characters.').waitFor()
  await expectOpenToAll(page, 'what is wrong in a form')

  service.signedIn = true
  await page.goto(site.url)
  await page.getByText('No sessions yet').waitFor()
  await expectOpenToAll(page, 'an empty library')
})

test('a visitor with only a keyboard signs in and reaches the requested page', async () => {
  const { page, service } = await openVisit()
  await page.goto(`${site.url}/login?redirect=%2Fregister-not-taken`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  const reached: string[] = []
  for (let step = 0; step < 6; step++) {
    await page.keyboard.press('Tab')
    reached.push(await focusedName(page))
    if (reached.at(-1) === 'Email') await page.keyboard.type('mara@example.test')
    if (reached.at(-1) === 'Password') await page.keyboard.type('correct horse battery')
  }
  expect(reached).toEqual([
    'Skip to the content',
    'Lanternist',
    'Email',
    'Password',
    'Show password',
    'Sign in',
  ])
  expect(await focusRing(page)).toBe('solid 2px')
  await page.keyboard.press('Enter')

  await page.waitForURL(`${site.url}/register-not-taken`)
  expect(service.received).toEqual([
    {
      path: '/api/login',
      accept: 'application/json',
      body: { email: 'mara@example.test', password: 'correct horse battery' },
    },
  ])
})

test.each(['//elsewhere.example', '/\\elsewhere.example', 'https://elsewhere.example', 'vault'])(
  'signing in never leads away from the site: %s',
  async (target) => {
    const { page } = await openVisit()
    await page.goto(`${site.url}/login?redirect=${encodeURIComponent(target)}`)
    await fillIn(page, { Email: 'mara@example.test', Password: 'correct horse battery' })
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('1,240').waitFor()
    expect(page.url()).toBe(`${site.url}/library`)
  },
)

test('wrong credentials get a message, and the typed e-mail stays', async () => {
  const { page, service } = await openVisit()
  service.refuseSignIn = { status: 401, body: { message: 'Invalid credentials' } }
  await page.goto(`${site.url}/login`)
  await fillIn(page, { Email: 'mara@example.test', Password: 'a guess' })
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Invalid credentials').waitFor()
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('mara@example.test')
})

test('after too many attempts the page says when the next one is possible', async () => {
  const { page, service } = await openVisit()
  service.refuseSignIn = {
    status: 429,
    headers: { 'retry-after': '170' },
    body: { error: 'Too Many Requests', message: 'Wait', retryAfter: 170 },
  }
  await page.goto(`${site.url}/login`)
  await fillIn(page, { Email: 'mara@example.test', Password: 'a guess' })
  await page.keyboard.press('Enter')
  const said = page.getByRole('alert').getByText('Too many attempts')
  await expect.poll(() => said.textContent()).toBe('Too many attempts. Try again in 3 minutes.')
})

test('an account is created once the password is long enough, and shows its balance', async () => {
  const { page, service } = await openVisit()
  await page.goto(`${site.url}/register`)
  await fillIn(page, { Email: 'mara@example.test', Password: 'too short' })
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Choose a password of at least 10 characters.').waitFor()
  expect(await focusedName(page)).toBe('Password')
  expect(service.received).toEqual([])

  await fillIn(page, { 'First name (optional)': ' Mara ', Password: 'long enough now' })
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('1,240').waitFor()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menu').getByText('Mara').waitFor()
  expect(service.received.map(({ path, body }) => ({ path, body }))).toEqual([
    {
      path: '/api/auth/register',
      body: { email: 'mara@example.test', password: 'long enough now', firstName: 'Mara' },
    },
  ])
})

test('signing in and out in one tab is reflected in the others', async () => {
  const { page: one, context } = await openVisit()
  const other = await context.newPage()
  await other.goto(site.url)
  await other.getByRole('link', { name: 'Sign in' }).waitFor()

  await one.goto(`${site.url}/login`)
  await fillIn(one, { Email: 'mara@example.test', Password: 'correct horse battery' })
  await one.keyboard.press('Enter')
  await one.getByRole('button', { name: 'Account menu' }).waitFor()
  await other.getByRole('button', { name: 'Account menu' }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await one.getByRole('heading', { name: 'Sign in' }).waitFor()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  const announcedAt = await one.evaluate(() => localStorage.getItem('joip_auth_sync'))
  expect(Number(announcedAt)).toBeGreaterThan(0)
})

/** The state of the mocked API and the requests that it received. */
type Service = {
  signedIn: boolean
  refuseSignIn: { status: number; headers?: Record<string, string>; body: object } | null
  received: { path: string; accept: string | undefined; body: unknown }[]
}

async function openVisit(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  openContexts.push(context)
  const service: Service = { signedIn: false, refuseSignIn: null, received: [] }
  await context.route('**/api/**', (route) => answer(service, route))
  const page = await context.newPage()
  return { context, page, service, errors: collectErrors(page) }
}

async function answer(service: Service, route: Route): Promise<void> {
  const request = route.request()
  const path = new URL(request.url()).pathname
  if (request.method() === 'POST' && request.postData() !== null) {
    const { accept } = request.headers()
    service.received.push({ path, accept, body: request.postDataJSON() })
  }
  if (path === '/api/auth/user') {
    if (service.signedIn) return await route.fulfill({ json: { ...mara, credits } })
    return await route.fulfill({ status: 401, json: { message: 'Unauthorized' } })
  }
  if (path === '/api/site') return await route.fulfill({ json: offeredSite })
  if (path === '/api/auth/logout') {
    service.signedIn = false
    return await route.fulfill({ json: { message: 'Signed out' } })
  }
  if (['/api/sessions', '/api/tags', '/api/categories'].includes(path))
    return await route.fulfill({ json: [] })
  if (path === '/api/user/notices')
    return await route.fulfill({ json: { items: [], unread: 0, nextCursor: null } })
  if (path === '/api/login' && service.refuseSignIn) {
    const { status, headers = {}, body } = service.refuseSignIn
    return await route.fulfill({ status, headers, json: body })
  }
  service.signedIn = true
  if (path === '/api/login') return await route.fulfill({ status: 302, headers: { location: '/' } })
  return await route.fulfill({ status: 201, json: mara })
}

/** Collects all errors of the browser, including breaches of the content security policy. */
function collectErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('requestfailed', (request) => errors.push(`${request.url()} failed`))
  page.on('console', (message) => {
    // The browser logs every 401. Here 401 is the normal answer for a visitor.
    if (message.location().url.endsWith('/api/auth/user')) return
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text())
  })
  return errors
}

async function fillIn(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await page.getByLabel(label, { exact: true }).fill(value)
  }
}

function loadedFonts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const fonts = await document.fonts.ready
    return [...fonts]
      .filter((font) => font.status === 'loaded')
      .map((font) => font.family.replaceAll('"', ''))
  })
}

function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement
    const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.textContent : null
    return label ?? focused?.getAttribute('aria-label') ?? focused?.textContent ?? ''
  })
}

function focusRing(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!)
    return `${outlineStyle} ${outlineWidth}`
  })
}
