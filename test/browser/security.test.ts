/** The pages for account security: passwords, addresses, sign-ins. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll } from '../support/accessibility.ts'
import type { MailServer } from '../support/mail-server.ts'
import { startMailServer, tokenIn } from '../support/mail-server.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'

const password = 'a long enough password'
const newPassword = 'another long password'

let mails: MailServer
let world: PageWorld

beforeAll(async () => {
  mails = await startMailServer()
  world = await createPageWorld(mails.settings)
})

afterEach(() => world.closeAll())

afterAll(async () => {
  await world?.close()
  await mails?.close()
})

async function register(page: Page, email: string): Promise<void> {
  const made = await page.request.post(`${world.url}/api/auth/register`, {
    data: { email, password },
  })
  expect(made.status()).toBe(201)
}

async function tokenFor(email: string): Promise<string> {
  await expect.poll(() => mails.to(email).length).toBeGreaterThan(0)
  return tokenIn(mails.to(email).at(-1))
}

test('a password is changed, and refused if it is wrong or weak', async () => {
  const { page, open } = await world.visit()
  await register(page, 'changing@example.test')
  await open('/account')
  await page.getByRole('region', { name: 'Security' }).getByRole('link', { name: 'Open' }).click()
  const panel = page.getByRole('region', { name: 'Password' })
  const change = async (current: string, next: string) => {
    await panel.getByLabel('Current password').fill(current)
    await panel.getByLabel('New password').fill(next)
    await panel.getByRole('button', { name: 'Change password' }).click()
  }
  await change('a wrong password', newPassword)
  await panel.getByRole('alert').filter({ hasText: 'Invalid credentials' }).waitFor()
  await change(password, 'Password123')
  await panel.getByRole('alert').filter({ hasText: 'too easy to guess' }).waitFor()
  await change(password, newPassword)
  await page.getByText('Password changed.').waitFor()
  await expectOpenToAll(page, '/account/security')
})

test('a forgotten password is replaced through the link of a mail', async () => {
  const email = 'forgetful@example.test'
  const { page, open } = await world.visit()
  await register(page, email)
  await page.request.post(`${world.url}/api/auth/logout`)
  await open('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email').fill(email)
  await expectOpenToAll(page, '/forgot-password')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
  const token = await tokenFor(email)
  await open(`/reset-password?token=${token}`)
  await page.getByLabel('New password').fill(newPassword)
  await expectOpenToAll(page, '/reset-password')
  await page.getByRole('button', { name: 'Set a password' }).click()
  await page.getByRole('heading', { name: 'Your new password is set' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).last().click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/(library)?$/)
  await open(`/reset-password?token=${token}`)
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Set a password' }).click()
  await page.getByRole('alert').filter({ hasText: 'used or has expired' }).waitFor()
  await page.getByRole('link', { name: 'Send a new link' }).waitFor()
})

test('a new address is requested, and takes effect when its mail confirms it', async () => {
  const { page, open } = await world.visit()
  await register(page, 'moving@example.test')
  await open('/account/security')
  const panel = page.getByRole('region', { name: 'Email address' })
  await panel.getByText('Your address is moving@example.test.').waitFor()
  await panel.getByLabel('New address').fill('moved@example.test')
  await panel.getByLabel('Current password').fill(password)
  await panel.getByRole('button', { name: 'Change address' }).click()
  await panel.getByText('A mail was sent to moved@example.test').waitFor()
  await open(`/confirm-email?token=${await tokenFor('moved@example.test')}`)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByText('Sign in with moved@example.test from now on.').waitFor()
  await expectOpenToAll(page, '/confirm-email')
  await open('/account/security')
  await panel.getByText('Your address is moved@example.test.').waitFor()
})

test('sign-ins are listed and ended, one and all others', async () => {
  const email = 'many@example.test'
  const { page, open } = await world.visit()
  await register(page, email)
  const signInElsewhere = async (userAgent: string) => {
    const answer = await fetch(`${world.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent },
      body: JSON.stringify({ email, password }),
      redirect: 'manual',
    })
    expect(answer.status).toBe(302)
  }
  await signInElsewhere('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
  await signInElsewhere('a program')
  await signInElsewhere('another program')
  await open('/account/security')
  const panel = page.getByRole('region', { name: 'Where you are signed in' })
  await panel.getByText('This browser').waitFor()
  await expect.poll(() => panel.getByRole('listitem').count()).toBe(4)
  await panel.getByRole('button', { name: 'Sign out Firefox on Linux' }).click()
  await expect.poll(() => panel.getByRole('listitem').count()).toBe(3)
  await panel.getByRole('button', { name: 'Sign out all others' }).click()
  await expect.poll(() => panel.getByRole('listitem').count()).toBe(1)
})

test('a development account sees why nothing can be changed', async () => {
  const { page, open } = await world.signedIn(1)
  await open('/account/security')
  await page.getByText('The settings of this development site define').waitFor()
  expect(await page.getByRole('region', { name: 'Password' }).count()).toBe(0)
})
