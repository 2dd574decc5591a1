/** Messages while a show runs: the slide for screen readers, charges, skipped slides, lost network. */
import { Coins } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useHasNetwork } from '../../network.ts'
import { Button } from '../../ui/button.tsx'
import { captionOf, type PlaybackState } from './playback-state.ts'
import { formatNumber } from '../../words/figures.ts'
import { words } from './words.ts'

/** Announces the slide number and its caption to screen readers. */
export function Spoken({ state }: { state: PlaybackState }) {
  return (
    <output className="sr-only" aria-live="polite" aria-atomic="true" data-testid="spoken">
      {textFor(state)}
    </output>
  )
}

function textFor(state: PlaybackState): string {
  const { position, order } = state.show
  if (state.isBlackedOut || position === null) return ''
  const caption = captionOf(state) ?? ''
  return words.spoken({ slide: position + 1, total: order.length, caption }).trim()
}

const shownMs = 5000
const briefMs = 1800
const resumedShownMs = 8000

export function CreditNote({ state }: { state: PlaybackState }) {
  const { charge } = state
  const isFresh = useFresh(charge)
  if (!charge) return null
  return (
    <output className="player-note player-credits" data-fresh={isFresh}>
      <Coins aria-hidden="true" size={18} strokeWidth={1.6} />
      {words.charged({ count: charge.charged, balance: charge.balance ?? '' })}
    </output>
  )
}

export function SkippedNote({ state }: { state: PlaybackState }) {
  const { broken } = state.show
  const isFresh = useFresh(broken.size)
  if (broken.size === 0) return null
  const numbers = [...broken].map((index) => index + 1).sort((one, other) => one - other)
  return (
    <output className="player-note player-skipped" data-fresh={isFresh}>
      {words.skipped({ count: numbers.length, slides: numbers.map(formatNumber).join(', ') })}
    </output>
  )
}

/** Tells a device without network from a site that does not answer: the viewer can only fix the first. */
export function OfflineNote({ state }: { state: PlaybackState }) {
  const reason = useHasNetwork() ? words.noServer : words.noNetwork
  return (
    <output className="player-note player-offline" data-fresh={state.isOffline}>
      {state.isOffline && reason}
    </output>
  )
}

/** Offers to start from the beginning when the session has resumed at a later slide. */
export function ResumedNote({ state, startOver }: { state: PlaybackState; startOver: () => void }) {
  const { resumedAt, show } = state
  const isFresh = useFresh(show.position !== null, resumedShownMs)
  // After the first change of slide the offer is no longer useful.
  if (resumedAt === null || show.turn !== 1 || !isFresh) return null
  return (
    <div className="player-note player-message player-resumed">
      <output>{words.resumed({ slide: resumedAt })}</output>
      <Button size="small" onClick={startOver}>
        {words.fromStart}
      </Button>
    </div>
  )
}

/** A message. Each one is a new object, so that a repeated text is shown again. */
export type PlayerMessage = { readonly text: string }

/** Shows the effect of a key that the picture does not show. */
export function MessageNote({ message }: { message: PlayerMessage | null }) {
  const isFresh = useFresh(message, briefMs)
  if (!message) return null
  return (
    <output className="player-note player-message" data-fresh={isFresh}>
      {message.text}
    </output>
  )
}

/** Returns true for a while after a value has changed. */
function useFresh(value: unknown, forMs = shownMs): boolean {
  const [stale, setStale] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setStale(value), forMs)
    return () => clearTimeout(timer)
  }, [value, forMs])
  return stale !== value
}
