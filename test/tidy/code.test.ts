/** Our own rules about the code, as tests. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readMigrations } from '../../src/server/database/migrations.ts'
import { jobs } from '../../src/server/wiring.ts'
import landedMigrations from './landed-migrations.json' with { type: 'json' }

const root = fileURLToPath(new URL('../../', import.meta.url))

const sources = ['src', 'demo', 'test', 'scripts', 'bench'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`),
)

test('migrations are never edited once they have landed', async () => {
  const present = Object.fromEntries((await readMigrations()).map(({ name, hash }) => [name, hash]))
  expect(present).toMatchObject(landedMigrations)
  expect(Object.keys(present)).toEqual(Object.keys(landedMigrations))
})

test('every query key of the web client is in its list', () => {
  const literalKey = /queryKey: \[|Quer(?:y|ies)Data(?:<[^(]*>)?\(\s*\[/
  const isLiteral = (file: string) => literalKey.test(readFileSync(root + file, 'utf8'))
  const pages = sources.filter((file) => file.startsWith('src/web/'))
  expect(pages.filter(isLiteral)).toEqual(['src/web/features/credits/transaction-list.tsx'])
  expect(literalKey.test("queryClient.setQueryData<Session>(['session', id], opened)")).toBe(true)
})

test('every part of the web client that is loaded late is loaded by one function', () => {
  const pages = sources.filter((file) => file.startsWith('src/web/') && !loadsFirst.has(file))
  const bare = pages.filter((file) => /\blazy\(/.test(readFileSync(root + file, 'utf8')))
  expect(bare).toEqual([])
})

/** The file of that one function. */
const loadsFirst = new Set(['src/web/parts.ts'])

/** The last migration that is not checked. Up to it, nodes of two versions did not run side by side. */
const lastUnchecked = '0036_partitions.sql'

/** Migrations that remove something, with the last release that read it, by file name. */
const contracting: Record<string, string> = {}

/** Changes that break nodes of the previous version. */
const breaking: readonly (readonly [string, RegExp])[] = [
  ['changes a type', /\balter\s+(?:column\s+)?"?\w+"?\s+(?:set\s+data\s+)?type\b/],
  ['changes a type', /\balter\s+type\b[^;]*\b(?:rename|drop|alter)\b/],
  ['renames', /\brename\b/],
  ['moves to another schema', /\bset\s+schema\b/],
  ['drops', /\bdrop\s+(?!constraint\b|not\s+null\b|index\b|trigger\b|function\b)/],
  ['makes a column required', /\bset\s+not\s+null\b/],
  [
    'adds a required column',
    /\badd\s+(?:column\s+)?(?!constraint\b)[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)(?<!\bdefault\b[^,;]*)/,
  ],
]

function breaksIn(script: string): string[] {
  const code = script.replaceAll(/--.*$/gm, '').toLowerCase()
  return breaking.flatMap(([what, pattern]) => (pattern.test(code) ? [what] : []))
}

test('new migrations only add what nodes of the version before can live with', async () => {
  const added = (await readMigrations()).filter(({ name }) => name > lastUnchecked)
  const found = added.flatMap(({ name, script }) =>
    contracting[name] ? [] : breaksIn(script).map((what) => `${name} ${what}`),
  )
  expect(found).toEqual([])
})

test.each([
  ['alter table reports alter column share_code type text', ['changes a type']],
  ['alter table reports alter share_code set data type text', ['changes a type']],
  ['alter table users rename column name to title', ['renames']],
  ['drop table oidc_attempts', ['drops']],
  ['alter table users drop column name', ['drops']],
  ['alter table users alter column name drop default', ['drops']],
  ['alter table users alter column name set not null', ['makes a column required']],
  ['alter table users add column one integer not null', ['adds a required column']],
  ['alter table users add column one integer not null default 0', []],
  ['alter table users add column one integer default 0 not null', []],
  ['alter table users add column one integer, add column two text', []],
  ['create table new_one (id integer not null, kind text not null)', []],
  ['alter table reports drop constraint known, add constraint known check (true)', []],
  ['-- drop table users\nselect 1', []],
])('a migration with %j is judged', (script, found) => {
  expect(breaksIn(script)).toEqual(found)
})

test('every job has a unique name', () => {
  expect(new Set(jobs.map(({ name }) => name)).size).toBe(jobs.length)
})

test('the demo is reached by one import, which the production image does without', () => {
  const reaching = sources
    .filter((file) => file.startsWith('src/'))
    .filter((file) => /\.\.\/demo\//.test(readFileSync(`${root}${file}`, 'utf8')))
  expect(reaching).toEqual(['src/server/load-demo.ts'])
})

describe('every file', () => {
  const files = sources.map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }))
  const pathsWhere = (isWrong: (file: (typeof files)[number]) => boolean) =>
    files.filter(isWrong).map(({ path }) => path)

  test('has at most 300 lines, a test 500', () => {
    const max = (path: string) => (path.startsWith('test/') ? 500 : 300)
    expect(pathsWhere(({ path, text }) => text.split('\n').length - 1 > max(path))).toEqual([])
  })

  test('has a name that says what is in it', () => {
    const saysNothing = /^(utils?|helpers?|index|types|manager|service)\.tsx?$/
    expect(pathsWhere(({ path }) => saysNothing.test(basename(path)))).toEqual([])
  })

  test('of the product opens with its reason', () => {
    const isProduct = /^(src|demo)\//
    expect(
      pathsWhere(({ path, text }) => isProduct.test(path) && !/^(\/\*\*|\/\/)/.test(text)),
    ).toEqual([])
  })

  test('leaves no test aside', () => {
    const asides = /\b(test|describe|it)\.(only|todo)\(/
    expect(pathsWhere(({ text }) => asides.test(text))).toEqual([])
  })
})

test('every colour of the interface is a token of theme.css', () => {
  const styles = readdirSync(`${root}src/web`, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.(css|tsx?)$/.test(name) && name !== 'theme.css',
  )
  expect(styles.length).toBeGreaterThan(100)
  const painting = styles.filter((name) =>
    readFileSync(`${root}src/web/${name}`, 'utf8').includes('oklch('),
  )
  expect(painting).toEqual([])
})

test('a log line has a stable event beside its message', () => {
  const calls = sources
    .filter((file) => file.startsWith('src/server/') || file.startsWith('demo/'))
    .flatMap((file) =>
      [
        ...readFileSync(`${root}${file}`, 'utf8').matchAll(
          /\blog\??\.(?:info|warn|error|debug)\(\s*(.{0,12})/gs,
        ),
      ].map(([, start = '']) => ({ file, start })),
    )
  expect(calls.length).toBeGreaterThan(60)
  expect(calls.filter(({ start }) => !/^\{\s*event:/.test(start))).toEqual([])
})
