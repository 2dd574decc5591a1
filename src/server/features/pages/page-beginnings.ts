/**
 * What the pages that people begin with need first, named in the HTML: the browser asks for it
 * while the script that would ask is still on its way.
 */
import { placeOfLink } from '../sharing/sharing.ts'
import type { Chunks } from '../site/site.ts'
import { sourceLanguage } from '../../http/page-language.ts'
import { languageOf, readChunks } from '../site/site.ts'

const entry = 'index.html'

/** What stands around the pages of members, and around those that need no account. */
const memberFrame = 'frame/for-members.tsx'
const visitorFrame = 'frame/for-anyone.tsx'

/** Gives the tags for the head of a page. */
export async function loadBeginnings(distDir: string) {
  const chunks = await readChunks(distDir)
  // What draws every page: the entry asks for it when the words are there.
  const application = (chunks[entry]?.dynamicImports ?? []).filter((name) => !languageOf(name))
  const landing = scriptTags(
    chunks,
    ...application,
    visitorFrame,
    'features/landing/landing-page.tsx',
  )
  const library =
    scriptTags(chunks, ...application, memberFrame, 'features/library/library-page.tsx') +
    ['/api/auth/user', '/api/sessions?limit=24'].map(requestTag).join('')
  const shared = scriptTags(
    chunks,
    ...application,
    visitorFrame,
    'features/sharing/shared-page.tsx',
  )
  const show = scriptTags(chunks, ...application, 'features/player/play-page.tsx')
  const frame = scriptTags(chunks, ...application, 'features/frames/frame-page.tsx')
  const others = {
    members: scriptTags(chunks, ...application, memberFrame),
    visitors: scriptTags(chunks, ...application, visitorFrame),
  }

  function pageTags(path: string, isVisitor: boolean): string {
    if (path === '/') return landing
    if (path === '/library' && !isVisitor) return library
    if (path.startsWith('/frame/')) return frame
    const link = placeOfLink(path)
    if (link?.kind === 'page') return shared
    const [, sessionId] = /^\/play\/(\d+)$/.exec(path) ?? []
    if (sessionId !== undefined && !isVisitor)
      return requestTag(`/api/sessions/${sessionId}`) + show
    if (link || /^\/play\/|\/play$/.test(path)) return show
    return isVisitor ? others.visitors : others.members
  }

  return (path: string, { isVisitor, language }: { isVisitor: boolean; language: string }) => {
    const words = language === sourceLanguage ? '' : scriptTags(chunks, wordsOf(language))
    return words + pageTags(path, isVisitor)
  }
}

function wordsOf(language: string): string {
  return `words/languages/${language}.json`
}

/**
 * These scripts and styles, and what they import. What the entry imports has tags already, and Firefox
 * takes a script that is named a second time for one that failed.
 */
function scriptTags(chunks: Chunks, ...scripts: string[]): string {
  const tagged = filesOf(chunks, [entry])
  const tags = [...filesOf(chunks, scripts)]
    .filter((file) => !tagged.has(file))
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="preload" as="style" href="/${file}" crossorigin />`
        : `<link rel="modulepreload" href="/${file}" />`,
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
