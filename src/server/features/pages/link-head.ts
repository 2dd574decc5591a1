/** What the page of a link says before any script: to whoever posts it, embeds it, or just opens it. */
import type { Context } from '../../context.ts'
import type { Visitor } from '../../http/caller.ts'
import { tag } from '../../http/html.ts'
import { readPublicly } from '../../http/public-reads.ts'
import type { LinkPlace } from '../sharing/sharing.ts'
import { oembedAddress, previewLink, sharedPath } from '../sharing/sharing.ts'
import { closedFrame, firstFrameOf } from './first-frame.ts'
import type { PageHead } from './web-page.ts'

export async function headOfLink(
  ctx: Context,
  place: LinkPlace,
  { visitor, url, siteName }: { visitor: Visitor; url: string; siteName: string },
): Promise<Omit<PageHead, 'language'>> {
  const preview = await readPublicly(ctx, visitor, (ctx) => previewLink(ctx, place.code))
  const isEnded = preview !== null && 'reason' in preview
  const show = isEnded ? null : (preview?.show ?? null)
  // On another site nothing is told of what does not play there, and no script runs for it.
  if (place.kind === 'embed' && show === null)
    return {
      firstFrame: closedFrame(place.code, siteName, isEnded ? preview.reason : undefined),
      hasScripts: false,
    }
  if (!preview || isEnded) return {}
  const { title, description, image } = preview
  const address = `${ctx.config.baseUrl}${sharedPath(place.code)}`
  const openGraph = { title, description, type: 'website', url: address, ...(image && { image }) }
  if (show === null) return { title, openGraph }
  const tags = place.kind === 'page' ? discoveryTag(ctx, place.code, title) : ''
  // Who asks for another slide is not shown the first one.
  if (/[?&]slide=/.test(url)) return { title, openGraph, tags }
  const frame = firstFrameOf(show, place, siteName)
  return { title, openGraph, tags: tags + frame.tags, firstFrame: frame.html }
}

/** By which other sites find the player of a link that somebody posts there. */
function discoveryTag(ctx: Context, code: string, title: string): string {
  return tag('link', {
    rel: 'alternate',
    type: 'application/json+oembed',
    href: oembedAddress(ctx, code),
    title,
  })
}
