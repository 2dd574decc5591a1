/** After the last slide, and where a show cannot go on: what happened, and the ways from here. */
import { RotateCcw } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import * as shows from './engine/show.ts'
import type { Playback, PlaybackState } from './playback.ts'
import { RoomLink } from './room.tsx'

export function EndCard({
  playback,
  state,
  leave,
}: {
  playback: Playback
  state: PlaybackState
  leave: () => void
}) {
  const { playlist, commands } = playback
  const { show } = state
  const isAllBroken = show.broken.size >= show.slides.length
  const hidden = playlist.slidesInAll - playlist.slides.length
  const again = () => commands.change(shows.play)
  if (state.isUnpaid) {
    return (
      <Card title="Your credits are used up.">
        <p>Each slide of this session costs a credit the first time that it is shown.</p>
        <div className="player-choices">
          <RoomLink href="/account">Your credits</RoomLink>
          <button type="button" className="player-button" onClick={leave}>
            Leave
          </button>
        </div>
      </Card>
    )
  }
  if (isAllBroken) {
    return (
      <Card title="None of the slides could be shown.">
        <p>The pictures may have gone, or the way to them is cut.</p>
        <div className="player-choices">
          <Again play={again}>Try again</Again>
          <button type="button" className="player-button" onClick={leave}>
            Leave
          </button>
        </div>
      </Card>
    )
  }
  return (
    <Card title={hidden > 0 ? `There are ${hidden} more slides.` : 'That was the last slide.'}>
      {hidden > 0 && <p>Sign in to see the whole session.</p>}
      <div className="player-choices">
        {hidden > 0 && (
          <RoomLink href={`/login?redirect=${encodeURIComponent(`${playlist.exit}/play`)}`}>
            Sign in
          </RoomLink>
        )}
        <Again play={again}>Play again</Again>
        <button type="button" className="player-button" onClick={leave}>
          Leave
        </button>
      </div>
    </Card>
  )
}

function Again({ play, children }: { play: () => void; children: string }) {
  return (
    <button type="button" className="player-button is-lit" onClick={play}>
      <RotateCcw aria-hidden="true" size={18} strokeWidth={1.75} />
      {children}
    </button>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { activeElement, body } = document
    const isInPlayer = activeElement === body || activeElement?.closest('.player')
    if (isInPlayer) card.current?.querySelector<HTMLElement>('button, a')?.focus()
  }, [])
  return (
    <div ref={card} className="player-card is-over">
      <h2 className="player-card-title">{title}</h2>
      {children}
    </div>
  )
}
