/** Pages and dialogs on the narrowest phones, in German and with the longest names. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { phone } from '../support/accessibility.ts'
import { findCutOff } from '../support/narrow-pages.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

const longWord = 'Donaudampfschifffahrtsgesellschaftskapit'
const longTitle = `${longWord} ${'Ein langer Abend am Hafen '.repeat(9)}`.slice(0, 200).trim()

test('no control is cut off on a narrow phone, with the longest names and in German', async () => {
  const { context, page, open } = await world.signedIn(1, { locale: 'de-DE' })
  const ask = async (method: 'post' | 'patch', path: string, data: object) => {
    const answer = await context.request[method](world.url + path, { data })
    expect(answer.ok(), path).toBe(true)
    return answer.json()
  }
  await ask('patch', '/api/auth/user', { firstName: longWord, lastName: longWord })
  const id = await world.makeSession(page, longTitle)
  const media = await world.sharedMediaCode()
  const { shareCode } = await ask('post', `/api/sessions/${id}/share`, {})
  const { room } = await ask('post', '/api/rooms', { sessionId: id })
  const { remoteUrl } = await ask('post', `/api/rooms/${room.code}/remotes`, {})
  await ask('post', '/api/frames', { name: longWord, sessionIds: [id] })
  await world.publish(page, id)
  const published = await world.publishedId(page, longTitle)

  /** Opens a page, presses these controls one after the other, and checks both widths. */
  const look = async (path: string, ...presses: (string | RegExp)[]) => {
    await page.setViewportSize(phone)
    await open(path)
    for (const name of presses) {
      const button = page.getByRole('button', { name }).or(page.getByRole('menuitem', { name }))
      await button.and(page.locator(':visible')).first().click()
    }
    // A menu opens dialogs, so after two presses there is one. It may still have to be loaded.
    const opened = presses.length > 1 ? 'dialog[open]' : 'dialog[open], [role=menu]'
    if (presses.length > 0) await page.locator(opened).first().waitFor()
    for (const width of [390, 320]) {
      // A menu closes when its page changes size.
      const isMenu = (await page.getByRole('menu').count()) > 0
      if (!isMenu) await page.setViewportSize({ width, height: 844 })
      await page.waitForFunction(() => document.querySelector('.skeleton') === null)
      // Fonts and dialogs may still move.
      const message = [path, ...presses, width].join(' ')
      await expect.poll(() => findCutOff(page), { message }).toEqual([])
    }
  }
  const studio = ['', 'compose', 'animate', 'censor', 'enhance'].map((tool) => `/studio/${tool}`)
  const sections = ['', ...'reports users charges pricing tags settings activity jobs'.split(' ')]
  const admin = sections.map((section) => `/admin/${section}`)
  const remote = new URL(remoteUrl)
  const plain = `/ /report /nowhere /demo /tv /library /import /vault /trash /kept /sessions/new
    /sessions/new/manual /account /account/notices /account/downloads /account/security /credits
    /credits/buy /community/published /community /community/${published} /shared/${shareCode}
    /shared/media/${media} /rooms/${room.code} /rooms/${room.code}/host /sessions/${id}
    /sessions/${id}/edit /play/${id}`
  const paths = [...plain.split(/\s+/), ...studio, ...admin, remote.pathname + remote.hash]
  for (const path of paths) await look(path)
  // A desktop page at 200 % zoom is this wide.
  await open(`/sessions/${id}/edit`)
  for (const width of [1100, 1024, 640]) {
    await page.setViewportSize({ width, height: 500 })
    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    expect(title?.width, `the editor’s title at ${width}`).toBeGreaterThan(120)
  }
  const session = `/sessions/${id}`
  await look('/library', 'Kontomenü')
  await look(session, 'Teilen')
  await look(session, 'Mehr')
  for (const entry of [
    'Einstellungen',
    'Auf einem Bilderrahmen',
    'In der Community',
    /^Neu füllen/,
  ])
    await look(session, 'Mehr', entry)
  await look(`/shared/${shareCode}`, 'Melden')
  await look('/account', 'Mein Konto löschen')
  await look('/account/security', 'Schlüssel erstellen')
  await look('/admin/users', /ändern$/)
  for (const name of ['Neue Dias', 'Einstellungen', 'Texte für alle'])
    await look(`${session}/edit`, name)
  for (const name of [/Tempo und mehr|^Mehr$/, 'Auf anderen Bildschirmen zeigen'])
    await look(`/play/${id}`, name)
})
