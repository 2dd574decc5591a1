/**
 * The captions of a playlist: captions sent with it, captions cached in this browser, and captions
 * that are generated while it plays. The store requests each slide once. It stops when the site refuses
 * captions to this viewer, and retries after a pause when the site is too busy.
 */
import { ApiProblem } from '../../../client/client.ts'
import { hashOf } from '../../../contract/random.ts'
import type { CaptionCache } from './outside/caption-cache.ts'
import { isCaptioned, type Playlist, type PlaylistSlide } from './playlist.ts'

/** The pause before a retry if the response has no `retry-after` header. It doubles each time. */
const firstRestMs = 30_000
const longestRestMs = 5 * 60_000

export function createCaptionStore(options: {
  readonly playlist: Playlist
  readonly cache: CaptionCache
  readonly ask: (slide: PlaylistSlide, address: string) => Promise<string>
}) {
  const { playlist, cache, ask } = options
  const { session } = playlist
  const texts = new Map<number, string>()
  const asked = new Set<number>()
  const pending = new Set<number>()
  const listeners = new Set<() => void>()
  let isClosed = !isCaptioned(playlist)
  let version = 0
  let wanted: readonly PlaylistSlide[] = []
  let resting: ReturnType<typeof setTimeout> | undefined
  let refusals = 0

  const keyOf = (slide: PlaylistSlide) => ({
    sessionId: session?.id ?? 0,
    slideId: slide.id,
    voice: voiceOf(session, slide),
  })

  for (const slide of playlist.slides) {
    const known = slide.caption ?? (isClosed ? null : cache.read(keyOf(slide)))
    if (known !== null) texts.set(slide.id, known)
  }

  function changed(): void {
    version += 1
    for (const listener of listeners) listener()
  }

  function learn(slide: PlaylistSlide, text: string): void {
    texts.set(slide.id, text)
    cache.keep(keyOf(slide), text)
  }

  async function write(slide: PlaylistSlide, address: string): Promise<void> {
    asked.add(slide.id)
    pending.add(slide.id)
    try {
      learn(slide, await ask(slide, address))
      refusals = 0
    } catch (error) {
      // The site would refuse the other slides for the same reason.
      const status = error instanceof ApiProblem ? error.status : null
      if (status === 401 || status === 403) isClosed = true
      if (error instanceof ApiProblem && (status === 429 || status === 503)) {
        asked.delete(slide.id)
        rest(error)
      }
    } finally {
      pending.delete(slide.id)
      changed()
    }
  }

  function rest({ headers }: ApiProblem): void {
    if (resting !== undefined || isClosed) return
    const retryAfterMs = Number(headers.get('retry-after')) * 1000
    const usualMs = Math.min(longestRestMs, firstRestMs * 2 ** refusals)
    refusals += 1
    resting = setTimeout(
      () => {
        resting = undefined
        want(wanted)
      },
      retryAfterMs > 0 ? retryAfterMs : usualMs,
    )
  }

  function want(slides: readonly PlaylistSlide[]): void {
    wanted = slides
    for (const slide of slides) {
      const address = slide.type === 'image' ? slide.mediaUrl : slide.thumbnail
      if (isClosed || resting !== undefined || address === null) continue
      if (texts.has(slide.id) || asked.has(slide.id)) continue
      void write(slide, address)
    }
  }

  return {
    read: (slideId: number): string | null => texts.get(slideId) ?? null,
    /** True while the caption of this slide is being requested. */
    isPending: (slideId: number): boolean => pending.has(slideId),
    /** Requests captions for those of these slides that have none. */
    want,
    /** Adds a caption that the server pushed. */
    hear(slideId: number, text: string): void {
      const slide = playlist.slides.find(({ id }) => id === slideId)
      if (!slide || slide.caption !== null) return
      learn(slide, text)
      changed()
    },
    close(): void {
      isClosed = true
      clearTimeout(resting)
    },
    version: () => version,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Returns a short key of everything that decides the style of a caption. */
function voiceOf(session: Playlist['session'], { subfeed }: PlaylistSlide): string {
  const wish = (session?.aiPrompt ?? '').trim()
  return `${session?.captionTheme ?? ''}-${hashOf(`${wish}\n${subfeed ?? ''}`).toString(36)}`
}
