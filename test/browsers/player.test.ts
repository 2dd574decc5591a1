/** The player in Firefox and in WebKit: it plays by itself, and responds to pointer and keys. */
import { beforeAll, test } from 'vitest'
import { phone } from '../support/accessibility.ts'
import { numbered, stays } from '../support/player-world.ts'
import { makeFilm } from '../support/sample-media.ts'
import type { Person } from '../support/world.ts'
import type { Page } from './page.ts'
import { expectNoOverflow, makeShow, untilShown } from './player-visit.ts'
import { inEachBrowser } from './use-browsers.ts'

inEachBrowser((world) => {
  let ana: Person

  beforeAll(async () => {
    ana = await world().as('ana')
  })

  test('a session continues by itself to its end, and again', async () => {
    const id = await makeShow(world(), ana, numbered(3, { durationMs: 900 }))
    const page = await world().visitAs('ana')
    await page.open(`/play/${id}`)
    for (const path of ['/0.jpg', '/1.jpg', '/2.jpg']) await untilShown(page, path)
    await page.see('heading', 'That was the last slide.')
    await page.screenshot('player-end')
    await page.click('button', 'Play again')
    await untilShown(page, '/1.jpg')
    await world().expectNoErrors()
  })

  test('buttons and keys pause it, turn it and go to its ends', async () => {
    const id = await makeShow(world(), ana, numbered(5, { durationMs: stays }))
    const page = await world().visitAs('ana')
    await page.open(`/play/${id}`)
    await untilShown(page, '/0.jpg')
    await page.click('button', 'Next')
    await untilShown(page, '/1.jpg')
    await page.click('button', 'Previous')
    await untilShown(page, '/0.jpg')
    await page.press('ArrowRight')
    await untilShown(page, '/1.jpg')
    await page.press('End')
    await untilShown(page, '/4.jpg')
    await page.press('Home')
    await untilShown(page, '/0.jpg')
    await page.press('Space')
    await page.see('button', 'Play')
    await page.screenshot('player-paused')
    await page.click('button', 'Play')
    await page.see('button', 'Pause')
    await page.press('i')
    await page.see('dialog', 'About this picture')
    await expectNoOverflow(page)
    await page.screenshot('player-about')
    await page.press('Escape')
    await page.press('?')
    await page.see('dialog', 'Keys and touch')
    await page.screenshot('player-keys')
    await world().expectNoErrors()
  })

  test('captions are burnt in, and can be switched off and on', async () => {
    const slides = [
      { path: '/3.jpg', caption: 'Lamps by the river', durationMs: stays },
      { path: '/7.jpg', caption: 'And then the bridge', durationMs: stays },
    ]
    const page = await world().visitAs('ana', phone)
    await page.open(`/play/${await makeShow(world(), ana, slides)}`)
    await untilCaption(page, 'Lamps by the river')
    await expectNoOverflow(page)
    await page.screenshot('player-caption-phone')
    await page.press('ArrowRight')
    await untilCaption(page, 'And then the bridge')
    await page.press('c')
    await page.until(() => !document.querySelector('.burnt-words'), null, 'no caption')
    await page.press('c')
    await untilCaption(page, 'And then the bridge')
    await world().expectNoErrors()
  })

  test('a film plays to its end, and the show goes on', async () => {
    const bytes = await makeFilm({ format: 'webm', frames: 45 })
    world().site.put('/film.webm', { type: 'video/webm', bytes })
    const slides = [{ path: '/film.webm' }, { path: '/0.jpg', durationMs: stays }]
    const page = await world().visitAs('ana')
    await page.open(`/play/${await makeShow(world(), ana, slides)}`)
    await untilShown(page, '/film.webm')
    await page.until(
      () => {
        const film = document.querySelector('.player-frame video')
        return film instanceof HTMLVideoElement && film.currentTime > 0.3
      },
      null,
      'the film to play',
    )
    await page.screenshot('player-film')
    await untilShown(page, '/0.jpg')
    await world().expectNoErrors()
  })
})

async function untilCaption(page: Page, words: string): Promise<void> {
  await page.until(
    (expected) => document.querySelector('.burnt-words')?.textContent === expected,
    words,
    `the caption “${words}”`,
  )
}
