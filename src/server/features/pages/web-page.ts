/**
 * The one HTML page of the web client. It is read once; a title and link-preview tags can be put
 * into its head for a single answer, escaped, because the words in them come from users.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type WebPage = {
  /** The page with words of its own in the head. */
  render(head: PageHead): string
}

export type PageHead = {
  readonly language: string
  readonly title?: string
  readonly openGraph?: Readonly<Partial<Record<OpenGraphName, string>>>
  /** Tags of our own, as they are. */
  readonly tags?: string
  /** Nobody can be signed in: the page need not ask who it is. */
  readonly isVisitor?: boolean
  /** What the site offers: the first drawing needs it, and so it is not asked for. */
  readonly site?: { readonly name: string }
}

type OpenGraphName = 'title' | 'description' | 'type' | 'url' | 'image'

export async function loadWebPage(distDir: string): Promise<WebPage> {
  const html = await readFile(join(distDir, 'index.html'), 'utf8')
  const parts = /^(.*<html) lang="en"(.*<title>)([^<]*)(<\/title>.*)(<\/head>.*)$/s.exec(html)
  if (!parts)
    throw new Error(`${join(distDir, 'index.html')} has no language, or no <title> in a <head>`)
  const [, start = '', beforeTitle = '', builtTitle = '', afterTitle = '', end = ''] = parts
  return {
    render({ language, title, openGraph = {}, tags: ownTags = '', isVisitor = false, site }) {
      const shownTitle = escapeHtml([title, site?.name ?? builtTitle].filter(Boolean).join(' · '))
      const tags = Object.entries(openGraph).map(
        ([name, content]) => `<meta property="og:${name}" content="${escapeHtml(content)}" />`,
      )
      // Large where the link is posted.
      if (openGraph.image !== undefined)
        tags.push('<meta name="twitter:card" content="summary_large_image" />')
      const told = site ? ` data-site="${escapeHtml(JSON.stringify(site))}"` : ''
      const opening =
        `${start} lang="${language}"` + (isVisitor ? ' data-visitor' : '') + told + beforeTitle
      return opening + shownTitle + afterTitle + ownTags + tags.join('') + end
    },
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
