/**
 * Builds the head and first frame of a link's page, for link previews, embedding sites and visitors.
 * All of it works without scripts.
 */
import type { Context } from '../../context.ts'
import type { Visitor } from '../../http/caller.ts'
import { tag } from '../../http/html.ts'
import { readPublicly } from '../../http/public-reads.ts'
import { cardSize } from '../../media/link-card.ts'
import type { LinkAddress } from '../sharing/sharing.ts'
import { oembedAddress, previewLink, sharedPath, siteCardPath } from '../sharing/sharing.ts'
import { closedFrame, firstFrameOf } from './first-frame.ts'
import type { OpenGraph, PageHead } from './web-page.ts'

export async function headOfLink(
  ctx: Context,
  link: LinkAddress,
  { visitor, url, siteName }: { visitor: Visitor; url: string; siteName: string },
): Promise<Omit<PageHead, 'language'>> {
  const preview = await readPublicly(ctx, visitor, (ctx) => previewLink(ctx, link.code))
  const isEnded = preview !== null && 'reason' in preview
  const show = isEnded ? null : (preview?.show ?? null)
  // An embedded page of a link that cannot be played there shows nothing of it and runs no script.
  if (link.kind === 'embed' && show === null)
    return {
      firstFrame: closedFrame(link.code, siteName, isEnded ? preview.reason : undefined),
      hasScripts: false,
    }
  if (!preview || isEnded) return {}
  const { title, description, cardPath } = preview
  const address = `${ctx.config.baseUrl}${sharedPath(link.code)}`
  const card = cardTags(ctx, cardPath ?? siteCardPath, cardPath === null ? siteName : title)
  const openGraph = { title, description, type: 'website', url: address, ...card }
  if (show === null) return { title, openGraph }
  const tags = link.kind === 'page' ? discoveryTag(ctx, link.code, title) : ''
  // The request is for another slide, so the first one is not shown.
  if (/[?&]slide=/.test(url)) return { title, openGraph, tags }
  const frame = firstFrameOf(show, link, siteName)
  return { title, openGraph, tags: tags + frame.tags, firstFrame: frame.html }
}

/** Returns the preview of a page that has none of its own. */
export function siteOpenGraph(ctx: Context, siteName: string): OpenGraph {
  return { title: siteName, type: 'website', ...cardTags(ctx, siteCardPath, siteName) }
}

function cardTags({ config }: Context, path: string, alt: string): OpenGraph {
  return {
    image: `${config.baseUrl}${path}`,
    'image:type': 'image/jpeg',
    'image:width': String(cardSize.width),
    'image:height': String(cardSize.height),
    'image:alt': alt,
  }
}

/** Returns the tag by which other sites find the player of a posted link. */
function discoveryTag(ctx: Context, code: string, title: string): string {
  return tag('link', {
    rel: 'alternate',
    type: 'application/json+oembed',
    href: oembedAddress(ctx, code),
    title,
  })
}
