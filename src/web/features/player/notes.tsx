/** What is said while a show runs: the slide for screen readers, what was charged, what was skipped. */
import { Coins } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { captionOf, type PlaybackState } from './playback-state.ts'

/** For whoever does not see the picture: which slide it is, and its words. */
export function Spoken({ state }: { state: PlaybackState }) {
  const { show } = state
  const where = show.place === null ? '' : `Slide ${show.place + 1} of ${show.order.length}.`
  return (
    <output className="sr-only" aria-live="polite" aria-atomic="true" data-testid="spoken">
      {state.isBlackedOut ? '' : `${where} ${captionOf(state) ?? ''}`.trim()}
    </output>
  )
}

const shownMs = 5000
const briefMs = 1800
const resumedShownMs = 8000

export function CreditNote({ state }: { state: PlaybackState }) {
  const { charge } = state
  const isFresh = useFresh(charge)
  if (!charge) return null
  const what =
    charge.charged === 1 ? '1 credit for this slide' : `${charge.charged} credits for these slides`
  return (
    <output className="player-note player-credits" data-fresh={isFresh}>
      <Coins aria-hidden="true" size={18} strokeWidth={1.6} />
      {what}, {charge.balance?.toLocaleString('en')} left
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
      {numbers.length === 1
        ? `Slide ${numbers[0]} could not be shown and was skipped.`
        : `${numbers.length} slides could not be shown and were skipped: ${numbers.join(', ')}.`}
    </output>
  )
}

export function OfflineNote({ state }: { state: PlaybackState }) {
  return (
    <output className="player-note player-offline" data-fresh={state.isOffline}>
      {state.isOffline && 'You are offline. The show goes on once you are back.'}
    </output>
  )
}

/** A session that goes on where it stopped can be begun anew. */
export function ResumedNote({ state, startOver }: { state: PlaybackState; startOver: () => void }) {
  const { resumedAt, show } = state
  const isFresh = useFresh(show.place !== null, resumedShownMs)
  // Whoever turns a slide has decided.
  if (resumedAt === null || show.turn !== 1 || !isFresh) return null
  return (
    <div className="player-note player-told player-resumed">
      <output>Goes on at slide {resumedAt}.</output>
      <Button size="small" onClick={startOver}>
        From the start
      </Button>
    </div>
  )
}

/** Each time it is said it is another one, though the words be the same. */
export type Told = { readonly words: string }

/** What a key has switched, where the picture does not show it. */
export function ToldNote({ told }: { told: Told | null }) {
  const isFresh = useFresh(told, briefMs)
  if (!told) return null
  return (
    <output className="player-note player-told" data-fresh={isFresh}>
      {told.words}
    </output>
  )
}

/** True for a while after a value has changed. */
function useFresh(value: unknown, forMs = shownMs): boolean {
  const [stale, setStale] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setStale(value), forMs)
    return () => clearTimeout(timer)
  }, [value, forMs])
  return stale !== value
}
