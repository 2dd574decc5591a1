/**
 * Preload tags for the pages that people open first. The browser requests these files while the script
 * that needs them is still loading.
 */
import { scriptIn } from '../../../contract/page-languages.ts'
import { parseLinkPath } from '../sharing/sharing.ts'
import type { Chunks } from '../site/site.ts'
import { readChunks } from '../site/site.ts'

const entry = 'index.html'

/** The frame of every page except a show, and its part for signed-in users. */
const visitorFrame = 'frame/page-frame.tsx'
const memberFrame = 'frame/app-frame.tsx'

/** Returns a function that gives the tags for the head of a page. */
export async function loadBeginnings(distDir: string, languages: readonly string[]) {
  const chunks = await readChunks(distDir)
  const byLanguage = new Map(languages.map((tag) => [tag, beginningsIn(tag, chunks)]))
  return (path: string, { isVisitor, language }: { isVisitor: boolean; language: string }) =>
    byLanguage.get(language)?.(path, isVisitor) ?? ''
}

function beginningsIn(language: string, chunks: Chunks) {
  // The scripts that every page needs. The entry requests them.
  const application = chunks[entry]?.dynamicImports ?? []
  const tagsOf = (...scripts: string[]) => scriptTags(language, chunks, application.concat(scripts))
  const firstQueries = ['/api/auth/user', '/api/sessions?limit=24'].map(requestTag).join('')
  const landing = tagsOf(visitorFrame, 'features/landing/landing-page.tsx')
  const library =
    tagsOf(visitorFrame, memberFrame, 'features/library/library-page.tsx') + firstQueries
  const shared = tagsOf(visitorFrame, 'features/sharing/shared-page.tsx')
  const show = tagsOf('features/player/play-page.tsx')
  const frame = tagsOf('features/frames/frame-page.tsx')
  const others = { members: tagsOf(visitorFrame, memberFrame), visitors: tagsOf(visitorFrame) }

  return (path: string, isVisitor: boolean): string => {
    if (path === '/') return landing
    if (path === '/library' && !isVisitor) return library
    if (path.startsWith('/frame/')) return frame
    const link = parseLinkPath(path)
    if (link?.kind === 'page') return shared
    const [, sessionId] = /^\/play\/(\d+)$/.exec(path) ?? []
    if (sessionId !== undefined && !isVisitor)
      return requestTag(`/api/sessions/${sessionId}`) + show
    if (link || /^\/play\/|\/play$/.test(path)) return show
    return isVisitor ? others.visitors : others.members
  }
}

/**
 * Returns tags for scripts and styles and their imports. Leaves out the entry's imports, which already
 * have tags: in Firefox a script that is named twice fails.
 */
function scriptTags(language: string, chunks: Chunks, scripts: readonly string[]): string {
  const tagged = filesOf(chunks, [entry])
  const tags = [...filesOf(chunks, scripts)]
    .filter((file) => !tagged.has(file))
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="preload" as="style" href="/${file}" crossorigin />`
        : `<link rel="modulepreload" href="/${scriptIn(language, file)}" />`,
    )
  return tags.join('')
}

function filesOf(chunks: Chunks, scripts: readonly string[]): Set<string> {
  const files = new Set<string>()
  const collect = (name: string) => {
    const chunk = chunks[name]
    if (!chunk) throw new Error(`the web client was built without ${name}`)
    if (files.has(chunk.file)) return
    for (const file of [chunk.file, ...chunk.css]) files.add(file)
    chunk.imports.forEach(collect)
  }
  scripts.forEach(collect)
  return files
}

function requestTag(address: string): string {
  return `<link rel="preload" as="fetch" href="${address}" crossorigin />`
}
