/** Signing in with a real OIDC provider, in a real browser that follows the redirects. */
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { openBrowser } from '../support/browser.ts'
import { type OidcServer, startOidcServer } from '../support/oidc-server.ts'
import { createVisits } from '../support/visits.ts'
import { createWorld, type World } from '../support/world.ts'

const site = 'http://lanternist.test'

let provider: OidcServer
let world: World
let browser: Browser

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
  provider = await startOidcServer({ sites: [site] })
  const webFolder = join(import.meta.dirname, '../../dist/web')
  world = await createWorld(provider.settings, { webFolder })
  browser = await openBrowser({ site: { name: 'lanternist.test', url: world.url } })
})

afterAll(async () => {
  await browser?.close()
  await world?.close()
  await provider?.stop()
})

test('a visitor who signs in at the provider returns signed in to the requested page', async () => {
  const person = provider.person('ana-1', {
    email: 'ana@example.test',
    email_verified: true,
    given_name: 'Ana',
  })
  const { page, open } = await createVisits(browser, site).visit({
    extraHTTPHeaders: { 'x-person': person },
  })
  await open('/login?redirect=%2Faccount')
  await page.getByRole('link', { name: 'Continue with single sign-on' }).click()
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  expect(page.url()).toBe(`${site}/account`)
  await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Ana')

  // She signs in at the provider. So she has no password here, and cannot add one or two-factor
  // authentication.
  await open('/account/security')
  await page.getByRole('region', { name: 'Where you are signed in' }).waitFor()
  expect(
    await page.getByRole('region', { name: /Password|Two-factor authentication/ }).count(),
  ).toBe(0)
  expect(await page.locator('input[type=password]').count()).toBe(0)
})

test('a visitor whom the provider refuses returns to the start, and can try again', async () => {
  const { page, open } = await createVisits(browser, site).visit({
    extraHTTPHeaders: { 'x-person': 'nobody' },
  })
  await open('/login')
  const back = page.waitForResponse(/\/api\/callback\?/)
  await page.getByRole('link', { name: 'Continue with single sign-on' }).click()
  await back
  await page.getByRole('link', { name: 'Continue with single sign-on' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
})
