/**
 * Collects an import's slides before anything is fetched: each picture once, up to the maximum of a
 * session. Also collects what is left out.
 */
import type { Context } from '../../context.ts'
import { isMediaAddress } from '../../http/media/media-url.ts'
import { refuseUrl } from '../../platform/fetch/user-url.ts'
import { mediaTypeOf, normaliseMediaUrl, readMediaUrl } from '../feeds/feeds.ts'
import { pathOnThisSite } from '../files/files.ts'
import type { NewSlide, SkippedMedia } from '../sessions/sessions.ts'
import type { SkipCode } from './skip-reasons.ts'
import { skipped, unnamed } from './skip-reasons.ts'

export type Gathered = {
  readonly slides: readonly NewSlide[]
  readonly skipped: readonly SkippedMedia[]
}

/** The same maximum as for sessions made by hand. */
const maxSlides = 500
/** A limit that is longer than anyone reads. A remote site may send any number. */
const maxNamed = 1000

export function createGathering() {
  const slides = new Map<string, NewSlide>()
  const leftOut: SkippedMedia[] = []
  let unnamedCount = 0
  return {
    /**
     * Adds a slide, once for each picture: spellings of a URL are normalised. Returns false when there is
     * no room.
     */
    add(slide: NewSlide): boolean {
      const key = normaliseMediaUrl(slide.mediaUrl)
      if (slides.has(key)) return true
      if (slides.size >= maxSlides) return false
      slides.set(key, slide)
      return true
    },
    skip(source: string, code: SkipCode): void {
      if (leftOut.length < maxNamed) leftOut.push(skipped(source, code))
      else unnamedCount += 1
    },
    end(): Gathered {
      const rest = unnamedCount > 0 ? [unnamed(unnamedCount)] : []
      return { slides: [...slides.values()], skipped: [...leftOut, ...rest] }
    },
  }
}

export type Gathering = ReturnType<typeof createGathering>

export function slideAt(mediaUrl: string, known: Partial<NewSlide> = {}): NewSlide {
  return { mediaUrl, type: mediaTypeOf(mediaUrl), ...known }
}

/** Returns the URL to fetch, or the reason to refuse it before fetching. */
export function judgeAddress(
  ctx: Context,
  text: string,
): { readonly address: string } | { readonly code: SkipCode } {
  const spelling = text.trim()
  const path = pathOnThisSite(ctx, spelling)
  if (path !== null) return ownPath.test(path) ? { address: path } : { code: 'not_media' }
  if (spelling.length > maxAddressCharacters) return { code: 'invalid_address' }
  const refusal = refuseUrl(spelling, ctx.config.fetchAllow)
  if (refusal) return { code: refusal.reason === 'host' ? 'refused_address' : 'invalid_address' }
  // The other scheme of this site's own address can act on it too.
  if (!isMediaAddress(ctx, spelling)) return { code: 'not_media' }
  if (isOtherFile(spelling)) return { code: 'not_media' }
  return { address: readMediaUrl(spelling, ctx.config.fetchAllow) ?? spelling }
}

const maxAddressCharacters = 4000

/** Paths with pictures and videos on this site. */
const ownPath = /^\/(?:media|demo)\//

/**
 * True for extensions of other file types. Without an extension, or with one that may still be a picture,
 * the content decides later.
 */
function isOtherFile(address: string): boolean {
  const path = URL.parse(address)?.pathname ?? ''
  return /\.(?:html?|pdf|txt|md|svg|zip|rar|7z|js|css|json|xml|mp3|ogg|wav|docx?)$/i.test(path)
}
