/** Our own rules about the code, as tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { renderSettingsPage } from '../../scripts/settings-page.ts'
import { endpoints } from '../../src/contract/api.ts'
import { readMigrations } from '../../src/server/database/migrations.ts'
import { settings } from '../../src/server/config/settings.ts'
import { jobs, routes } from '../../src/server/wiring.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'
import landedMigrations from './landed-migrations.json' with { type: 'json' }

const root = fileURLToPath(new URL('../../', import.meta.url))

const sources = ['src', 'demo', 'test', 'scripts', 'bench'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`),
)

/** Longer than 300 lines, each for a reason. */
const longFiles: Record<string, string> = {}

/** Endpoints that the contract's page lacks and a user plainly needs. */
const additions = new Set([
  '/api/admin/activity',
  '/api/admin/categories',
  '/api/admin/categories/:id',
  '/api/admin/reports/stats',
  '/api/admin/settings',
  '/api/admin/stats',
  '/api/admin/tags',
  '/api/admin/tags/:slug',
  '/api/auth/methods',
  '/api/babecock/upload-cock',
  '/api/library/export',
  '/api/library/import',
  '/api/library/imports/:id',
  '/api/user/media/*',
  '/api/user/notices',
  '/api/user/notices/read',
])

describe('the contract', () => {
  test('every endpoint is mounted, and nothing else is', () => {
    const mounted = routes.map(({ endpoint }) => endpoint)
    const missing = endpoints.filter(({ endpoint }) => !mounted.includes(endpoint))
    expect(missing.map(({ name }) => name)).toEqual([])
    expect(mounted).toHaveLength(endpoints.length)
    expect(new Set(mounted).size).toBe(mounted.length)
  })

  test('no two endpoints share a method and a path', () => {
    const places = endpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
    expect(new Set(places).size).toBe(places.length)
  })

  testShared('every path stands in the contract’s page, or is a known addition', () => {
    const page = readFileSync(sharedFile('contract.md'), 'utf8')
    const unknown = endpoints.filter(
      ({ endpoint: { path } }) =>
        !page.includes(path.replaceAll(/:(\w+)/g, '<$1>')) && !additions.has(path),
    )
    expect(unknown.map(({ name }) => name)).toEqual([])
    return endpoints.length
  })
})

describe('settings', () => {
  test('the page about them is up to date (npm run docs)', () => {
    expect(readFileSync(`${root}docs/settings.md`, 'utf8')).toBe(renderSettingsPage())
  })

  testShared('every row of the contract’s table is a setting', () => {
    const [, chapter = ''] = readFileSync(sharedFile('contract.md'), 'utf8').split(
      '## 12. Settings',
    )
    const table = chapter.split('\n').filter((line) => /^\| [A-Z0-9_]+/.test(line))
    const named = table.flatMap(variablesOf)
    const known = new Set(Object.values(settings).map(({ name }) => name))
    expect(named.filter((name) => !known.has(name))).toEqual([])
    return named.length
  })
})

test('migrations are never edited once they have landed', async () => {
  const present = Object.fromEntries((await readMigrations()).map(({ name, hash }) => [name, hash]))
  expect(present).toMatchObject(landedMigrations)
  expect(Object.keys(present)).toEqual(Object.keys(landedMigrations))
})

test('every job has a name of its own', () => {
  expect(new Set(jobs.map(({ name }) => name)).size).toBe(jobs.length)
})

test('the demo is reached by one import, which the production image does without', () => {
  const reaching = sources
    .filter((file) => file.startsWith('src/'))
    .filter((file) => /\.\.\/demo\//.test(readFileSync(`${root}${file}`, 'utf8')))
  expect(reaching).toEqual(['src/server/load-demo.ts'])
})

describe('files', () => {
  test.each(sources)('%s', (file) => {
    const lines = readFileSync(`${root}${file}`, 'utf8').split('\n')
    const most = file.startsWith('test/') ? 500 : 300
    if (!longFiles[file]) expect(lines.length - 1, 'lines').toBeLessThanOrEqual(most)
    expect(basename(file)).not.toMatch(/^(utils?|helpers?|index|types|manager|service)\.tsx?$/)
    if (/^(src|demo)\//.test(file))
      expect(lines[0], 'opens with its reason').toMatch(/^(\/\*\*|\/\/)/)
    expect(lines.join('\n')).not.toMatch(/\b(test|describe|it)\.(only|todo)\(/)
  })

  test('a long file that has become shorter leaves the list', () => {
    for (const file of Object.keys(longFiles)) {
      expect(existsSync(`${root}${file}`)).toBe(true)
      expect(readFileSync(`${root}${file}`, 'utf8').split('\n').length).toBeGreaterThan(301)
    }
  })
})

/** 'DEV_EMAIL_1..3' and '_FEED' after 'RATE_LIMIT_PUBLIC' are how the page shortens lists. */
function variablesOf(row: string): string[] {
  const [, names = '', , meaning = ''] = row.split('|')
  const inMeaning = [...meaning.matchAll(/\b(?:S3|REDDIT|LEMMY|CAPTION)_[A-Z0-9_]+\b/g)].map(String)
  const listed = names.split(',').map((name) => name.trim().replace(/ .*/, ''))
  const prefix = listed[0]?.replace(/_[A-Z]+$/, '') ?? ''
  const whole = listed.map((name) => (name.startsWith('_') ? `${prefix}${name}` : name))
  const each = whole.flatMap((name) => {
    const [, stem] = /^(\w+?)1\.\.3$/.exec(name) ?? []
    return stem ? [1, 2, 3].map((number) => `${stem}${number}`) : [name]
  })
  return [...each, ...inMeaning]
}
