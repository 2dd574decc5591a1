/**
 * Endpoints, as 'GET /api/sessions/<>', and settings that the pages of the contract name. The pages use
 * abbreviations: after 'GET /api/keys' in a line, 'POST;' means the same path and 'DELETE /<id>' one below
 * it.
 */
import { readFileSync } from 'node:fs'
import { sharedFile } from './shared-corpora.ts'

const pageFiles = ['contract.md', 'contract-additions.md']
/** Much of it is not implemented yet. */
const plannedFile = 'contract-devices.md'

const verb = '(?:GET|POST|PUT|PATCH|DELETE)'
const place = '(?:/(?:[\\w.-]*\\w|<[^>|]+>))+(?![\\w/-])'
const between = '(?:, | and |\\|)'
const call = new RegExp(
  `\\b(${verb}(?:${between}${verb})*)(?: (${place}(?:(?:, | and )${place})*)|(?=;| \\[| \\{))`,
  'g',
)

export function endpointsOnPages(): Set<string> {
  return new Set(readPages().flatMap(endpointsIn))
}

/** Returns the endpoints of the page that the service implements step by step. */
export function plannedEndpoints(): Set<string> {
  return new Set(endpointsIn(readFileSync(sharedFile(plannedFile), 'utf8')))
}

/** Returns the settings in the table of section 12, which both pages have. */
export function settingsOnPages(): string[] {
  return readPages().flatMap((page) => {
    const [, chapter = ''] = page.split(/^## 12\b/m)
    const [table = ''] = chapter.split(/^## /m)
    return table
      .split('\n')
      .filter((line) => /^\| [A-Z0-9_]+/.test(line))
      .flatMap(variablesOf)
  })
}

/** Replaces the names of parameters, which differ between the pages and the code. */
export function withoutNames(method: string, path: string): string {
  return `${method} ${path.replaceAll(/:\w+|<[^>]+>/g, '<>')}`
}

function endpointsIn(page: string): string[] {
  return page.split('\n').flatMap(endpointsOf)
}

function endpointsOf(line: string): string[] {
  let whole = ''
  return [...line.matchAll(call)].flatMap(([, verbs = '', places = '']) => {
    const base = whole
    const paths = places.split(/, | and /).flatMap((path) => {
      if (path.startsWith('/api/')) whole = path
      const full = path === whole ? path : `${base}${path}`
      // A shortened path in a line without a full path is another abbreviation.
      return full.startsWith('/api/') ? [full] : []
    })
    return paths.flatMap((path) =>
      verbs.split(/, | and |\|/).map((method) => withoutNames(method, path)),
    )
  })
}

/** Expands the abbreviations of the pages: 'DEV_EMAIL_1..3', and '_FEED' after 'RATE_LIMIT_PUBLIC'. */
function variablesOf(row: string): string[] {
  const [, names = '', , meaning = ''] = row.split('|')
  const inMeaning = [
    ...meaning.matchAll(/\b(?:S3|REDDIT|LEMMY|CAPTION|FOLDERS)_[A-Z0-9_]+\b/g),
  ].map(String)
  const listed = names.split(',').map((name) => name.trim().replace(/ .*/, ''))
  const prefix = listed[0]?.replace(/_[A-Z]+$/, '') ?? ''
  const whole = listed.map((name) => (name.startsWith('_') ? `${prefix}${name}` : name))
  const each = whole.flatMap((name) => {
    const [, stem] = /^(\w+?)1\.\.3$/.exec(name) ?? []
    return stem ? [1, 2, 3].map((number) => `${stem}${number}`) : [name]
  })
  return [...each, ...inMeaning]
}

function readPages(): string[] {
  return pageFiles.map((file) => readFileSync(sharedFile(file), 'utf8'))
}
