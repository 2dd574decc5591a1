/** Reads which parts of the server import which, and draws the features into ARCHITECTURE.md. */
import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Import = { readonly from: string; readonly to: string }
type Arrows = ReadonlyMap<string, ReadonlySet<string>>

const server = fileURLToPath(new URL('../src/server/', import.meta.url))
const page = new URL('../ARCHITECTURE.md', import.meta.url)
const drawingBlock = /<!-- features -->\n.*?<!-- \/features -->/s

/** Returns all imports, including type imports: they are dependencies too. */
export function readImports(): Import[] {
  return globSync('**/*.ts', { cwd: server }).flatMap((from) => {
    const source = readFileSync(join(server, from), 'utf8')
    return [...source.matchAll(/(?:from|import|import\() ?'(\.[^']+)'/g)].map(([, path = '']) => ({
      from,
      to: join(dirname(from), path),
    }))
  })
}

/** Returns the feature of a file, or null for the rest of the server. */
export function featureOf(file: string): string | null {
  return /^features\/([^/]+)\//.exec(file)?.[1] ?? null
}

export function featureArrows(imports: readonly Import[]): Arrows {
  const arrows = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [user, used] = [featureOf(from), featureOf(to)]
    if (user === null) continue
    const uses = arrows.get(user) ?? new Set()
    arrows.set(user, uses)
    if (used !== null && used !== user) uses.add(used)
  }
  return arrows
}

/** Returns import cycles between features as `a → b → … → a`: the shortest one for each feature. */
export function findCircles(arrows: Arrows): string[] {
  return [...arrows.keys()].flatMap((start) => {
    const way = shortestWay(arrows, start, start)
    return way ? [way.join(' → ')] : []
  })
}

/** Draws the graph. An arrow that a longer path implies is omitted, so that the order is visible. */
export function drawFeatures(arrows: Arrows): string {
  const lines = [...arrows.keys()].toSorted().flatMap((user) => {
    const uses = arrows.get(user) ?? new Set<string>()
    const direct = [...uses].filter(
      (used) => !uses.values().some((other) => other !== used && reaches(arrows, other, used)),
    )
    return direct.length === 0 ? [`  ${user}`] : [`  ${user} --> ${direct.toSorted().join(' & ')}`]
  })
  return ['```mermaid', 'flowchart TD', ...lines, '```'].join('\n')
}

export function withDrawing(text: string, drawing: string): string {
  return text.replace(drawingBlock, `<!-- features -->\n${drawing}\n<!-- /features -->`)
}

function reaches(arrows: Arrows, from: string, to: string): boolean {
  return from === to || shortestWay(arrows, from, to) !== null
}

function shortestWay(arrows: Arrows, from: string, to: string): string[] | null {
  const seen = new Set<string>()
  const ways = [[from]]
  for (const way of ways) {
    for (const next of arrows.get(way.at(-1) ?? '') ?? []) {
      if (next === to) return [...way, next]
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return null
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const drawing = drawFeatures(featureArrows(readImports()))
  await writeFile(page, withDrawing(await readFile(page, 'utf8'), drawing))
}
