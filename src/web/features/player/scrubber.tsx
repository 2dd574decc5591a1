/**
 * One mark for each slide, and a slider to jump to any of them. A pointer gets a small preview of the
 * slide under it. The mark of the current slide fills as its time passes.
 */
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { msUntil } from './engine/look-ahead.ts'
import * as shows from './engine/show.ts'
import type { PlaybackState } from './playback-state.ts'
import type { Playback } from './playback.ts'
import { smallestAddress } from './stage/picture-address.ts'
import { words } from './words.ts'

/** With more slides than this, one line replaces the marks: they would be thinner than their gaps. */
const maxTicks = 100

export function Scrubber({
  playback,
  state,
  onScrub,
}: {
  playback: Playback
  state: PlaybackState
  onScrub: (isScrubbing: boolean) => void
}) {
  const { show } = state
  const count = show.order.length
  const position = show.position ?? 0
  const [pointedAt, setPointedAt] = useState<number | null>(null)
  const isDragging = useRef(false)

  const positionUnder = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const box = currentTarget.getBoundingClientRect()
    const share = (clientX - box.left) / box.width
    return Math.max(0, Math.min(count - 1, Math.floor(share * count)))
  }
  const goTo = (target: number) => playback.commands.change((now) => shows.goTo(now, target))

  function press(event: PointerEvent<HTMLInputElement>) {
    event.currentTarget.setPointerCapture(event.pointerId)
    isDragging.current = true
    setPointedAt(positionUnder(event))
    onScrub(true)
  }
  function lift(event: PointerEvent<HTMLInputElement>) {
    if (!isDragging.current) return
    isDragging.current = false
    onScrub(false)
    if (event.type === 'pointerup') goTo(positionUnder(event))
    if (event.pointerType !== 'mouse') setPointedAt(null)
  }

  return (
    <div className="player-scrubber" dir="ltr">
      {count <= maxTicks ? (
        show.order.map((index, at) => (
          <span
            key={index}
            className={tickClass(at, position)}
            data-broken={show.broken.has(index)}
          >
            {at === position && <Passing key={show.turn} playback={playback} state={state} />}
          </span>
        ))
      ) : (
        <span className="player-tick">
          <span className="player-passed" style={{ scale: `${(position + 1) / count} 1` }} />
        </span>
      )}
      <input
        type="range"
        aria-label={words.slide}
        aria-valuetext={words.slideOf({ slide: position + 1, total: count })}
        min={1}
        max={count}
        value={position + 1}
        // Only for the keyboard: the pointer handlers below compute the slide under the pointer.
        onChange={(event) => !isDragging.current && goTo(Number(event.target.value) - 1)}
        onPointerDown={press}
        onPointerMove={(event) => {
          if (isDragging.current || event.pointerType === 'mouse')
            setPointedAt(positionUnder(event))
        }}
        onPointerUp={lift}
        onPointerCancel={lift}
        onPointerLeave={() => !isDragging.current && setPointedAt(null)}
      />
      {pointedAt !== null && <Peek playback={playback} state={state} position={pointedAt} />}
    </div>
  )
}

function tickClass(at: number, position: number): string {
  if (at === position) return 'player-tick is-now'
  return at < position ? 'player-tick is-past' : 'player-tick'
}

/** Fills the mark as the time of the slide passes. An animation does this, so React does not render. */
function Passing({ playback, state }: { playback: Playback; state: PlaybackState }) {
  const mark = useRef<HTMLSpanElement>(null)
  const { show } = state
  const index = shows.shownIndex(show)
  const holdMs = index === null ? 0 : (show.slides[index]?.holdMs ?? 0)
  const isTicking = shows.isTicking(show) && !show.isByHand
  useEffect(() => {
    if (holdMs === 0) return
    const passed = Math.min(1, playback.elapsedMs() / holdMs)
    const growth = mark.current?.animate(
      [{ transform: `scaleX(${passed})` }, { transform: 'scaleX(1)' }],
      { duration: ((1 - passed) * holdMs) / show.speed, fill: 'both' },
    )
    if (!isTicking) growth?.pause()
    return () => growth?.cancel()
  }, [playback, show.speed, isTicking, holdMs])
  return <span ref={mark} className="player-passing" />
}

function Peek({
  playback,
  state,
  position,
}: {
  playback: Playback
  state: PlaybackState
  position: number
}) {
  const { show } = state
  const index = show.order[position]
  const slide = index === undefined ? undefined : playback.playlist.slides[index]
  if (!slide) return null
  const picture = smallestAddress(slide)
  const ms = msUntil(show, position)
  const name =
    ms === null
      ? words.slideNumber({ slide: position + 1 })
      : words.slideAhead({ slide: position + 1, seconds: Math.round(ms / 1000) })
  const middle = `${((position + 0.5) / show.order.length) * 100}%`
  return (
    <div
      className="player-peek"
      style={{ left: `clamp(84px, ${middle}, 100% - 84px)` }}
      aria-hidden="true"
    >
      <div>{picture !== null && <img src={picture} alt="" draggable={false} />}</div>
      <p dir="auto">
        {index !== undefined && show.broken.has(index) ? words.slideBroken({ slide: name }) : name}
      </p>
    </div>
  )
}
