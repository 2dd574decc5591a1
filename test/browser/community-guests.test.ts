/**
 * The community for people without an account: where the site lets guests in, and where it is for members.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll } from '../support/accessibility.ts'
import { insertCommunitySession } from '../support/community-rows.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'

let world: PageWorld
/** The id of a safe session in the community. */
let id: number

const title = 'Lamps along the quay'
const forMembers = 'The community is for members'

beforeAll(async () => {
  world = await createPageWorld()
  const owner = await world.signedIn(2)
  await world.publish(owner.page, await world.makeSession(owner.page, title))
  id = await world.publishedId(owner.page, title)
  const adult = await world.makeSession(owner.page, 'After midnight')
  await owner.page.request.patch(`${world.url}/api/sessions/${adult}`, {
    data: { shareToCommunity: true, nsfw: true },
  })
  await world.publishedId(owner.page, 'After midnight')
  await world.closeAll()
})

afterEach(async () => {
  await setSite({ publicCommunity: true, registration: 'open' })
  await world.closeAll()
})

afterAll(() => world?.close())

async function setSite(settings: Record<string, unknown>): Promise<void> {
  const request = await world.asking(1)
  const answer = await request.patch(`${world.url}/api/admin/settings`, { data: settings })
  expect(answer.status()).toBe(200)
}

/** Waits until every visible picture is drawn. */
async function untilDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const pictures = [...document.querySelectorAll<HTMLImageElement>('main img')]
    return pictures.length > 0 && pictures.every(({ naturalWidth }) => naturalWidth > 0)
  })
}

test('a guest looks around, searches, opens and plays a session, and signs in to save it', async () => {
  const { page, open, errors } = await world.visit()
  await open('/')
  await page.getByRole('link', { name: 'Community' }).click()
  await page.getByRole('heading', { level: 1, name: 'Community' }).waitFor()
  const card = page.getByRole('link', { name: new RegExp(title) })
  await card.waitFor()
  await untilDrawn(page)
  expect(await page.getByText('After midnight').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Published by you' }).count()).toBe(0)
  await expectOpenToAll(page, '/community for a guest')

  await page.getByRole('searchbox').fill('no such title')
  await page.getByText('Nothing found').waitFor()
  await page.getByRole('searchbox').fill('quay')
  await card.waitFor()
  const signIn = page.getByRole('link', { name: 'Sign in' })
  expect(await signIn.getAttribute('href')).toBe('/login?redirect=%2Fcommunity%3Fq%3Dquay')
  await page.getByRole('button', { name: `More about ${title}` }).click()
  const entry = page.getByRole('menuitem', { name: /Save a copy/ })
  expect(await entry.getAttribute('href')).toBe('/login?redirect=%2Fcommunity%3Fq%3Dquay')
  await page.keyboard.press('Escape')

  await card.click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await untilDrawn(page)
  await expectOpenToAll(page, 'a published session for a guest')
  await page.getByRole('link', { name: 'Play', exact: true }).click()
  await page.locator('.player-frame.is-shown').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(`${world.url}/community/${id}`)

  await page.getByRole('link', { name: /Save a copy/ }).click()
  await page.getByLabel('Email').fill('dev3@example.test')
  await page.getByLabel('Password', { exact: true }).fill('dev-password-3')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${world.url}/community/${id}`)
  await page.getByRole('button', { name: /Save a copy/ }).waitFor()
  expect(errors).toEqual([])
})

test('a guest turns pages', async () => {
  const owner = 'dev-user-2'
  for (let number = 1; number <= 31; number += 1)
    await insertCommunitySession(world.ctx, owner, { title: `Row ${number}`, tags: ['night'] })
  const { page, open } = await world.visit()
  await open('/community?tags=night')
  const rows = page.getByRole('heading', { level: 2, name: /^Row \d+$/ })
  await expect.poll(() => rows.count()).toBe(30)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => rows.count()).toBe(31)
  await world.ctx.db.deleteFrom('community_sessions').where('title', 'like', 'Row %').execute()
})

test('where the community is for members, its link explains that', async () => {
  await setSite({ publicCommunity: false })
  const { page, open, errors } = await world.visit()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await open('/')
  await page.getByRole('link', { name: 'Community' }).click()
  await page.getByRole('heading', { name: forMembers }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/community')
  await expectOpenToAll(page, 'the community for members')
  const links = ['Sign in', 'Create account'] as const
  for (const [index, path] of (['/login', '/register'] as const).entries()) {
    const link = page.getByRole('link', { name: links[index] ?? '' })
    expect(await link.getAttribute('href')).toBe(`${path}?redirect=%2Fcommunity`)
  }
  await open(`/community/${id}`)
  await page.getByRole('heading', { name: forMembers }).waitFor()
  expect(asked.filter((path) => path.startsWith('/api/community'))).toEqual([])

  await setSite({ registration: 'closed' })
  await open('/community')
  await page.getByRole('heading', { name: forMembers }).waitFor()
  expect(await page.getByRole('link', { name: 'Create account' }).count()).toBe(0)
  expect(errors).toEqual([])
})

test('German visitors read the same in German', async () => {
  await setSite({ publicCommunity: false })
  const { page, open } = await world.visit({ locale: 'de-DE' })
  await open('/community')
  await page.getByRole('heading', { name: 'Die Community ist für Mitglieder' }).waitFor()
  await page.getByRole('link', { name: 'Konto anlegen' }).waitFor()
  await expectOpenToAll(page, 'the community for members, in German')
})

test('a guest who is shut out meanwhile reads why', async () => {
  const { page, open } = await world.visit()
  await open('/community')
  await page.getByRole('link', { name: new RegExp(title) }).waitFor()
  await setSite({ publicCommunity: false })
  await page.getByRole('searchbox').fill('quay')
  await page.getByRole('heading', { name: forMembers }).waitFor()
})

test('what a member sees leaves the page when they sign out, and comes with a sign-in', async () => {
  const { page, open } = await world.signedIn(3)
  await open('/community')
  const adult = page.getByRole('link', { name: /After midnight/ })
  await adult.waitFor()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  await page.getByRole('link', { name: new RegExp(title) }).waitFor()
  expect(await adult.count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/community')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email').fill('dev3@example.test')
  await page.getByLabel('Password', { exact: true }).fill('dev-password-3')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await adult.waitFor()
})

test('an administrator opens and closes the community with a switch', async () => {
  const { page, open } = await world.signedIn(1)
  await open('/admin/settings')
  const choice = page.getByRole('switch', { name: 'Open the community to everyone' })
  expect(await choice.isChecked()).toBe(true)
  await page.getByText('People without an account see, search and play').waitFor()
  await choice.click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: false }).first().waitFor()
  const answer = await (await world.visit()).page.request.get(`${world.url}/api/community`)
  expect(answer.status()).toBe(401)
})
