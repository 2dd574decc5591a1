/**
 * What an import finds before anything is fetched: slides to be, each picture once and no more than
 * a session holds, and what is left out.
 */
import type { Context } from '../../context.ts'
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

/** Also the most slides that a session by hand has. */
const mostSlides = 500
/** Nobody reads more, and what a far site gives may be without end. */
const mostNamed = 1000

export function createGathering() {
  const slides = new Map<string, NewSlide>()
  const leftOut: SkippedMedia[] = []
  let unnamedCount = 0
  return {
    /** One address stands for one picture, however it is spelled. False where there is no room. */
    add(slide: NewSlide): boolean {
      const key = normaliseMediaUrl(slide.mediaUrl)
      if (slides.has(key)) return true
      if (slides.size >= mostSlides) return false
      slides.set(key, slide)
      return true
    },
    skip(source: string, code: SkipCode): void {
      if (leftOut.length < mostNamed) leftOut.push(skipped(source, code))
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

/** The address as it is to be fetched, or what can be said against it before that. */
export function judgeAddress(
  ctx: Context,
  text: string,
): { readonly address: string } | { readonly code: SkipCode } {
  const spelling = text.trim()
  const path = pathOnThisSite(ctx, spelling)
  if (path !== null) return ownPath.test(path) ? { address: path } : { code: 'not_media' }
  if (spelling.length > mostAddressCharacters) return { code: 'invalid_address' }
  const refusal = refuseUrl(spelling, ctx.config.fetchAllow)
  if (refusal) return { code: refusal.reason === 'host' ? 'refused_address' : 'invalid_address' }
  if (isOtherFile(spelling)) return { code: 'not_media' }
  return { address: readMediaUrl(spelling, ctx.config.fetchAllow) ?? spelling }
}

const mostAddressCharacters = 4000

/** Where this site has pictures and videos. */
const ownPath = /^\/(?:media|demo)\//

/** Whatever has no ending, or one that servers make pictures behind, is told by its bytes. */
function isOtherFile(address: string): boolean {
  const path = URL.parse(address)?.pathname ?? ''
  return /\.(?:html?|pdf|txt|md|svg|zip|rar|7z|js|css|json|xml|mp3|ogg|wav|docx?)$/i.test(path)
}
