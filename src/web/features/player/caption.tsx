/**
 * The caption on a picture, over a dark background that follows its lines. It fades out when a
 * transition begins and returns near the end of the transition.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { OverlayText } from '../../ui/overlay-text.tsx'
import type { Preferences } from './outside/preferences.ts'
import { captionOf, type PlaybackState } from './playback-state.ts'
import { prefersStillness } from './stage/transitions.ts'

const leaveMs = 160
const enterMs = 280
const risePx = 6
/** The part of a transition after which the caption returns. */
const returnAt = 0.6

/** A caption longer than the first limit gets smaller text; longer than the second, it also scrolls. */
const longCharacters = 150
const veryLongCharacters = 330

export function Caption({ state }: { state: PlaybackState }) {
  const { show, transitionMs, preferences } = state
  const caption = captionOf(state)
  const box = useRef<HTMLDivElement>(null)
  const shown = useInTime(box, { caption, turn: show.turn, transitionMs })

  return (
    <>
      <div
        className="burnt-edge player-burn-edge"
        data-lit={caption !== null && preferences.captionPlace === 'bottom'}
      />
      {shown !== null && <Words box={box} shown={shown} preferences={preferences} />}
    </>
  )
}

/** Renders every caption into the same elements, so that a long show does not leak memory. */
function Words({
  box,
  shown,
  preferences,
}: {
  box: RefObject<HTMLDivElement | null>
  shown: ShownCaption
  preferences: Preferences
}) {
  const { text } = shown
  useLayoutEffect(() => {
    const { current } = box
    if (shown.text === '') return
    const rise = prefersStillness() ? 0 : risePx
    const unseen = { opacity: 0, transform: `translateY(${rise}px)` }
    current?.animate([unseen, { opacity: 1, transform: 'none' }], {
      duration: enterMs,
      easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)',
    })
    // The fade-out of the last caption keeps the element hidden until it is cancelled.
    return () => current?.getAnimations().forEach((animation) => animation.cancel())
  }, [box, shown])
  return (
    // Screen readers read the live region instead.
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

type ShownCaption = { readonly turn: number; readonly text: string }

/** Returns the old caption until it has faded out, then the new one when the transition is almost over. */
function useInTime(
  box: RefObject<HTMLDivElement | null>,
  { caption, turn, transitionMs }: { caption: string | null; turn: number; transitionMs: number },
): ShownCaption | null {
  const [shown, setShown] = useState<ShownCaption | null>(null)
  const began = useRef({ turn, ms: 0 })
  useEffect(() => {
    const nowMs = performance.now()
    if (began.current.turn !== turn) began.current = { turn, ms: nowMs }
    box.current?.animate([{ opacity: 1 }, { opacity: 0 }], { duration: leaveMs, fill: 'forwards' })
    const returnMs = began.current.ms + Math.max(leaveMs, transitionMs * returnAt)
    const waitMs = Math.max(returnMs - nowMs, box.current ? leaveMs : 0)
    const timer = setTimeout(
      () => setShown(caption === null ? null : { turn, text: caption }),
      waitMs,
    )
    return () => clearTimeout(timer)
  }, [box, caption, turn, transitionMs])
  return shown
}

function lengthOf(text: string): 'short' | 'long' | 'very-long' {
  if (text.length <= longCharacters) return 'short'
  return text.length <= veryLongCharacters ? 'long' : 'very-long'
}
