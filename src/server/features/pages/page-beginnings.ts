/**
 * What the pages that people begin with need first, named in the HTML: the browser asks for it while
 * the script that would ask is still on its way.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { StartError } from '../../platform/start-error.ts'
import { placeOfLink } from '../sharing/sharing.ts'

/** As the build leaves it beside the page (vite.config.ts). */
const chunkList = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
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
  const player = scriptTags(chunks, 'features/player/play-page.tsx')
  const shared = scriptTags(chunks, 'features/sharing/shared-page.tsx')
  return (path: string, { isVisitor }: { isVisitor: boolean }): string => {
    const link = placeOfLink(path)
    if (link) return link.kind === 'page' ? shared : player
    if (path === '/') return landing
    return path === '/library' && !isVisitor ? library : ''
  }
}

/** The page's own script and styles, and what that imports; the entry's has tags already. */
function scriptTags(chunks: Chunks, page: string): string {
  const files = new Set<string>()
  const styles = new Set<string>()
  const collect = (name: string) => {
    const chunk = chunks[name]
    if (name === entry || !chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const style of chunk.css) styles.add(style)
    chunk.imports.forEach(collect)
  }
  collect(page)
  if (files.size === 0) throw new Error(`the web client was built without ${page}`)
  const tags = [...files].map((file) => `<link rel="modulepreload" href="/${file}" />`)
  for (const style of styles) tags.push(`<link rel="preload" as="style" href="/${style}" />`)
  return tags.join('')
}

function requestTag(address: string): string {
  return `<link rel="preload" as="fetch" href="${address}" crossorigin />`
}
