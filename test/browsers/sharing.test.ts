/** Sharing in Firefox and in WebKit: an owner makes a link, and someone without an account plays it. */
import { beforeAll, expect, test } from 'vitest'
import { phone } from '../support/accessibility.ts'
import { numbered } from '../support/player-world.ts'
import type { Person } from '../support/world.ts'
import type { Page } from './page.ts'
import { expectNoOverflow, makeShow, untilShown } from './player-visit.ts'
import { inEachBrowser } from './use-browsers.ts'

const shareCode = /^\/shared\/[0-9a-f-]{36}$/

inEachBrowser((world) => {
  let ana: Person

  beforeAll(async () => {
    ana = await world().as('ana')
  })

  test('a link plays for a visitor without an account, on a phone', async () => {
    const id = await makeShow(world(), ana, numbered(3, { durationMs: 1500 }))
    const owner = await world().visitAs('ana')
    await owner.open(`/sessions/${id}?share`)
    await owner.click('button', 'Make the link')
    const path = await linkOf(owner)
    await expectNoOverflow(owner)
    await owner.screenshot('sharing-link')

    const visitor = await world().visit(phone)
    await visitor.open(path)
    await visitor.see('heading', 'Evening')
    await expectNoOverflow(visitor)
    await visitor.screenshot('sharing-page-phone')
    await visitor.click('link', 'Play')
    for (const slide of ['/0.jpg', '/1.jpg', '/2.jpg']) await untilShown(visitor, slide)
    await visitor.see('heading', 'That was the last slide.')
    await visitor.see('link', 'Make your own')
    await expectNoOverflow(visitor)
    await visitor.screenshot('sharing-end-phone')
    await world().expectNoErrors()
  })

  test('a link with a password asks for it, refuses a wrong one, and plays with the right one', async () => {
    const id = await makeShow(world(), ana, numbered(2, { durationMs: 1500 }))
    const owner = await world().visitAs('ana', phone)
    await owner.open(`/sessions/${id}`)
    await owner.click('button', 'Share')
    await owner.fill('Password (optional)', 'open sesame')
    await expectNoOverflow(owner)
    await owner.screenshot('sharing-dialog-phone')
    await owner.click('button', 'Make the link')
    const path = await linkOf(owner)

    const visitor = await world().visit()
    await visitor.open(path)
    await visitor.see('heading', 'This link has a password')
    await visitor.screenshot('sharing-password')
    await visitor.fill('Password', 'a guess')
    await visitor.press('Enter')
    await visitor.until(
      () => document.body.textContent.includes('Wrong password.'),
      null,
      'the refusal of a guess',
    )
    await visitor.fill('Password', 'open sesame')
    await visitor.click('button', 'Open')
    await visitor.see('heading', 'Evening')
    await visitor.click('link', 'Play')
    await untilShown(visitor, '/1.jpg')
    await world().expectNoErrors()
  })
})

/** Returns the path of the link in the open dialog. */
async function linkOf(owner: Page): Promise<string> {
  const { pathname } = new URL(await owner.valueOf('Link'))
  expect(pathname).toMatch(shareCode)
  return pathname
}
