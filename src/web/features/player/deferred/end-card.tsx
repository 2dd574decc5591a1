/** The card after the last slide, or when a show cannot continue: the reason, and the next actions. */
import { LibraryBig, RotateCcw, Shuffle } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { isEmbedded } from '../../../embedding.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { words as uiWords } from '../../../ui/words.ts'
import { words as endWords } from '../../sharing/end-words.ts'
import * as shows from '../engine/show.ts'
import type { PlaybackState } from '../playback-state.ts'
import type { Playback } from '../playback.ts'
import type { Playlist } from '../playlist.ts'
import { words as playerWords } from '../words.ts'
import { words } from './words.ts'

type EndCardProps = { playback: Playback; state: PlaybackState; leave: () => void }

export function EndCard({ playback, state, leave }: EndCardProps) {
  const { show } = state
  const again = () => playback.commands.change(shows.play)
  const { linkEnd } = state
  if (linkEnd !== null) {
    return (
      <Card title={endWords.headlines[linkEnd]}>
        <p>{endWords.hints[linkEnd]}</p>
        <Choices>
          <Leave leave={leave} />
        </Choices>
      </Card>
    )
  }
  if (state.isUnpaid) {
    return (
      <Card title={words.unpaid}>
        <p>{words.unpaidReason}</p>
        <Choices>
          <ButtonLink href="/credits" size="big">
            {words.yourCredits}
          </ButtonLink>
          <Leave leave={leave} />
        </Choices>
      </Card>
    )
  }
  if (show.broken.size >= show.slides.length) {
    return (
      <Card title={words.noneShown}>
        <p>{words.noneShownReason}</p>
        <Choices>
          <Again play={again}>{uiWords.tryAgain}</Again>
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
    <Card title={hidden > 0 ? words.moreSlides({ count: hidden }) : words.over}>
      {hidden > 0 && <p>{words.signInForMore}</p>}
      <Choices>
        {hidden > 0 && (
          <ButtonLink href={signIn} size="big">
            {uiWords.signIn}
          </ButtonLink>
        )}
        <Again play={() => commands.change(shows.play)}>{words.playAgain}</Again>
        {playlist.slides.length > 1 && (
          <Button
            size="big"
            icon={<Shuffle aria-hidden="true" size={18} />}
            onClick={() => commands.change((show) => shows.play(shows.setShuffled(show, true)))}
          >
            {playerWords.shuffle}
          </Button>
        )}
        {!isEmbedded() && <WayOn playlist={playlist} />}
        <Leave leave={leave} />
      </Choices>
    </Card>
  )
}

/** A link to the library of the viewer or, for a visitor, to the registration. */
function WayOn({ playlist }: { playlist: Playlist }) {
  if (playlist.isVisitor)
    return (
      <ButtonLink href="/register" size="big">
        {words.makeYourOwn}
      </ButtonLink>
    )
  return (
    <ButtonLink href="/library" size="big" icon={<LibraryBig aria-hidden="true" size={18} />}>
      {words.library}
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
      {isEmbedded() ? playerWords.openItsPage : playerWords.leave}
    </Button>
  )
}

function Choices({ children }: { children: ReactNode }) {
  return <div className="mt-2 flex flex-wrap justify-center gap-2">{children}</div>
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  const card = useRef<HTMLElement>(null)
  const id = useId()
  useEffect(() => {
    const { activeElement, body } = document
    const isInPlayer = activeElement === body || activeElement?.closest('.player')
    if (isInPlayer) card.current?.querySelector<HTMLElement>('button, a')?.focus()
  }, [])
  return (
    <section ref={card} aria-labelledby={id} className="player-card is-over">
      <h2 id={id} className="player-card-title">
        {title}
      </h2>
      {children}
    </section>
  )
}
