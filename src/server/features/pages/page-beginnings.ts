/**
 * What the two pages that people begin with need first, named in the HTML: the browser asks for it
 * while the script that would ask is still on its way.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { StartError } from '../../platform/start-error.ts'

/** As the build leaves it beside the page (vite.config.ts). */
const chunkList = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]) }),
)
type Chunks = z.infer<typeof chunkList>

const entry = 'index.html'

/** Gives the tags for the head of a page. */
export async function loadBeginnings(distDir: string) {
  const list = await readFile(join(distDir, '.chunks.json'), 'utf8').catch(() => {
    throw new StartError('the web client is of an older version; run `npm run build`')
  })
  const chunks = chunkList.parse(JSON.parse(list))
  const landing = scriptTags(chunks, 'features/landing/landing-page.tsx')
  const library =
    scriptTags(chunks, 'features/library/library-page.tsx') +
    ['/api/auth/user', '/api/sessions?limit=24'].map(requestTag).join('')
  return (path: string, { isVisitor }: { isVisitor: boolean }): string => {
    if (path === '/') return landing
    return path === '/library' && !isVisitor ? library : ''
  }
}

/**
 * The page's own script and what that imports. What the entry imports has tags already, and Firefox
 * takes a script that is named a second time for one that failed.
 */
function scriptTags(chunks: Chunks, page: string): string {
  const tagged = filesOf(chunks, entry)
  const files = [...filesOf(chunks, page)].filter((file) => !tagged.has(file))
  if (files.length === 0) throw new Error(`the web client was built without ${page}`)
  return files.map((file) => `<link rel="modulepreload" href="/${file}" />`).join('')
}

/** A script and all that it imports. */
function filesOf(chunks: Chunks, start: string): Set<string> {
  const files = new Set<string>()
  const collect = (name: string) => {
    const chunk = chunks[name]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports.forEach(collect)
  }
  collect(start)
  return files
}

function requestTag(address: string): string {
  return `<link rel="preload" as="fetch" href="${address}" crossorigin />`
}
