/** Checks that all texts of the web client are in catalogues, and that every language has all of them. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { catalogueIn, type Texts } from '../../scripts/web-build/catalogues.ts'
import { api } from '../../src/contract/api.ts'
import { saidWords } from '../support/said-words.ts'

const web = fileURLToPath(new URL('../../src/web/', import.meta.url))
const files = readdirSync(web, { recursive: true, encoding: 'utf8' })
const sources = files.filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
const languages = files.filter((name) => name.startsWith('words/languages/'))

const serverCode = ['contract', 'server']
  .flatMap((part) => {
    const folder = fileURLToPath(new URL(`../../src/${part}/`, import.meta.url))
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return names.filter((name) => name.endsWith('.ts')).map((name) => folder + name)
  })
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

/** Keyboard keys, product names, and names that standards define. */
const forMachines = new Set([
  'Enter',
  'Escape',
  'Tab',
  'Home',
  'End',
  'Backspace',
  'Delete',
  'Lanternist',
  'Reddit',
  'Lemmy',
  'Listing',
  'Exif',
  'Files',
  'GIF',
  'Unauthorized',
])

const catalogues = sources.flatMap((file) => {
  const found = catalogueIn(file, readFileSync(web + file, 'utf8'))
  return found === null ? [] : [{ file, ...found }]
})

test('texts are only in catalogues', () => {
  const found = sources
    .filter((file) => !/(^|[/-])words\.ts$/.test(file))
    .flatMap((file) =>
      saidWords(file, readFileSync(web + file, 'utf8'))
        .filter((text) => !forMachines.has(text))
        .map((text) => `${file}: ${text}`),
    )
  expect(found).toEqual([])
})

test('a feature has one catalogue', () => {
  const features = catalogues.map(({ feature }) => feature)
  expect(features.length).toBeGreaterThan(0)
  expect(new Set(features).size).toBe(features.length)
})

describe.each(catalogues)('$feature', ({ file, english }) => {
  test('every text is used', () => {
    const folder = dirname(file)
    const said = sources
      .filter((name) => name !== file)
      .map((name) => readFileSync(web + name, 'utf8'))
      .filter((text) => text.includes('words.ts') || text.includes(`${folder}/`))
      .join('\n')
    const unsaid = Object.keys(english).filter((name) => !new RegExp(`\\.${name}\\b`).test(said))
    expect(unsaid).toEqual([])
  })
})

describe.each(languages)('%s', (file) => {
  const translation = JSON.parse(readFileSync(web + file, 'utf8'))
  const tag = /(\w[\w-]*)\.json$/.exec(file)?.[1] ?? ''

  test('declares its text direction', () => {
    expect(['ltr', 'rtl']).toContain(translation.direction)
  })

  test('has texts for exactly the existing features', () => {
    expect(Object.keys(translation.words).toSorted()).toEqual(
      catalogues.map(({ feature }) => feature).toSorted(),
    )
  })

  test.each(catalogues)('translates all of $feature', ({ feature, english }) => {
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions()
    expect(shapeOf(translation.words[feature], pluralCategories)).toEqual(shapeOf(english))
  })

  test('translates every message of the server, and no others', () => {
    const said = Object.keys(translation.problems)
    expect(declaredSentences().filter((sentence) => !said.includes(sentence))).toEqual([])
    expect(said.filter((sentence) => !serverCode.includes(`'${sentence}'`))).toEqual([])
  })
})

/** Returns the names of texts and their placeholders, and the plural forms that are missing. */
function shapeOf(texts: Texts, forms: readonly string[] = []): object {
  const entries = Object.entries(texts).map(([name, entry]) => {
    if (typeof entry === 'string') return [name, placesOf(entry)]
    if (typeof entry['other'] !== 'string') return [name, shapeOf(entry, forms)]
    const missing = forms.filter((form) => !(form in entry))
    return [name, { missing, places: placesOf(entry['other']) }]
  })
  return Object.fromEntries(entries)
}

function placesOf(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted()
}

/** Returns the fixed messages of all failures that endpoints declare, without codes for programs. */
function declaredSentences(): string[] {
  const failures = Object.values(api).flatMap((endpoints) =>
    Object.values(endpoints).flatMap(({ failures }) => failures),
  )
  const sentences = failures.flatMap(({ fixed }) => {
    const words = fixed['message'] ?? fixed['error']
    return typeof words === 'string' && /[a-z]/.test(words) ? [words] : []
  })
  return [...new Set(sentences)]
}
