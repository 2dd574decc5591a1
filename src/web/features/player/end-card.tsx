/** After the last slide, and where a show cannot go on: what happened, and what can come next. */
import { LibraryBig, RotateCcw, Shuffle } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { isEmbedded } from '../../embedding.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import * as shows from './engine/show.ts'
import type { PlaybackState } from './playback-state.ts'
import type { Playback } from './playback.ts'
import type { Playlist } from './playlist.ts'

type EndCardProps = { playback: Playback; state: PlaybackState; leave: () => void }

export function EndCard({ playback, state, leave }: EndCardProps) {
  const { show } = state
  const again = () => playback.commands.change(shows.play)
  if (state.isUnpaid) {
    return (
      <Card title="Your credits are used up.">
        <p>Each slide of this session costs a credit the first time that it is shown.</p>
        <Choices>
          <ButtonLink href="/account" size="big">
            Your credits
          </ButtonLink>
          <Leave leave={leave} />
        </Choices>
      </Card>
    )
  }
  if (show.broken.size >= show.slides.length) {
    return (
      <Card title="None of the slides could be shown.">
        <p>The pictures may have gone, or the way to them is cut.</p>
        <Choices>
          <Again play={again}>Try again</Again>
          <Leave leave={leave} />
        </Choices>
      </Card>
    )
  }
  return <Finished playback={playback} state={state} leave={leave} />
}

function Finished({ playback, leave }: EndCardProps) {
  const { playlist, commands } = playback
  const hidden = playlist.slidesInAll - playlist.slides.length
  const signIn = `/login?redirect=${encodeURIComponent(`${playlist.exit}/play`)}`
  return (
    <Card title={hidden > 0 ? `There are ${hidden} more slides.` : 'That was the last slide.'}>
      {hidden > 0 && <p>Sign in to see the whole session.</p>}
      <Choices>
        {hidden > 0 && (
          <ButtonLink href={signIn} size="big">
            Sign in
          </ButtonLink>
        )}
        <Again play={() => commands.change(shows.play)}>Play again</Again>
        {playlist.slides.length > 1 && (
          <Button
            size="big"
            icon={<Shuffle aria-hidden="true" size={18} />}
            onClick={() => commands.change((show) => shows.play(shows.setShuffled(show, true)))}
          >
            Shuffle
          </Button>
        )}
        {!isEmbedded() && <WayOn playlist={playlist} />}
        <Leave leave={leave} />
      </Choices>
    </Card>
  )
}

/** What lies beyond this session: one's own others, or, for a visitor, the way to have some. */
function WayOn({ playlist }: { playlist: Playlist }) {
  if (playlist.isVisitor)
    return (
      <ButtonLink href="/register" size="big">
        Make your own
      </ButtonLink>
    )
  return (
    <ButtonLink href="/library" size="big" icon={<LibraryBig aria-hidden="true" size={18} />}>
      Library
    </ButtonLink>
  )
}

function Again({ play, children }: { play: () => void; children: string }) {
  return (
    <Button
      look="lit"
      size="big"
      icon={<RotateCcw aria-hidden="true" size={18} strokeWidth={1.75} />}
      onClick={play}
    >
      {children}
    </Button>
  )
}

function Leave({ leave }: { leave: () => void }) {
  return (
    <Button look="bare" size="big" onClick={leave}>
      {isEmbedded() ? 'Open its page' : 'Leave'}
    </Button>
  )
}

function Choices({ children }: { children: ReactNode }) {
  return <div className="mt-2 flex flex-wrap justify-center gap-2">{children}</div>
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
