/**
 * Budgets of the compressed bytes that a page loads before it can be drawn, with its styles and the texts
 * of the visitor's language. A budget is the size of the page plus about 5 %. A change that exceeds it
 * raises it and says why. A page that has become smaller lowers it, so that the gain stays.
 */

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { scriptIn } from '../../src/contract/page-languages.ts'

const dist = join(import.meta.dirname, '../../dist/web')

const chunkList = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
  }),
)
type Chunks = z.infer<typeof chunkList>

let chunks: Chunks

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
  chunks = chunkList.parse(JSON.parse(await readFile(join(dist, '.chunks.json'), 'utf8')))
})

const frame = 'frame/page-frame.tsx'
const memberFrame = 'frame/app-frame.tsx'

/** German texts are longer, and the server's English messages need translations. */
const germanExtra = 8

/** In units of 1,000 bytes, as the build compresses them. */
const budgets = [
  ['landing', 120, ['features/landing/landing-page.tsx', frame]],
  ['library', 121, ['features/library/library-page.tsx', frame, memberFrame]],
  ['shared link', 124, ['features/sharing/shared-page.tsx', frame]],
  ['player', 127, ['features/player/play-page.tsx']],
  ['session', 127, ['features/sessions/session-page.tsx', frame, memberFrame]],
  ['editor', 171, ['features/editor/editor-page.tsx', frame, memberFrame]],
  ['vault', 144, ['features/vault/vault-page.tsx', frame, memberFrame]],
] as const

/** A budget that is larger than the page by this share guards nothing. */
const slack = 0.12

describe.each(budgets)('the first load of the %s page', (_, budget, scripts) => {
  test(`stays within ${budget} kB`, async () => {
    const { total, sizes } = await weigh(filesOf(scripts))
    expect(total, sizes).toBeLessThanOrEqual(budget)
    expect(total, 'lower the budget').toBeGreaterThan(budget * (1 - slack))
  })

  test(`is at most ${germanExtra} kB more in German`, async () => {
    const files = filesOf(scripts)
    const english = await weigh(files)
    const german = await weigh(files.map((file) => scriptIn('de', file)))
    expect(german.total - english.total, german.sizes).toBeLessThanOrEqual(germanExtra)
    expect(german.total).not.toBe(english.total)
  })
})

async function weigh(files: readonly string[]): Promise<{ total: number; sizes: string }> {
  const sizes = await Promise.all(
    files.map(async (file) => ({ file, bytes: (await stat(join(dist, `${file}.br`))).size })),
  )
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
  return { total, sizes: JSON.stringify(sizes) }
}

/** Returns the scripts and styles with their static imports. The page does not wait for later imports. */
function filesOf(scripts: readonly string[]): string[] {
  const files = new Set<string>()
  const collect = (name: string) => {
    const chunk = chunks[name]
    if (!chunk) throw new Error(`the web client was built without ${name}`)
    if (files.has(chunk.file)) return
    for (const file of [chunk.file, ...chunk.css]) files.add(file)
    chunk.imports.forEach(collect)
  }
  // The entry, and the code that draws every page.
  const application = chunks['index.html']?.dynamicImports ?? []
  for (const name of ['index.html', ...application, ...scripts]) collect(name)
  return [...files]
}
