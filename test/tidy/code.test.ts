/** Our own rules about the code, as tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

/** Longer than 300 lines, each for a reason. */
const longFiles: Record<string, string> = {}

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

test('a line of the log has a stable event, whatever its words', () => {
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
