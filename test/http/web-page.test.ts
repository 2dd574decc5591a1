/** The client's page with a user's text in its head: shown as text, never as markup. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadWebPage, type WebPage } from '../../src/server/features/pages/web-page.ts'

const built =
  '<html lang="en"><head><title>Lanternist</title><link href="/a.css"></head>' +
  '<body><div id="app"></div></body></html>'

let folder: string
let page: WebPage

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-page-'))
  await writeFile(join(folder, 'index.html'), built)
  await writeFile(join(folder, '.languages.json'), '{"en":"ltr","de":"ltr","ar":"rtl"}')
  page = await loadWebPage(folder)
})

afterAll(() => rm(folder, { recursive: true }))

test('without additions the page is the built one', () => {
  expect(page.render({ language: 'en' })).toBe(built)
})

test('a visitor’s page is marked, and our tags are unchanged in the head', () => {
  expect(page.render({ language: 'de', isVisitor: true, tags: '<link rel="preload" />' })).toBe(
    '<html lang="de" data-visitor><head><title>Lanternist</title><link href="/a.css">' +
      '<link rel="preload" /></head><body><div id="app"></div></body></html>',
  )
})

test('a page in another language has its direction and its scripts', async () => {
  const script = '<script type="module" src="/assets/index-1a2b.js"></script>'
  await writeFile(join(folder, 'index.html'), built.replace('</head>', `${script}</head>`))
  const translated = await loadWebPage(folder)
  expect(translated.render({ language: 'en' })).toContain('<html lang="en"><head>')
  expect(translated.render({ language: 'en' })).toContain(script)
  expect(translated.render({ language: 'ar' })).toContain('<html lang="ar" dir="rtl"><head>')
  expect(translated.render({ language: 'ar' })).toContain('src="/assets/ar/index-1a2b.js"')
})

test('a title and preview tags are in the head', () => {
  const html = page.render({
    language: 'en',
    title: 'Sea & sky',
    openGraph: { title: 'Sea & sky', image: 'http://localhost:5000/media/a.webp' },
  })
  expect(html).toBe(
    '<html lang="en"><head><title>Sea &#38; sky · Lanternist</title><link href="/a.css">' +
      '<meta property="og:title" content="Sea &#38; sky" />' +
      '<meta property="og:image" content="http://localhost:5000/media/a.webp" />' +
      '<meta name="twitter:card" content="summary_large_image" />' +
      '</head><body><div id="app"></div></body></html>',
  )
})

test('user text cannot end its tag', () => {
  const hostile = fc.array(
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '$&',
      '$1',
      '</title>',
      '</head>',
      '<script>',
      'a',
      ' ',
    ),
  )
  fc.assert(
    fc.property(hostile, hostile, (title, description) => {
      const html = page.render({
        language: 'en',
        title: title.join(''),
        openGraph: { description: description.join('') },
      })
      const shape =
        /^<html lang="en"><head><title>([^<>"']*)<\/title><link href="\/a.css"><meta property="og:description" content="([^<>"']*)" \/><\/head><body><div id="app"><\/div><\/body><\/html>$/
      const [, shownTitle, shownDescription] = shape.exec(html) ?? []
      const words = title.join('')
      expect(unescapeHtml(shownTitle)).toBe(words === '' ? 'Lanternist' : `${words} · Lanternist`)
      expect(unescapeHtml(shownDescription)).toBe(description.join(''))
    }),
  )
})

test('the page contains the site’s features for its script, with any site name', () => {
  const site = { name: `The "Lamp" <b>'s &` }
  const html = page.render({ language: 'en', site })
  const shape = /^<html lang="en" data-site="([^<>"']*)"><head><title>([^<>"']*)<\/title>/
  const [, told, title] = shape.exec(html) ?? []
  expect(JSON.parse(unescapeHtml(told) ?? '')).toEqual(site)
  expect(unescapeHtml(title)).toBe(site.name)
})

test('a page without a head is refused when it is loaded, not when it is shown', async () => {
  const broken = await mkdtemp(join(tmpdir(), 'web-page-'))
  await writeFile(join(broken, 'index.html'), '<p>Not the client</p>')
  await expect(loadWebPage(broken)).rejects.toThrow('no <title> in a <head>')
  await rm(broken, { recursive: true })
})

function unescapeHtml(text: string | undefined): string | undefined {
  return text?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}
