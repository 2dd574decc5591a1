/** Follows a show with captions: requests those of the next slides and stores that of the current one. */
import { client } from '../../../api.ts'
import { followSession } from '../../../session-events.ts'
import { createCaptionStore } from '../caption-store.ts'
import { slidesToPrepare } from '../engine/look-ahead.ts'
import { createCaptionCache } from '../outside/caption-cache.ts'
import { type Playing, slideOn } from '../playback-state.ts'
import type { PlaylistSlide } from '../playlist.ts'

const captionsAhead = 2

export function subscribeCaptions({ playlist, store }: Playing): () => void {
  const { session, headers } = playlist
  const leaving = new AbortController()
  const cache = createCaptionCache()
  cache.tidy()
  const captions = createCaptionStore({ playlist, cache, ask })
  let asked = { turn: 0, isWanted: false }

  async function ask(slide: PlaylistSlide, address: string): Promise<string> {
    const sessionId = session ? { sessionId: session.id } : {}
    const body = { media_url: address, subfeed: slide.subfeed, ...sessionId }
    return (await client.captions.generate({ body, headers: { ...headers } })).caption
  }

  function follow(): void {
    const { show, preferences, words } = store.read()
    const isWanted = preferences.showsCaptions || preferences.speaksCaptions
    if (show.turn !== asked.turn || isWanted !== asked.isWanted) {
      asked = { turn: show.turn, isWanted }
      const near = isWanted ? slidesToPrepare(show, captionsAhead) : []
      captions.want(near.flatMap((index) => playlist.slides[index] ?? []))
    }
    const slide = slideOn(playlist, show)
    const text = slide ? captions.read(slide.id) : null
    const isPending = slide ? captions.isPending(slide.id) : false
    if (text !== words.text || isPending !== words.isPending) {
      store.update({ words: { text, isPending } })
    }
  }

  const unsubscribe = [store.subscribe(follow), captions.subscribe(follow)]
  follow()
  if (session) {
    void followSession(session.id, {
      headers,
      signal: leaving.signal,
      onEvent: ({ type, data }) => {
        if (type !== 'caption' || typeof data !== 'object' || data === null) return
        if (!('mediaId' in data) || !('caption' in data)) return
        captions.hear(Number(data.mediaId), String(data.caption))
      },
    })
  }
  return () => {
    leaving.abort()
    captions.close()
    for (const end of unsubscribe) end()
  }
}
