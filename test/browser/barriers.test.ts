/**
 * Every page, in both themes, on a phone and on a desk: nothing that axe calls a barrier, nothing to
 * scroll sideways to, no breach of the content policy.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'
import { expectOpenToAll, rooms } from '../support/visits.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

test.each(rooms)(
  'no page has a barrier for $colorScheme at $viewport.width pixels, nor a breach of the policy',
  async (room) => {
    const { page, open, errors } = await world.signedIn(1, room)
    const id = await world.makeSession(page, 'For everyone')
    const paths = ['/library', '/sessions/new', `/sessions/${id}`, '/account', '/community']
    for (const path of paths) {
      await open(path)
      await page.waitForLoadState('networkidle')
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
    expect(errors).toEqual([])
  },
)

test.each(rooms)(
  'what strangers come to has no barrier for $colorScheme at $viewport.width pixels',
  async (room) => {
    const { context, page, open, errors } = await world.visit(room)
    const code = await world.sharedCode()
    await open(`/shared/${code}`)
    await page.getByRole('listitem').first().waitFor()
    await expectOpenToAll(page, 'a shared session')
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByRole('dialog').waitFor()
    await expectOpenToAll(page, 'the report dialog')
    await open('/shared/00000000-0000-4000-8000-000000000000')
    await page.getByText('Nothing on this slide').waitFor()
    await expectOpenToAll(page, 'a link that leads nowhere')

    const email = `${room.colorScheme}-${room.viewport.width}@example.test`
    await context.request.post(`${world.url}/api/auth/register`, {
      data: { email, password: 'a long enough password' },
    })
    await open('/library')
    await page.getByText('What brings you here?').waitFor()
    await expectOpenToAll(page, 'the first look at the library')
    await page.goto(`${world.url}/community`)
    await page.getByRole('button', { name: 'Confirm your age' }).click()
    await page.getByRole('dialog').waitFor()
    await expectOpenToAll(page, 'the question for the age')
    expect(errors).toEqual([])
  },
)
