/**
 * The HTML page of the web client. It is read once. A response can have its own title and link preview
 * tags. They are escaped, because they contain text from users.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scriptIn } from '../../../contract/page-languages.ts'
import { escapeHtml } from '../../http/html.ts'
import { readLanguages } from '../site/site.ts'

export type WebPage = {
  /** Returns the page with this head. */
  render(head: PageHead): string
}

export type PageHead = {
  readonly language: string
  readonly title?: string
  readonly openGraph?: OpenGraph
  /** Our own tags, inserted without escaping. */
  readonly tags?: string
  /** True when no user can be signed in. The page then need not ask for the user. */
  readonly isVisitor?: boolean
  /** The description of the site. The first rendering needs it, so the page does not request it. */
  readonly site?: { readonly name: string }
  /** True when the page is in a frame on another site, without a sign-in. */
  readonly isEmbedded?: boolean
  /** HTML that is shown until the application has rendered. */
  readonly firstFrame?: string
  /** False when the page consists only of its first frame. */
  readonly hasScripts?: boolean
}

/** The link preview, by the names of the Open Graph protocol (ogp.me). */
export type OpenGraph = Readonly<Partial<Record<OpenGraphName, string>>>

type OpenGraphName =
  | 'title'
  | 'description'
  | 'type'
  | 'url'
  | 'image'
  | `image:${'type' | 'width' | 'height' | 'alt'}`

export async function loadWebPage(distDir: string): Promise<WebPage> {
  const html = await readFile(join(distDir, 'index.html'), 'utf8')
  const parts =
    /^(.*<html) lang="en"(.*<title>)([^<]*)(<\/title>.*)(<\/head>.*<div id="app">)(.*?)(<\/div>.*)$/s.exec(
      html,
    )
  if (!parts)
    throw new Error(
      `${join(distDir, 'index.html')} has no language, no <title> in a <head>, or no #app`,
    )
  const directions = await readLanguages(distDir)
  const [, start = '', beforeTitle = '', builtTitle = '', builtHead = '', ...body] = parts
  const [beforeApp = '', builtFrame = '', end = ''] = body
  const headIn = new Map(Object.keys(directions).map((tag) => [tag, inLanguage(tag, builtHead)]))
  return {
    render(head) {
      const { language, title, openGraph = {}, tags: ownTags = '', isVisitor = false, site } = head
      const { isEmbedded = false, firstFrame = builtFrame, hasScripts = true } = head
      const shownTitle = escapeHtml([title, site?.name ?? builtTitle].filter(Boolean).join(' · '))
      const tags = Object.entries(openGraph).map(
        ([name, content]) => `<meta property="og:${name}" content="${escapeHtml(content)}" />`,
      )
      // Show a large preview where the link is posted.
      if (openGraph.image !== undefined)
        tags.push('<meta name="twitter:card" content="summary_large_image" />')
      const siteData = site ? ` data-site="${escapeHtml(JSON.stringify(site))}"` : ''
      const marks = (isVisitor ? ' data-visitor' : '') + (isEmbedded ? ' data-embed' : '')
      const direction = directions[language] === 'rtl' ? ' dir="rtl"' : ''
      const opening = `${start} lang="${language}"${direction}${marks}${siteData}${beforeTitle}${shownTitle}`
      const afterTitle = headIn.get(language) ?? builtHead
      const middle = hasScripts ? afterTitle + ownTags : withoutScripts(afterTitle)
      const closing = hasScripts ? end : withoutNoscript(end)
      return opening + middle + tags.join('') + beforeApp + firstFrame + closing
    },
  }
}

function inLanguage(language: string, head: string): string {
  return head.replaceAll(/(?<=")\/assets\/[^"]+\.js(?=")/g, (script) => scriptIn(language, script))
}

function withoutScripts(head: string): string {
  return head.replaceAll(/<script\b[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g, '')
}

function withoutNoscript(body: string): string {
  return body.replace(/<noscript>.*?<\/noscript>/s, '')
}
