/**
 * Every page, in both themes, on a phone and a desktop: axe finds no barrier, nothing scrolls sideways,
 * and the content security policy holds.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll, findBarriers } from '../support/accessibility.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

test('no page has an accessibility barrier, nor a breach of the content policy', async () => {
  const { page, open, errors } = await world.signedIn(1)
  const id = await world.makeSession(page, 'For everyone')
  await world.publish(page, id)
  for (const path of [
    '/library',
    '/sessions/new',
    '/sessions/new/feeds',
    `/sessions/${id}`,
    '/account',
    '/credits',
    '/community',
  ]) {
    await open(path)
    await expectOpenToAll(page, path)
  }
  await page.goto(`${world.url}/sessions/${id}?share`)
  await page.getByRole('dialog').waitFor()
  await expectOpenToAll(page, 'the share dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('dialog').waitFor()
  await expectOpenToAll(page, 'the settings dialog')

  await open(`/community/${await world.publishedId(page, 'For everyone')}`)
  await expectOpenToAll(page, 'a published session')
  expect(errors).toEqual([])
})

test('no page for visitors has a barrier', async () => {
  const { context, page, open, errors } = await world.visit()
  await open(`/shared/${await world.sharedCode()}`)
  await page.getByRole('listitem').first().waitFor()
  await expectOpenToAll(page, 'a shared session')
  await page.getByRole('button', { name: 'Report' }).click()
  await page.getByRole('dialog').waitFor()
  await expectOpenToAll(page, 'the report dialog')
  await open('/shared/00000000-0000-4000-8000-000000000000')
  await page.getByText('This link does not work').waitFor()
  await expectOpenToAll(page, 'a link that does not work')
  await open(`/shared/media/${await world.sharedMediaCode()}`)
  await page.getByRole('heading', { name: 'lamp.png' }).waitFor()
  await expectOpenToAll(page, 'a shared picture')

  await context.request.post(`${world.url}/api/auth/register`, {
    data: { email: 'someone@example.test', password: 'a long enough password' },
  })
  await open('/library')
  await page.getByText('What brings you here?').waitFor()
  await expectOpenToAll(page, 'the first look at the library')
  await page.goto(`${world.url}/community`)
  await page.getByRole('button', { name: 'Confirm your age' }).click()
  await page.getByRole('dialog').waitFor()
  await expectOpenToAll(page, 'the question for the age')
  expect(errors).toEqual([])
})

test('a page that is loading and the account menu have no barriers', async () => {
  const { page, open, errors } = await world.signedIn(1)
  const id = await world.makeSession(page, 'Slow to come')
  for (const path of ['/', '/report']) {
    await open(path)
    await expectOpenToAll(page, path)
  }
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menu').waitFor()
  expect(await findBarriers(page)).toEqual([])

  // Scripts and answers never arrive, so the loading state stays.
  await page.route(/\/(library|community|report)-page-/, () => {})
  await page.route(/\/api\/(sessions|user\/media|community|shared)\//, () => {})
  const coming = `/sessions/${id} /sessions/${id}/edit /vault/1 /community/1 /shared/none /library /report`
  for (const path of coming.split(' ')) {
    await page.goto(world.url + path)
    await page.locator('h1[data-loading]').waitFor()
    expect(await findBarriers(page), path).toEqual([])
  }
  expect(errors).toEqual([])
})
