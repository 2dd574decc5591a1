/** Sign-in methods and keys in the browser: passkeys, two-factor authentication and API keys. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll } from '../support/accessibility.ts'
import { shownCode } from '../support/authenticator-app.ts'
import { expectFocus } from '../support/focus.ts'
import { freePort } from '../support/free-port.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'

let world: PageWorld
/** The address with a host name, because browsers have no passkeys for IP addresses. */
let site: string

beforeAll(async () => {
  const port = await freePort()
  site = `http://localhost:${port}`
  world = await createPageWorld({ PORT: String(port), BASE_URL: site })
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

const password = 'a long enough password'

async function member(email: string): Promise<Page> {
  const { page } = await world.visit()
  const made = await page.request.post(`${site}/api/auth/register`, { data: { email, password } })
  expect(made.status()).toBe(201)
  await page.goto(`${site}/account/security`)
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
  return page
}

/** Adds a virtual authenticator that confirms its user. */
async function addDevice(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function addPasskey(page: Page, name: string): Promise<void> {
  const panel = page.getByRole('region', { name: 'Passkeys' })
  await panel.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click()
  await panel.getByText(name).waitFor()
}

async function signOut(page: Page): Promise<void> {
  await page.request.post(`${site}/api/auth/logout`)
}

async function signInByPasskey(page: Page): Promise<void> {
  await page.goto(`${site}/login?redirect=%2Faccount%2Fsecurity`)
  // The browser's suggestion may sign in before the button is pressed.
  await page
    .getByRole('button', { name: 'Sign in with a passkey' })
    .click({ timeout: 5000 })
    .catch(() => {})
}

test('passkeys of two devices sign in, until one is removed', async () => {
  const phone = await member('keyed@example.test')
  await addDevice(phone)
  await addPasskey(phone, 'The phone')
  const laptop = (await world.visit()).page
  await addDevice(laptop)
  await laptop.request.post(`${site}/api/login`, {
    data: { email: 'keyed@example.test', password },
    maxRedirects: 0,
  })
  await laptop.goto(`${site}/account/security`)
  await addPasskey(laptop, 'The laptop')
  for (const page of [phone, laptop]) {
    await signOut(page)
    await signInByPasskey(page)
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
  }
  const panel = laptop.getByRole('region', { name: 'Passkeys' })
  await panel.getByRole('button', { name: 'Rename the passkey The phone' }).click()
  await laptop.getByRole('dialog').getByLabel('Name').fill('The lost phone')
  await laptop.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await panel.getByRole('button', { name: 'Remove the passkey The lost phone' }).click()
  await laptop.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await laptop.getByText('Passkey removed.').waitFor()
  await signOut(phone)
  await signInByPasskey(phone)
  await phone.getByRole('alert').first().waitFor()
  expect(new URL(phone.url()).pathname).toBe('/login')
})

test('a second factor is set up, asked for, and turned off', async () => {
  const page = await member('careful@example.test')
  const panel = page.getByRole('region', { name: 'Two-factor authentication' })
  await panel.getByRole('button', { name: 'Turn on' }).click()
  const secret = await page.getByRole('dialog').getByLabel('Secret', { exact: true }).inputValue()
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  // There is no button to save the secret: it does not belong among the downloads.
  expect(await page.getByRole('button', { name: /Save/ }).count()).toBe(0)
  await expectOpenToAll(page, 'the second factor')
  await page.getByLabel('Code from the app').fill(shownCode(secret, new Date()))
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  await expectFocus(page, 'Copy the codes')
  const codes = await page.getByRole('dialog').getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'Done' }).click()
  await panel.getByRole('button', { name: 'Turn off' }).waitFor()

  await signOut(page)
  await page.goto(`${site}/login?redirect=%2Faccount%2Fsecurity`)
  await page.getByLabel('Email').fill('careful@example.test')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const code = page.getByLabel('Code', { exact: true })
  await code.waitFor()
  await expectOpenToAll(page, 'the question for the code')
  await code.fill('000 000 000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').getByText('This code is not right.').waitFor()
  await code.fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await panel.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByLabel('Current password').fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await panel.getByRole('button', { name: 'Turn on' }).waitFor()
})

test('an older sign-in needs the password, for each sign-in method and for deleting the account', async () => {
  const email = 'older@example.test'
  const page = await member(email)
  await world.ctx.db
    .updateTable('sign_ins')
    .set({ created_at: new Date(Date.now() - 11 * 60_000) })
    .execute()
  await addDevice(page)
  const dialog = page.getByRole('dialog')
  const asked = dialog.getByText('Enter your password to continue')
  const current = dialog.getByLabel('Current password')

  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByLabel('Name').fill('The phone')
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  await asked.waitFor()
  await expectOpenToAll(page, 'the question for the password')
  await current.fill('a wrong password')
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByText('Invalid credentials').waitFor()
  await current.fill(password)
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('region', { name: 'Passkeys' }).getByText('The phone').waitFor()

  await page.getByRole('button', { name: 'Turn on' }).click()
  await asked.waitFor()
  await current.fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByLabel('Secret', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Create a key' }).click()
  await dialog.getByLabel('Name').fill('Backup')
  await dialog.getByRole('button', { name: 'Create a key' }).click()
  await asked.waitFor()
  await current.fill(password)
  await dialog.getByRole('button', { name: 'Create a key' }).click()
  await page.getByRole('textbox', { name: 'Your key' }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()

  await page.goto(`${site}/account`)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await asked.waitFor()
  await current.fill(password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await page.waitForURL(`${site}/`)
})

test('a key is created, shown once, used and revoked', async () => {
  const page = await member('maker@example.test')
  const panel = page.getByRole('region', { name: 'API keys' })
  await panel.getByRole('button', { name: 'Create a key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Backup')
  await page.getByRole('switch', { name: 'See the vault' }).click()
  await page.getByLabel('Expires').selectOption({ label: 'In 30 days' })
  await expectOpenToAll(page, 'making a key')
  await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click()
  const key = await page.getByRole('textbox', { name: 'Your key' }).inputValue()
  const list = () =>
    fetch(`${site}/api/user/media`, { headers: { authorization: `Bearer ${key}` } })
  expect((await list()).status).toBe(200)
  await page.getByRole('button', { name: 'Done' }).click()
  await panel.getByText(/See and play sessions.*See the vault/).waitFor()
  expect(await page.content()).not.toContain(key)
  // Revoking a key has one place, which asks for confirmation.
  const signIns = page.getByRole('region', { name: 'Where you are signed in' })
  await expect.poll(() => signIns.getByRole('listitem').count()).toBe(1)
  await expectOpenToAll(page, 'the security page')
  await panel.getByRole('button', { name: 'Revoke the key Backup' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Key revoked.').waitFor()
  expect((await list()).status).toBe(401)
})
