/** Pages and dialogs on the narrowest phones, in German and with the longest names. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { phone } from '../support/accessibility.ts'
import { findCutOff } from '../support/narrow-pages.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'
import { blue, plain } from '../support/pictures.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

const longWord = 'Donaudampfschifffahrtsgesellschaftskapit'
const longTitle = `${longWord} ${'Ein langer Abend am Hafen '.repeat(9)}`.slice(0, 200).trim()

type Step = string | RegExp | (() => Promise<unknown>)

/** Signs in, with the longest names. */
async function visitWithLongNames() {
  const { context, page, open } = await world.signedIn(1, { locale: 'de-DE' })
  const ask = async (method: 'post' | 'patch', path: string, data: object) => {
    const answer = await context.request[method](world.url + path, { data })
    expect(answer.ok(), path).toBe(true)
    return answer.json()
  }
  await ask('patch', '/api/auth/user', { firstName: longWord, lastName: longWord })

  /** Opens a page, takes these steps one after the other, and checks both widths. A name is pressed. */
  const look = async (path: string, ...steps: Step[]) => {
    await page.setViewportSize(phone)
    await open(path)
    const presses = steps.filter((step) => typeof step !== 'function')
    for (const step of steps) {
      if (typeof step === 'function') {
        await step()
        continue
      }
      const button = page.getByRole('button', { name: step })
      const control = button.or(page.getByRole('menuitem', { name: step }))
      await control.and(page.locator(':visible')).first().click()
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
  return { page, open, ask, look }
}

test('no control is cut off on a narrow phone, with the longest names and in German', async () => {
  const { page, open, ask, look } = await visitWithLongNames()
  const id = await world.makeSession(page, longTitle)
  const media = await world.sharedMediaCode()
  const { shareCode } = await ask('post', `/api/sessions/${id}/share`, {})
  const { room } = await ask('post', '/api/rooms', { sessionId: id })
  const { remoteUrl } = await ask('post', `/api/rooms/${room.code}/remotes`, {})
  await ask('post', '/api/frames', { name: longWord, sessionIds: [id] })
  await world.publish(page, id)
  const published = await world.publishedId(page, longTitle)
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
    'Auf Bilderrahmen zeigen',
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

test('nor in the forms and dialogs of the studio, of frames and of keys', async () => {
  const { page, ask, look } = await visitWithLongNames()
  const dialog = page.getByRole('dialog')
  const id = await world.makeSession(page, longTitle)
  await world.makeSession(page, longWord)

  const pictures = await Promise.all([addPicture(page, 900, 600), addPicture(page, 600, 900)])
  const [babeImageUrl, cockImageUrl] = pictures
  await ask('post', '/api/babecock/generate', { babeImageUrl, cockImageUrl })
  await look('/studio', 'Remix')

  const frames = [
    `/sessions/${id}`,
    'Mehr',
    'Auf Bilderrahmen zeigen',
    'Bilderrahmen anlegen',
  ] as const
  await look(...frames, () => dialog.getByRole('switch', { name: 'Ruhezeit' }).click())
  await look(...frames, async () => {
    await dialog.getByRole('textbox', { name: 'Name' }).fill(longWord)
    await dialog.getByRole('button', { name: 'Bilderrahmen anlegen' }).click()
    await dialog.getByRole('button', { name: 'Fertig' }).waitFor()
  })
  const listed = frames.slice(1, 3)
  await look(frames[0], ...listed, 'Ändern')
  await look(frames[0], ...listed, 'Neuer Link')
  await look(frames[0], ...listed, /^Löschen/)

  await look('/account/security', 'Schlüssel erstellen', async () => {
    await dialog.getByRole('textbox', { name: 'Name' }).fill(longTitle.slice(0, 100))
    await dialog.getByRole('button', { name: 'Schlüssel erstellen' }).click()
    await dialog.getByRole('button', { name: 'Fertig' }).waitFor()
  })
  await look('/account/security')
})

test('nor in the administration with long names', async () => {
  const { page, ask, look } = await visitWithLongNames()
  const other = await world.asking(2)
  const otherId = await world.makeSession({ request: other }, longTitle)
  const answer = await other.post(`${world.url}/api/sessions/${otherId}/share`, { data: {} })
  const { shareCode } = await answer.json()
  const report = { targetType: 'shared_session', shareCode, details: longTitle.repeat(9) }
  await ask('post', '/api/reports', { ...report, reason: 'copyright', contact: longWord })
  await ask('post', '/api/admin/tags', { slug: 'lang', label: longWord, description: longTitle })
  await ask('post', '/api/admin/categories', { slug: 'lang', name: longTitle.slice(0, 100) })
  const price = { featureKey: longWord.toLowerCase(), displayName: longTitle.slice(0, 100) }
  await ask('post', '/api/admin/pricing', { ...price, creditsRequired: 1_000_000 })

  const decision = page.getByRole('region', { name: 'Entscheidung' })
  for (const action of ['Verwerfen', 'Entfernen', 'Entfernen und sperren'])
    await look('/admin/reports', () =>
      decision
        .getByRole('button', { name: new RegExp(`^${action}`) })
        .first()
        .click(),
    )
  await look('/admin/users', /ändern$/)
  await look('/admin/pricing')
  await look('/admin/pricing', 'Neuer Preis')
  await look('/admin/pricing', new RegExp(`^${longWord}.* ändern$`))
  await look('/admin/tags')
  for (const name of ['Neues Schlagwort', 'Neue Kategorie', new RegExp(`^${longWord}.* ändern$`)])
    await look('/admin/tags', name)
  await look('/admin/charges?user=dev-user-2')
  await look('/admin/charges?user=dev-user-2', 'Erstatten')
  await look('/admin/activity?user=dev-user-2')
})

/** Uploads a picture. Returns its address. */
async function addPicture(page: Page, width: number, height: number): Promise<string> {
  const buffer = await plain(width, height, blue)
  const file = { name: `${longWord} ${width}.png`, mimeType: 'image/png', buffer }
  const answer = await page.request.post(`${world.url}/api/media/upload`, { multipart: { file } })
  return ((await answer.json()) as { media: { url: string } }).media.url
}
