/**
 * Administration in the browser: reviews by keyboard alone, users, settings, prices, texts and jobs.
 * Other accounts have no access.
 */
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { connectToServer } from '../../src/server/database/server.ts'
import { deadLetters } from '../../src/server/jobs/queue.ts'
import { desktop, expectOpenToAll, phone } from '../support/accessibility.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'
import { copyTemplate } from '../support/test-database.ts'

let world: PageWorld
let database: Awaited<ReturnType<typeof connectToServer>>

beforeAll(async () => {
  const url = await copyTemplate()
  world = await createPageWorld({ DATABASE_URL: url })
  database = await connectToServer(url)
})

afterEach(() => world.closeAll())

afterAll(async () => {
  await database?.close()
  await world?.close()
})

const sections = [
  '/admin',
  '/admin/reports',
  '/admin/users',
  '/admin/pricing',
  '/admin/tags',
  '/admin/settings',
  '/admin/activity',
  '/admin/jobs',
]

/** Reports a session of the second account, without an account. */
async function report(title: string, reason: string): Promise<void> {
  const owner = await world.signedIn(2)
  const id = await world.makeSession(owner.page, title)
  const shared = await owner.page.request.post(`${world.url}/api/sessions/${id}/share`, {
    data: {},
  })
  const { shareCode } = (await shared.json()) as { shareCode: string }
  const { page } = await world.visit()
  const reported = await page.request.post(`${world.url}/api/reports`, {
    data: { targetType: 'shared_session', shareCode, reason, details: `About ${title}` },
  })
  expect(reported.status()).toBe(202)
}

/** Registers a new account without a role. */
async function member(email: string) {
  const visit = await world.visit({ viewport: desktop })
  const registered = await visit.page.request.post(`${world.url}/api/auth/register`, {
    data: { email, password: 'a long enough password', firstName: 'Nobody' },
  })
  expect(registered.status()).toBe(201)
  return visit
}

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    if (await control.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`the focus never came to ${control.toString()}`)
}

test('reports are reviewed by keyboard alone, one after the other', async () => {
  await report('First complaint', 'copyright')
  await report('Second complaint', 'non_consensual')
  await report('Third complaint', 'illegal')
  const { page, open, errors } = await world.signedIn(1, { viewport: desktop })
  await open('/library')
  await tabTo(page, page.getByRole('button', { name: 'Account menu' }))
  await page.keyboard.press('Enter')
  const entry = page.getByRole('menuitem', { name: 'Administration' })
  await entry.waitFor()
  while (!(await entry.evaluate((item) => item === document.activeElement)))
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await tabTo(page, page.getByRole('link', { name: 'Reports', exact: true }))
  await page.keyboard.press('Enter')

  const shown = (title: string) => page.getByRole('heading', { level: 2, name: title }).waitFor()
  await shown('First complaint')
  await page.getByText('3 open').waitFor()
  await page.getByText('About First complaint').waitFor()
  const evidence = page.getByRole('img', { name: /^Picture 1 of/ })
  expect(await evidence.count()).toBe(0)
  await page.keyboard.press('Space')
  await evidence.waitFor()
  await page.keyboard.press('j')
  await shown('Second complaint')
  expect(await evidence.count()).toBe(0)
  await page.getByText('Without consent · hidden').waitFor()
  await page.getByText('Where else it appears').waitFor()
  await page.keyboard.press('k')
  await shown('First complaint')

  await page.keyboard.press('d')
  await page.getByRole('button', { name: 'Dismiss this report' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Dismissed “First complaint”.').waitFor()
  await shown('Second complaint')
  await page.getByText('2 open').waitFor()
  await tabTo(page, page.getByLabel('Note for the record'))
  await page.keyboard.type('Bad, rude, daring')
  expect(await page.getByRole('button', { name: 'Remove it now' }).count()).toBe(0)
  await tabTo(page, page.getByRole('button', { name: /^Remove and block/ }))
  await page.keyboard.press('b')
  await page.getByRole('button', { name: 'Remove and block it now' }).waitFor()
  await page.keyboard.press('r')
  await page.getByRole('button', { name: 'Remove it now' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Removed “Second complaint”.').waitFor()
  await shown('Third complaint')
  await page.keyboard.press('b')
  await page.keyboard.press('Enter')
  await page.getByText('No open reports').waitFor()

  await page.getByText('Decided', { exact: true }).click()
  await shown('Third complaint')
  await page.getByRole('button', { name: /Second complaint/ }).click()
  await page.getByText('Bad, rude, daring').waitFor()
  expect(errors).toEqual([])
})

test('an ordinary member gets no entry, page, script or response of the administration', async () => {
  const admin = await world.signedIn(1)
  const adminScripts = scriptsOf(admin.page)
  await admin.open('/admin')
  await admin.page.getByText('The ledger adds up').waitFor()
  expect([...adminScripts].filter((name) => name.includes('admin'))).not.toEqual([])

  const { page, open } = await member('nobody@example.test')
  const scripts = scriptsOf(page)
  await open('/library')
  await page.getByRole('button', { name: 'Skip' }).click()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Account' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Administration' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  for (const section of sections) {
    await open(section)
    await page.getByText('Page not found').waitFor()
  }
  expect(asked.filter((path) => path.startsWith('/api/admin'))).toEqual([])
  expect([...scripts].filter((name) => name.includes('admin'))).toEqual([])
  for (const name of scripts) {
    const script = await (await page.request.get(world.url + name)).text()
    for (const said of ['The ledger adds up', 'Also rejects new uploads of it'])
      expect(script.includes(said), `${said} in ${name}`).toBe(false)
  }
  for (const path of ['stats', 'stats/days', 'reports', 'users', 'settings', 'jobs', 'activity']) {
    const answer = await page.request.get(`${world.url}/api/admin/${path}`)
    expect(answer.status()).toBe(403)
  }

  const stranger = await world.visit()
  await stranger.open('/admin/users')
  expect(new URL(stranger.page.url()).pathname).toBe('/login')
})

function scriptsOf(page: Page): Set<string> {
  const names = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) names.add(pathname)
  })
  return names
}

test('a super administrator changes a role, an administrator does not; credits are given', async () => {
  const mara = await member('mara@example.test')
  const made = await mara.page.request.post(`${world.url}/api/sessions`, {
    data: { title: 'Evening', subfeeds: 'city' },
  })
  expect(made.status()).toBe(201)
  const { page, open } = await world.signedIn(3)
  await open('/admin/users')
  await page.getByRole('searchbox').fill('mara@')
  // The unfiltered list contains her too. Its rows are replaced, and the dialog would close with them.
  const change = page.getByRole('button', { name: /^Change / })
  await expect.poll(() => change.count()).toBe(1)
  await change.click()
  await page.getByText('Only a super administrator can change roles').waitFor()
  await page.getByLabel('Plan').selectOption('vip')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Nobody was changed.').waitFor()
  await page.getByRole('cell', { name: 'Patron' }).waitFor()

  await sql`update users set role = 'super_admin' where id = 'dev-user-3'`.execute(database.db)
  await open('/admin/users?q=mara@')
  await page.getByRole('button', { name: 'Change Nobody' }).click()
  await page.getByLabel('Role').selectOption('admin')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Administrator', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Change Nobody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Give' }).click()
  await dialog.getByText('A whole number from 1').waitFor()
  await dialog.getByRole('spinbutton').fill('77')
  await dialog.getByLabel('Reason').fill('For patience')
  await dialog.getByRole('button', { name: 'Give' }).click()
  await page.getByText(/Credits given\. Nobody has \d+ credits\./).waitFor()
  await dialog.getByRole('link', { name: 'Charges' }).click()
  await page.getByRole('heading', { level: 1, name: 'Charges' }).waitFor()
  await page.getByRole('cell', { name: /For patience.*grantedBy/ }).waitFor()
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await dialog.getByLabel('Reason').fill('Upside down')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await page.getByText(/Refunded\. The balance is \d+ credits\./).waitFor()
  await page.getByRole('cell', { name: 'Upside down' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Change Nobody' }).click()
  await dialog.getByRole('link', { name: 'Activity' }).click()
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
  const entries = page.getByRole('listitem')
  await entries.getByText('Made a change as administrator').first().waitFor()
  await page.getByLabel('Action').selectOption('payment_completed')
  await page.getByText('No entries found').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await entries.getByText('Signed in').first().waitFor()
})

test('settings are changed and shown, and wrong values get a message', async () => {
  const { page, open } = await world.signedIn(1)
  await open('/admin/settings')
  await page.getByLabel('Largest file, in MB').fill('0')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('A whole number from 1 to 10,240.').waitFor()
  await page.getByLabel('Largest file, in MB').fill('123')
  await page.getByLabel('Name of the site').fill('Nightlight')
  await page.getByLabel('Daily bonus, in credits').fill('8')
  await page.getByLabel('New accounts').selectOption('closed')
  await page.getByLabel('Full access').fill('4096')
  await page.getByLabel('Third paid plan').fill('Circle')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('banner').getByText('Nightlight').waitFor()
  await open('/admin/settings')
  await expect.poll(() => page.getByLabel('Largest file, in MB').inputValue()).toBe('123')
  const other = await world.signedIn(2)
  await expect.poll(() => page.getByLabel('Full access').inputValue()).toBe('4096')
  await expect.poll(() => page.getByLabel('Circle').inputValue()).toBe('204800')
  // A select beside a field with a help text is at the same height as the field.
  const choice = await page.getByRole('combobox', { name: 'Credits' }).boundingBox()
  const field = await page.getByLabel('Daily bonus, in credits').boundingBox()
  expect(choice?.y).toBe(field?.y)
  const bonus = await other.page.request.get(`${world.url}/api/user/daily-bonus/status`)
  expect(await bonus.json()).toMatchObject({ amount: 8 })
  // A setting that another administrator changed in the meantime is not reset.
  const address = `${world.url}/api/admin/settings`
  await other.page.request.patch(address, { data: { uploadLimitMb: 77 } })
  await page.getByLabel('Name of the site').fill('Lanternist')
  await page.getByLabel('New accounts').selectOption('open')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const kept = await other.page.request.get(address)
  expect(await kept.json()).toMatchObject({ siteName: 'Lanternist', uploadLimitMb: 77 })
})

test('prices, tags and categories are changed, added and turned off', async () => {
  const { page, open } = await world.signedIn(1)
  const save = async (name = 'Save') => {
    await page.getByRole('dialog').getByRole('button', { name }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await open('/admin/pricing')
  await page.getByRole('button', { name: 'New price' }).click()
  await page.getByLabel('Key').fill('test_feature')
  await page.getByLabel('Name').fill('Trying out')
  await page.getByLabel('Credits').fill('42')
  await save()
  await page.getByRole('button', { name: 'Change Trying out' }).click()
  await page.getByLabel('Credits').fill('43')
  await save()
  await page.getByRole('listitem').filter({ hasText: 'Trying out' }).getByText('43').waitFor()
  await page.getByRole('button', { name: 'Turn off Trying out' }).click()
  await save('Turn off')
  await page.getByRole('button', { name: 'Turn on Trying out' }).click()
  await page.getByRole('button', { name: 'Turn off Trying out' }).waitFor()

  await open('/admin/tags')
  await page.getByRole('button', { name: 'New tag' }).click()
  await page.getByRole('dialog', { name: 'New tag' }).getByLabel('Label').fill('Northern lights')
  await page.getByLabel('Short name for addresses').fill('Not One')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await page.getByText('Lower case letters, digits and single hyphens.').waitFor()
  await page.getByLabel('Short name for addresses').fill('northern-lights')
  await save('Add')
  await page.getByRole('button', { name: 'Change Northern lights' }).click()
  await page.getByLabel('Label').fill('Auroras')
  await save()
  await page.getByText('Auroras').waitFor()
  await page.getByRole('button', { name: 'New category' }).click()
  await page.getByLabel('Label').fill('Skies')
  await page.getByLabel('Short name for addresses').fill('skies')
  await save('Add')
  await page.getByRole('button', { name: 'Change Skies' }).click()
  await page.getByLabel('Label').fill('Heavens')
  await save()
  await page.getByText('Heavens').waitFor()
})

test('a dead job is retried or discarded, and the health check shows each part', async () => {
  for (const name of ['sweep-files', 'job-of-old'])
    await sql`insert into pgboss.job (name, data, source_name, source_retry_count, source_output)
      values (${deadLetters}, '{}', ${name}, 2, '{"message":"fell over"}')`.execute(database.db)
  const { page, open } = await world.signedIn(1)
  await open('/admin/jobs')
  await page.getByText('Database').waitFor()
  await expect.poll(() => page.getByText('OK', { exact: true }).count()).toBe(3)
  await page.getByRole('button', { name: 'Run job-of-old again' }).click()
  await page.getByText('Not found').waitFor()
  await page.getByRole('button', { name: 'Run sweep-files again' }).click()
  await page.getByText('sweep-files will run again.').waitFor()
  await page.getByRole('button', { name: 'Discard job-of-old' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByText('No jobs').waitFor()
  await page.getByText('Waiting', { exact: true }).click()
  const jobs = page.getByRole('region', { name: 'Jobs' })
  await jobs.getByText('No jobs').or(jobs.getByRole('listitem').first()).waitFor()
})

test('every page is accessible', async () => {
  await report('Looked at by everyone', 'other')
  const { page, open, errors } = await world.signedIn(1, { viewport: phone })
  for (const section of sections) {
    await open(section)
    await expectOpenToAll(page, section)
  }
  await open('/admin')
  await page.getByText('As a table').first().click()
  await page.getByRole('table', { name: 'New members' }).waitFor()
  await open('/admin/users')
  await page
    .getByRole('button', { name: /^Change/ })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await expectOpenToAll(page, 'a person')
  expect(errors).toEqual([])
}, 240_000)
