/**
 * Safeguards against slips: they must not open a protected link, hide somebody's session, discard slides,
 * or save an error message as the file.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectFocus } from '../support/focus.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

test('an existing link shows its limits and keeps those that are not changed', async () => {
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
  await expectFocus(page, 'Link')

  await reopen()
  const { shareUrl } = JSON.parse(before) as { shareUrl: string }
  await expect.poll(() => page.getByLabel('Link', { exact: true }).inputValue()).toBe(shareUrl)
  await page.getByText('A password is needed').waitFor()
  await page
    .getByRole('option', { name: /^Until \d+ \w+/ })
    .and(page.locator(':checked'))
    .waitFor({ state: 'attached' })
  await expect
    .poll(() => page.getByRole('button', { name: 'Save changes' }).isDisabled())
    .toBe(true)
  await page.getByLabel('The link works').selectOption('Until it is stopped')
  await save('Save changes')
  await page.getByText('The link was updated.').waitFor()
  await page.getByText('A password is needed').waitFor()
  await page.getByRole('button', { name: 'Remove the password' }).click()
  await page.getByText('The password will be removed').waitFor()
  await save('Save changes')
  await page.getByLabel('Password (optional)').waitFor()

  await page.getByRole('button', { name: 'Stop sharing' }).click()
  await page.getByText('The link was removed.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The link works again.').waitFor()
  before = await limits()
  await reopen()
  await page.getByRole('button', { name: 'Stop sharing' }).click()
  await page.getByText('The link was removed.').waitFor()
  await reopen()
  await page.getByText('If you make it again').waitFor()
  expect(await page.getByRole('button', { name: 'Stop sharing' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Make the link' }).click()
  await expect.poll(() => page.getByLabel('Link', { exact: true }).inputValue()).toBe(shareUrl)
  expect(sent).toEqual([
    { access: 'anyone', expiresAt: expect.any(String), password: 'open sesame' },
    { expiresAt: null },
    { password: null },
    { expiresAt: new Date(0).toISOString() },
    { expiresAt: null },
    { expiresAt: new Date(0).toISOString() },
    { expiresAt: null },
  ])
})

test('a stopped link that is made again works as before, and its session is public again', async () => {
  const { page, open } = await world.signedIn(2)
  const id = await world.makeSession(page, 'Lights over the weir')
  const isPublic = async () => {
    const answer = await page.request.get(`${world.url}/api/sessions/${id}`)
    return ((await answer.json()) as { session: { isPublic: boolean } }).session.isPublic
  }
  await page.request.post(`${world.url}/api/sessions/${id}/share`, { data: { access: 'anyone' } })
  expect(await isPublic()).toBe(true)
  await open(`/sessions/${id}`)
  await page.getByRole('button', { name: 'Share' }).click()
  const stop = page.getByRole('button', { name: 'Stop sharing' })
  await stop.waitFor()
  // The page reads the session before the share.
  const read = page.waitForResponse(
    (response) =>
      response.url().endsWith(`/api/sessions/${id}`) && response.request().method() === 'GET',
  )
  await page.route(`**/api/sessions/${id}/share`, async (route) => {
    if (route.request().method() === 'GET') await read
    await route.continue()
  })
  await stop.click()
  await page.getByText('The link was removed.').waitFor()
  expect(await isPublic()).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The link works again.').waitFor()
  expect(await isPublic()).toBe(true)
})

test('a report names its reason and says what it does; hidden content leaves the page', async () => {
  const owner = await world.signedIn(1)
  await world.publish(owner.page, await world.makeSession(owner.page, 'Lanterns at low tide'))
  const { page, open } = await world.signedIn(3)
  const id = await world.publishedId(page, 'Lanterns at low tide')
  await open(`/community/${id}`)
  await page.getByRole('button', { name: 'Report' }).click()
  const dialog = page.getByRole('dialog')
  const send = dialog.getByRole('button', { name: 'Send report' })
  await send.click()
  await dialog.getByText('Choose a reason first.').waitFor()
  await dialog.getByLabel('Reason').selectOption('copyright')
  expect(await dialog.getByText('hides the content from everyone').count()).toBe(0)
  await dialog.getByLabel('Reason').selectOption('non_consensual')
  await dialog.getByText('hides the content from everyone').waitFor()
  await send.click()
  await dialog.getByText('The content is hidden until they have decided').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('heading', { name: 'Community' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/community')
  await page.getByRole('button', { name: /Save a copy/ }).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('link', { name: /Lanterns at low tide/ }).count()).toBe(0)
})

test('a shared session that a report hides disappears for the reporter', async () => {
  const { page, open } = await world.visit()
  await open(`/shared/${await world.sharedCode()}`)
  await page.getByRole('button', { name: 'Report' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').selectOption('minor')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('This link does not work.').waitFor()
})

test('filling again asks first and says which slides are replaced and which stay', async () => {
  const { page, open } = await world.signedIn(2)
  const id = await world.makeSession(page, 'Bridges in fog')
  const address = `${world.url}/api/sessions/${id}`
  const read = await (await page.request.get(address)).json()
  const { media } = read as { media: { id: number }[] }
  await page.request.patch(`${address}/media/${media[0]?.id}`, { data: { caption: 'Look up.' } })
  let refills = 0
  page.on('request', (request) => (refills += Number(request.url().endsWith('/refill'))))
  await open(`/sessions/${id}`)
  const ask = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Fill again' }).click()
    await page.getByText(`${media.length - 1} slides and their order are replaced`).waitFor()
    await page.getByText('1 slide with a caption').waitFor()
  }
  await ask()
  await page.getByRole('button', { name: 'Keep the slides' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(refills).toBe(0)
  await ask()
  await page.getByRole('dialog').getByRole('button', { name: 'Fill again' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(refills).toBe(1)
})

test('a refused download shows a message on the page, and nothing is saved', async () => {
  const { context, page, open } = await world.signedIn(2)
  const id = await world.makeSession(page, 'Ferries at noon')
  await open(`/sessions/${id}`)
  const saved: string[] = []
  page.on('download', (download) => saved.push(download.suggestedFilename()))
  const take = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Download as a zip' }).click()
  }
  const busy = (url: URL) => url.pathname.endsWith('/export')
  await page.route(busy, (route) => route.fulfill({ status: 429 }), { times: 1 })
  await take()
  await page.getByText('Other downloads of yours are still under way.').waitFor()
  expect(saved).toEqual([])
  await take()
  await expect.poll(() => saved).toEqual(['Ferries at noon.zip'])
  await open('/account/downloads')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await page.getByText('You are signed out. Sign in to continue.').waitFor()
  expect(saved).toHaveLength(1)
})
