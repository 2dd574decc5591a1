/**
 * What a slip of the hand must not do: open a protected link, hide somebody's session, throw slides
 * away, or save a failure as if it were the file.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

test('a link that is looked at again shows its limits and keeps what nobody changes', async () => {
  const owner = await world.signedIn(2)
  const { page } = owner
  const id = await world.makeSession(page, 'Locks on the canal')
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/share'))
      sent.push(request.postDataJSON())
  })
  const reopen = async () => {
    await owner.open(`/sessions/${id}`)
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByLabel('The link works').waitFor()
  }
  const save = async (name: string) => {
    await page.getByRole('button', { name }).click()
    await expect.poll(limits).not.toBe(before)
    before = await limits()
  }
  const limits = async () =>
    (await page.request.get(`${world.url}/api/sessions/${id}/share`)).text()
  let before = await limits()

  await reopen()
  expect(await page.getByRole('button', { name: 'Stop sharing' }).count()).toBe(0)
  await page.getByLabel('The link works').selectOption('One week from now')
  await page.getByLabel('Password (optional)').fill('open sesame')
  await save('Make the link')

  await reopen()
  const { shareUrl } = JSON.parse(before) as { shareUrl: string }
  expect(await page.getByLabel('Link', { exact: true }).inputValue()).toBe(shareUrl)
  await page.getByText('A password is needed').waitFor()
  await page
    .getByRole('option', { name: /^Until \d+ \w+/ })
    .and(page.locator(':checked'))
    .waitFor({ state: 'attached' })
  expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
  await page.getByLabel('The link works').selectOption('Until it is stopped')
  await save('Save changes')
  await page.getByText('The link works like this now.').waitFor()
  await page.getByText('A password is needed').waitFor()
  await page.getByRole('button', { name: 'Remove the password' }).click()
  await page.getByText('It will be removed').waitFor()
  await save('Save changes')
  await page.getByLabel('Password (optional)').waitFor()

  await page.getByRole('button', { name: 'Stop sharing' }).click()
  await page.getByText('The link has ended.').waitFor()
  await reopen()
  await page.getByText('Made again, it is the same one').waitFor()
  expect(await page.getByRole('button', { name: 'Stop sharing' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Make the link' }).click()
  expect(await page.getByLabel('Link', { exact: true }).inputValue()).toBe(shareUrl)
  expect(sent).toEqual([
    { expiresAt: expect.any(String), password: 'open sesame' },
    { expiresAt: null },
    { password: null },
    { expiresAt: new Date(0).toISOString() },
    { expiresAt: null },
  ])
})
