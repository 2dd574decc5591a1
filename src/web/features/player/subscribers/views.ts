/** Follows a show to report the slides that were shown, and to record their cost. */
import { createClient } from '../../../../client/client.ts'
import { api } from '../../../../contract/api.ts'
import { client } from '../../../api.ts'
import { queryClient } from '../../../query-client.ts'
import { refreshUser } from '../../accounts/current-user.ts'
import { pause } from '../engine/show.ts'
import { type Playing, slideOn } from '../playback-state.ts'
import { createViewCounter } from '../view-counter.ts'

/** A client whose requests continue after the page has closed. */
const lastingClient = createClient(api, {
  fetch: (input, init) => fetch(input, { ...init, keepalive: true }),
})

/** Does nothing for a preview or a published session: their views are not counted. */
export function subscribeViews({ playlist, store, change }: Playing): () => void {
  const { session, headers } = playlist
  if (!session) return () => {}
  const leaving = new AbortController()
  const views = createViewCounter({
    begin: async () => {
      const params = { id: String(session.id) }
      return (await client.sessions.play({ params, headers: { ...headers } })).playId
    },
    report: (playId, mediaIds, isLeaving) =>
      (isLeaving ? lastingClient : client).sessions.view({
        params: { playId: String(playId) },
        body: { mediaIds },
      }),
    onCharge: (charge) => {
      if (charge.charged === 0) return
      store.update({ charge: { ...charge, turn: store.read().show.turn } })
      // The next page shows the balance. The last slides may be charged after that page has opened.
      void refreshUser(queryClient)
    },
    onUnpaid: () => {
      store.update({ isUnpaid: true })
      change(pause)
    },
  })
  let turn = 0

  function follow(): void {
    const { show } = store.read()
    const slide = slideOn(playlist, show)
    if (show.turn !== turn && slide) views.saw(slide.id)
    turn = show.turn
    if (show.isOver) views.settle({ isLeaving: false })
  }

  const unsubscribe = store.subscribe(follow)
  follow()
  addEventListener('pagehide', () => views.settle({ isLeaving: true }), { signal: leaving.signal })
  return () => {
    leaving.abort()
    unsubscribe()
    views.settle({ isLeaving: true })
  }
}
