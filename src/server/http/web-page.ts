/**
 * The one HTML page of the web client. It is read once; a title and link-preview tags can be put
 * into its head for a single answer, escaped, because the words in them come from users.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type WebPage = {
  /** The page as it was built. */
  readonly html: string
  /** The page with words of its own in the head. */
  render(head: PageHead): string
}

export type PageHead = {
  readonly title?: string
  readonly openGraph?: Readonly<Partial<Record<OpenGraphName, string>>>
}

type OpenGraphName = 'title' | 'description' | 'type' | 'url' | 'image'

export async function loadWebPage(distDir: string): Promise<WebPage> {
  const html = await readFile(join(distDir, 'index.html'), 'utf8')
  const parts = /^(.*<title>)([^<]*)(<\/title>.*)(<\/head>.*)$/s.exec(html)
  if (!parts) throw new Error(`${join(distDir, 'index.html')} has no <title> in a <head>`)
  const [, start = '', builtTitle = '', afterTitle = '', end = ''] = parts
  return {
    html,
    render({ title, openGraph = {} }) {
      const shownTitle = title === undefined ? builtTitle : escapeHtml(title)
      const tags = Object.entries(openGraph).map(
        ([name, content]) => `<meta property="og:${name}" content="${escapeHtml(content)}" />`,
      )
      return start + shownTitle + afterTitle + tags.join('') + end
    },
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
