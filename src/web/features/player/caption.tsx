/**
 * The words on a picture, with a darkness burnt in behind them that follows the lines. They leave
 * as a transition begins and come back towards its end.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { OverlayText } from '../../ui/overlay-text.tsx'
import type { Preferences } from './outside/preferences.ts'
import { captionOf, type PlaybackState } from './playback-state.ts'

const leaveMs = 160
const enterMs = 280
const risePx = 6
/** How far a transition has gone when the words come back. */
const returnAt = 0.6

/** Past so many characters the words are set smaller, and past these they scroll. */
const longCharacters = 150
const veryLongCharacters = 330

export function Caption({ state }: { state: PlaybackState }) {
  const { show, transitionMs, preferences } = state
  const caption = captionOf(state)
  const box = useRef<HTMLDivElement>(null)
  const placed = useInTime(box, { caption, turn: show.turn, transitionMs })

  return (
    <>
      <div
        className="burnt-edge player-burn-edge"
        data-lit={caption !== null && preferences.captionPlace === 'bottom'}
      />
      {placed !== null && <Words box={box} placed={placed} preferences={preferences} />}
    </>
  )
}

/** The same elements for every caption: a long show leaves nothing behind in memory. */
function Words({
  box,
  placed,
  preferences,
}: {
  box: RefObject<HTMLDivElement | null>
  placed: Placed
  preferences: Preferences
}) {
  const { text } = placed
  useLayoutEffect(() => {
    const { current } = box
    if (placed.text === '') return
    const rise = prefersStillness() ? 0 : risePx
    const unseen = { opacity: 0, transform: `translateY(${rise}px)` }
    current?.animate([unseen, { opacity: 1, transform: 'none' }], {
      duration: enterMs,
      easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)',
    })
    // The last words were held unseen by the animation with which they left.
    return () => current?.getAnimations().forEach((animation) => animation.cancel())
  }, [box, placed])
  return (
    // What is said to screen readers stands in the live region.
    <div
      ref={box}
      className="player-caption"
      data-place={preferences.captionPlace}
      data-size={preferences.captionSize}
      aria-hidden="true"
    >
      <OverlayText dir="auto" text={text} className="player-lines" data-length={lengthOf(text)} />
    </div>
  )
}

type Placed = { readonly turn: number; readonly text: string }

/** The text that stands now: the old one until it has left, the new one when the picture is nearly there. */
function useInTime(
  box: RefObject<HTMLDivElement | null>,
  { caption, turn, transitionMs }: { caption: string | null; turn: number; transitionMs: number },
): Placed | null {
  const [placed, setPlaced] = useState<Placed | null>(null)
  const began = useRef({ turn, ms: 0 })
  useEffect(() => {
    const nowMs = performance.now()
    if (began.current.turn !== turn) began.current = { turn, ms: nowMs }
    box.current?.animate([{ opacity: 1 }, { opacity: 0 }], { duration: leaveMs, fill: 'forwards' })
    const returnMs = began.current.ms + Math.max(leaveMs, transitionMs * returnAt)
    const waitMs = Math.max(returnMs - nowMs, box.current ? leaveMs : 0)
    const timer = setTimeout(
      () => setPlaced(caption === null ? null : { turn, text: caption }),
      waitMs,
    )
    return () => clearTimeout(timer)
  }, [box, caption, turn, transitionMs])
  return placed
}

function lengthOf(text: string): 'short' | 'long' | 'very-long' {
  if (text.length <= longCharacters) return 'short'
  return text.length <= veryLongCharacters ? 'long' : 'very-long'
}

function prefersStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
