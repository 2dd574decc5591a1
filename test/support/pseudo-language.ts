/**
 * A pseudo language, read from right to left and derived from the English texts. It reveals text on a page
 * that is not in a catalogue, and layouts that do not fit longer words or the other direction.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { buildWeb } from '../../scripts/build-web.ts'
import { catalogueIn, type Texts } from '../../scripts/web-build/catalogues.ts'

const root = resolve(import.meta.dirname, '../..')
const web = join(root, 'src/web')

/** Builds a client in `folder` with it in place of German, and returns its folder. */
export async function buildPseudo(folder: string): Promise<string> {
  const languages = join(folder, 'languages')
  await mkdir(languages)
  const translation = { direction: 'rtl', words: pseudoWords(), problems: {} }
  await writeFile(join(languages, 'de.json'), JSON.stringify(translation))
  await buildWeb(root, join(folder, 'web'), languages)
  return join(folder, 'web')
}

/** Returns texts of the page, also in attributes, that are in no catalogue. */
export async function foreignTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.closest('noscript, script, style, svg, bdi')) continue
      // A sentence with a link in it is several nodes.
      const whole = node.parentElement?.closest('p, li, h1, h2, h3, label, legend, td, output')
      if (!whole?.textContent.includes('⟦')) found.push(node.textContent ?? '')
    }
    const names = [
      'aria-label',
      'aria-description',
      'aria-valuetext',
      'title',
      'alt',
      'placeholder',
    ]
    for (const name of names)
      for (const element of document.querySelectorAll(`[${name}]`))
        found.push(element.getAttribute(name) ?? '')
    found.push(document.title)
    return found
  })
  return texts.filter((text) => /\p{L}{2,}/u.test(text) && !text.includes('⟦'))
}

function pseudoWords(): Record<string, Texts> {
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' })
  const catalogues = files
    .filter((name) => /(^|[/-])words\.ts$/.test(name))
    .map((name) => catalogueIn(name, readFileSync(join(web, name), 'utf8')))
  return Object.fromEntries(
    catalogues.flatMap((found) => (found === null ? [] : [[found.feature, pseudo(found.english)]])),
  )
}

function pseudo(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([name, entry]) => [
      name,
      typeof entry === 'string' ? `⟦${lengthened(entry)}⟧` : pseudo(entry),
    ]),
  )
}

/** Lengthens a text as German would; placeholders stay. */
function lengthened(text: string): string {
  return text + ' ~'.repeat(Math.ceil(text.length / 8))
}
