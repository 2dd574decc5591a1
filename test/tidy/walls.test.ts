/** Checks which folders of the server import which (ARCHITECTURE.md, “Who may import whom”). */
import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import {
  drawFeatures,
  featureArrows,
  featureOf,
  findCircles,
  readImports,
  withDrawing,
} from '../../scripts/feature-graph.ts'

const imports = readImports()

const below = new Set(['config', 'database', 'http', 'jobs', 'leases', 'media', 'platform'])

/** Each folder may import itself and the folders before it. */
const layers = ['platform', 'config', 'database'] as const

test('features form a graph without a circle, types included', () => {
  expect(imports.length).toBeGreaterThan(1000)
  expect(findCircles(featureArrows(imports))).toEqual([])
})

test('a circle would be seen, and named by its arrows', () => {
  const arrows = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['b'])],
  ])
  expect(findCircles(arrows)).toEqual(['b → c → b', 'c → b → c'])
})

test('the folders below features import none of them', () => {
  const knowing = imports.filter(
    ({ from, to }) => below.has(from.split('/', 1)[0] ?? '') && featureOf(to) !== null,
  )
  expect(knowing.map(arrow)).toEqual([])
})

test('the platform, the settings and the database know nothing above them', () => {
  const knowing = imports.filter(({ from, to }) => {
    const [user, used] = [layerOf(from), layerOf(to)]
    const isInside = !to.startsWith('..')
    // Only a type: the context in which a statement runs.
    const isContext = user > 0 && to === 'context.ts'
    return user !== -1 && isInside && !isContext && (used === -1 || used > user)
  })
  expect(knowing.map(arrow)).toEqual([])
})

test('a feature enters another by its door', () => {
  const elsewhere = imports.filter(({ from, to }) => {
    const [user, used] = [featureOf(from), featureOf(to)]
    const isOther = user !== null && used !== null && user !== used
    return isOther && to !== `features/${used}/${used}.ts`
  })
  expect(elsewhere.map(arrow)).toEqual([])
})

test('only a door passes on what another file has', () => {
  const passing = imports
    .map(({ from }) => from)
    .filter((file, index, files) => files.indexOf(file) === index)
    .filter((file) => basename(file, '.ts') !== basename(dirname(file)))
    .filter((file) => /^export (type )?(\{[^}]*\}|\*) from '\./m.test(sourceOf(file)))
  expect(passing).toEqual([])
})

test('the drawing of the features is up to date (npm run docs)', () => {
  const page = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
  expect(page).toContain('<!-- features -->')
  expect(withDrawing(page, drawFeatures(featureArrows(imports)))).toBe(page)
})

function arrow({ from, to }: { from: string; to: string }): string {
  return `${from} → ${to}`
}

function layerOf(file: string): number {
  return layers.findIndex((layer) => file.startsWith(`${layer}/`))
}

function sourceOf(file: string): string {
  return readFileSync(new URL(`../../src/server/${file}`, import.meta.url), 'utf8')
}
