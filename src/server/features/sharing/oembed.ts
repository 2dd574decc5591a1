/**
 * The oEmbed response (oembed.com), by which other sites show a link's player: a frame, and a picture
 * until the frame has loaded.
 */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { tag } from '../../http/html.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { readSettings } from '../settings/settings.ts'
import { embedPath, parseLinkAddress } from './link-addresses.ts'
import type { OpenShow } from './link-preview.ts'
import { findOpenShow } from './link-preview.ts'
import { pictureOf } from './show-picture.ts'

const usualWidthPx = 800
const widestThumbnailPx = 1280
/** Short, because a link may end at any time. */
const cacheSeconds = 300

type Room = { readonly widthPx: number; readonly heightPx: number }

export async function describeEmbedding(ctx: Context, { query }: Call<typeof api.sharing.oembed>) {
  const { url, format = 'json', maxwidth, maxheight } = query
  if (format !== 'json') throw problem.embedFormat()
  const link = parseLinkAddress(ctx, url)
  const show = link && (await findOpenShow(ctx, link.code))
  if (show === null) throw problem.shareNotFound()
  if (show === 'closed') throw problem.shareClosed()
  const room = { widthPx: maxwidth ?? Infinity, heightPx: maxheight ?? Infinity }
  const { siteName } = await readSettings(ctx)
  return {
    type: 'rich' as const,
    version: '1.0' as const,
    title: show.title,
    author_name: show.ownerName,
    provider_name: siteName,
    provider_url: ctx.config.baseUrl,
    cache_age: cacheSeconds,
    ...thumbnailWithin(ctx, show, room),
    ...frameWithin(ctx, show, room),
  }
}

/** Returns a 16:9 frame of the usual width, or smaller to fit the limits. */
function frameWithin(ctx: Context, { code, title }: OpenShow, room: Room) {
  const wanted = Math.min(usualWidthPx, room.widthPx, Math.floor((room.heightPx * 16) / 9))
  const width = Math.max(1, wanted)
  const height = Math.max(1, Math.min(room.heightPx, Math.round((width * 9) / 16)))
  const frame = tag('iframe', {
    src: `${ctx.config.baseUrl}${embedPath(code)}`,
    title,
    width,
    height,
    allow: 'fullscreen',
    loading: 'lazy',
    frameborder: '0',
  })
  return { html: `${frame}</iframe>`, width, height }
}

/** Returns the largest file of the first slide that fits the limits. Files of unknown size are left out. */
function thumbnailWithin(ctx: Context, { slides }: OpenShow, room: Room) {
  const [first] = slides
  const picture = first && pictureOf(first)
  if (!picture?.widthPx || !picture.heightPx) return {}
  const shape = picture.heightPx / picture.widthPx
  const fitting = picture.files
    .map(({ url, widthPx }) => ({ url, widthPx, heightPx: Math.round(widthPx * shape) }))
    .findLast(
      ({ widthPx, heightPx }) =>
        widthPx <= Math.min(widestThumbnailPx, room.widthPx) && heightPx <= room.heightPx,
    )
  if (!fitting) return {}
  return {
    thumbnail_url: new URL(fitting.url, ctx.config.baseUrl).href,
    thumbnail_width: fitting.widthPx,
    thumbnail_height: Math.max(1, fitting.heightPx),
  }
}
