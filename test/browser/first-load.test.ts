/** How much script a visitor waits for: what the page loads at once, with the pages that people begin with. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'

const dist = join(import.meta.dirname, '../../dist/web')
const budgetBytes = 110 * 1024

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
})

test.each(['landing-page', 'library-page', 'shared-page', 'play-page'])(
  'the first load with the %s stays within 110 KB of compressed script',
  async (page) => {
    const entries = await entryScripts()
    const chunk = (await readdir(join(dist, 'assets'))).find((name) =>
      new RegExp(String.raw`^${page}-.*\.js$`).test(name),
    )
    expect(chunk, `dist/web has a chunk of the ${page}`).toBeDefined()
    const files = new Set<string>()
    for (const start of [...entries, chunk ?? '']) await collect(start, files)
    const sizes = await Promise.all(
      [...files].map(async (name) => ({ name, bytes: gzipSync(await readScript(name)).length })),
    )
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(budgetBytes)
    expect(total).toBeGreaterThan(60 * 1024)
  },
)

async function entryScripts(): Promise<string[]> {
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  return [...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name)
}

/** A script and what it imports before it runs; what it loads later is not waited for. */
async function collect(name: string, files: Set<string>): Promise<void> {
  if (files.has(name)) return
  files.add(name)
  const code = (await readScript(name)).toString()
  const imported = code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)
  for (const [, file = ''] of imported) await collect(basename(file), files)
}

function readScript(name: string): Promise<Buffer> {
  return readFile(join(dist, 'assets', name))
}
