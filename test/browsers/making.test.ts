/** Making a session in Firefox and in WebKit: files become slides, are ordered, saved and played. */
import { beforeAll, expect, test } from 'vitest'
import { phone } from '../support/accessibility.ts'
import { photo, photos } from '../support/file-visit.ts'
import { makeFilm } from '../support/sample-media.ts'
import type { Person } from '../support/world.ts'
import type { Page } from './page.ts'
import { expectNoOverflow } from './player-visit.ts'
import { inEachBrowser } from './use-browsers.ts'

inEachBrowser((world) => {
  let ana: Person

  beforeAll(async () => {
    ana = await world().as('ana')
  })

  test('chosen files become slides, are dragged into another order, saved and played', async () => {
    const paths = [
      await world().putFile('a-lamp.jpg', await photo(1)),
      await world().putFile('b-river.jpg', await photo(2)),
      await world().putFile('c-film.webm', await makeFilm({ format: 'webm', frames: 45 })),
    ]
    const page = await world().visitAs('ana')
    await page.open('/sessions/new/manual')
    await page.chooseFiles('Pictures and films for new slides', paths)
    await untilSlides(page, 3)
    await page.fill('Title', 'Slow mornings')
    await writeCaptions(page, ['One', 'Two', 'Three'])
    expect(await page.evaluate(isFilmBesideItsControls, null)).toBe(true)
    await page.screenshot('making-captions')
    await page.click('button', 'Make session')
    await page.until(() => /\/sessions\/\d+\/edit$/.test(location.pathname), null, 'the editor')
    await page.see('button', 'Slide 3 of 3, Three')
    await page.drag('Slide 3 of 3, Three', 'Slide 1 of 3, One')
    await page.see('button', 'Slide 1 of 3, Three')
    await page.see('button', 'Slide 2 of 3, One')
    await page.screenshot('making-dragged')
    await page.click('button', 'Save')
    await page.see('button', 'Saved')

    const [session] = await ana.sessions.list()
    const { media } = await ana.sessions.read({ params: { id: String(session?.id) } })
    expect(media.map(({ caption }) => caption)).toEqual(['Three', 'One', 'Two'])
    await page.open(`/play/${session?.id}`)
    await page.until(
      () => {
        const film = document.querySelector('.player-frame.is-shown video')
        return film instanceof HTMLVideoElement && film.currentTime > 0.3
      },
      null,
      'the film to play first',
    )
    await page.until(
      () => document.querySelector('.burnt-words')?.textContent === 'One',
      null,
      'the picture after it',
    )
    await world().expectNoErrors()
  })

  test('pictures dropped on the library are a session that plays, on a phone', async () => {
    const page = await world().visitAs('ana', phone)
    await page.open('/library')
    await page.see('heading', 'Sessions')
    await page.dropFiles(await photos(3))
    await page.until(
      () => document.body.textContent.includes('All 3 uploaded'),
      null,
      'all to be there',
    )
    await expectNoOverflow(page)
    await page.screenshot('making-dropped-phone')
    await page.click('link', 'Play')
    await page.until(
      () => {
        const picture = document.querySelector('.player-frame.is-shown img')
        return picture instanceof HTMLImageElement && picture.naturalWidth > 0
      },
      null,
      'the first picture',
    )
    await world().expectNoErrors()
  })

  test('keys move a slide, and the settings change, on a phone', async () => {
    const slides = ['One', 'Two', 'Three'].map((caption, n) => ({
      mediaUrl: world().site.url(`/${n + 1}.jpg`),
      caption,
    }))
    const { session } = await ana.sessions.createManual({ body: { title: 'By hand', slides } })
    const page = await world().visitAs('ana', phone)
    await page.open(`/sessions/${session.id}/edit`)
    await expectNoOverflow(page)
    await page.click('button', 'Slide 1 of 3, One')
    await page.press('Alt+ArrowDown')
    await page.see('button', 'Slide 2 of 3, One')
    await page.screenshot('making-editor-phone')
    await page.click('button', 'Settings')
    await page.fill('Longest, in seconds', '12')
    await expectNoOverflow(page)
    await page.screenshot('making-settings-phone')
    await page.click('button', 'Save settings')
    await page.click('button', 'Save')
    await page.see('button', 'Saved')
    const kept = await ana.sessions.read({ params: { id: String(session.id) } })
    expect(kept.session.intervalMax).toBe(12)
    expect(kept.media.map(({ caption }) => caption)).toEqual(['Two', 'One', 'Three'])
    await world().expectNoErrors()
  })
})

/** Runs in the page. */
function isFilmBesideItsControls(): boolean {
  const film = document.querySelector('video')?.getBoundingClientRect()
  const place = document
    .querySelector('[aria-label="Position in the film"]')
    ?.getBoundingClientRect()
  return film !== undefined && place !== undefined && film.bottom <= place.top
}

async function untilSlides(page: Page, count: number): Promise<void> {
  await page.until(
    (expected) =>
      document.querySelectorAll(`button[aria-label*=" of ${expected}"]`).length === expected,
    count,
    `${count} slides`,
  )
}

/** Writes a caption for each slide in order. */
async function writeCaptions(page: Page, words: readonly string[]): Promise<void> {
  for (const [at, text] of words.entries()) {
    const name = await page.evaluate(
      (place) =>
        document
          .querySelector(`button[aria-label^="Slide ${place} of"]`)
          ?.getAttribute('aria-label') ?? '',
      at + 1,
    )
    await page.click('button', name)
    await page.fill('Caption', text)
  }
}
