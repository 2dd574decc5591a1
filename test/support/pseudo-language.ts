/**
 * A language that nobody speaks, read from right to left, made of the English words: what is on a page
 * and not in it was forgotten, and what does not fit a longer word or the other direction shows.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { buildWeb } from '../../scripts/build-web.ts'
import { catalogueIn, type Texts } from '../../scripts/web-build/catalogues.ts'

const root = resolve(import.meta.dirname, '../..')
const web = join(root, 'src/web')

/** Builds a client in `folder` that has it in place of German, and returns where. */
export async function buildPseudo(folder: string): Promise<string> {
  const languages = join(folder, 'languages')
  await mkdir(languages)
  const translation = { direction: 'rtl', words: pseudoWords(), problems: {} }
  await writeFile(join(languages, 'de.json'), JSON.stringify(translation))
  await buildWeb(root, join(folder, 'web'), languages)
  return join(folder, 'web')
}

/** What stands on the page, in attributes too, and is in no catalogue. */
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

/** As much longer as German is; the places stay as they are. */
function lengthened(text: string): string {
  return text + ' ~'.repeat(Math.ceil(text.length / 8))
}
