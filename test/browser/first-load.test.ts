/** How much script a visitor waits for: what a page loads before it can be drawn. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { buildWebIfStale } from '../../scripts/build-web.ts'

const dist = join(import.meta.dirname, '../../dist/web')
const budgetBytes = 110 * 1024

const chunkList = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
  }),
)

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
})

const forVisitors = 'frame/for-anyone.tsx'
const forMembers = 'frame/for-members.tsx'

test.each([
  ['landing-page', ['features/landing/landing-page.tsx', forVisitors]],
  ['library-page', ['features/library/library-page.tsx', forMembers]],
  ['shared-page', ['features/sharing/shared-page.tsx', forVisitors]],
  ['play-page', ['features/player/play-page.tsx']],
])('the first load with the %s stays within 110 KB of compressed script', async (_, scripts) => {
  const files = await filesOf(scripts)
  const sizes = await Promise.all(
    files.map(async (file) => ({ file, bytes: gzipSync(await readFile(join(dist, file))).length })),
  )
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(budgetBytes)
  expect(total).toBeGreaterThan(60 * 1024)
})

/** The scripts and what they import before they run; what they load later is not waited for. */
async function filesOf(scripts: readonly string[]): Promise<string[]> {
  const chunks = chunkList.parse(JSON.parse(await readFile(join(dist, '.chunks.json'), 'utf8')))
  const files = new Set<string>()
  const collect = (name: string) => {
    const chunk = chunks[name]
    if (!chunk) throw new Error(`the web client was built without ${name}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports.forEach(collect)
  }
  // The entry, and what draws every page once the words are there.
  const application = chunks['index.html']?.dynamicImports ?? []
  collect('index.html')
  application.filter((name) => !name.startsWith('words/')).forEach(collect)
  scripts.forEach(collect)
  return [...files]
}
