/** The sheets of the player: the keys, what there is to know of a picture, and every other choice. */
import { ArrowLeft, ArrowRight, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { speedLabel } from './deck.tsx'
import * as shows from './engine/show.ts'
import { IconButton } from './icon-button.tsx'
import { keyGroups } from './keys.ts'
import type { Preferences } from './outside/preferences.ts'
import type { Playback, PlaybackState } from './playback.ts'
import { hasVideo } from './playlist.ts'
import { toggleFullScreen } from './use-screen.ts'

export type SheetName = 'help' | 'about' | 'more'

type SheetProps = {
  playback: Playback
  state: PlaybackState
  setSheet: (sheet: SheetName) => void
  close: () => void
}

export function OpenSheet({ name, ...props }: SheetProps & { name: SheetName }) {
  switch (name) {
    case 'help':
      return <HelpSheet close={props.close} />
    case 'about':
      return <AboutSheet {...props} />
    case 'more':
      return <MoreSheet {...props} />
  }
}

function HelpSheet({ close }: { close: () => void }) {
  return (
    <Sheet title="Keys and touch" close={close} className="is-large">
      <div className="player-keys is-wide">
        {keyGroups.map(({ name, keys }) => (
          <section key={name}>
            <h3>{name}</h3>
            <ul>
              {keys.map(({ caps, does }) => (
                <li key={does}>
                  <span className="player-caps">{caps.map(cap)}</span>
                  {does}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <dl className="player-touch is-narrow">
        <Pair name="Tap left, right">Previous, next</Pair>
        <Pair name="Tap the middle">Controls</Pair>
        <Pair name="Swipe">Turn the slide</Pair>
        <Pair name="Hold">Pause while held</Pair>
        <Pair name="Two fingers">Look closer</Pair>
      </dl>
      <p className="player-dark-note">
        <kbd className="is-wide">B</kbd>
        <span>
          <b>Blackout.</b>{' '}
          <span className="is-wide">
            Everything goes dark and silent at once; any key brings it back.
          </span>
          <span className="is-narrow">Three fingers: dark and silent at once.</span>
        </span>
      </p>
    </Sheet>
  )
}

function cap(name: string) {
  if (name === '–') return <span key={name}>to</span>
  if (name === '←')
    return (
      <kbd key={name}>
        <ArrowLeft aria-label="Left arrow" size={14} />
      </kbd>
    )
  if (name === '→')
    return (
      <kbd key={name}>
        <ArrowRight aria-label="Right arrow" size={14} />
      </kbd>
    )
  return <kbd key={name}>{name}</kbd>
}

function AboutSheet({ playback, state, close }: SheetProps) {
  const index = shows.shownIndex(state.show)
  const slide = index === null ? undefined : playback.playlist.slides[index]
  if (!slide || index === null) return null
  const size =
    slide.widthPx === null || slide.heightPx === null
      ? null
      : `${slide.widthPx} × ${slide.heightPx}`
  const hold = state.show.slides[index]?.holdMs ?? slide.holdMs
  return (
    <Sheet title="About this picture" close={close}>
      <dl className="player-facts">
        <Pair name="Slide">{`${index + 1} of ${playback.playlist.slides.length}`}</Pair>
        {slide.subfeed !== null && <Pair name="Subfeed">{slide.subfeed}</Pair>}
        <Pair name="Kind">{kindWords[slide.type]}</Pair>
        {size !== null && <Pair name="Size">{`${size} px`}</Pair>}
        <Pair name="Shown for">
          {slide.endsItself ? 'its own length' : `${(hold / 1000 / state.show.speed).toFixed(1)} s`}
        </Pair>
      </dl>
      {slide.postUrl !== null && (
        <a href={slide.postUrl} target="_blank" rel="noreferrer" className="player-button">
          Open the post
        </a>
      )}
    </Sheet>
  )
}

const kindWords = { image: 'Picture', gif: 'Animation', video: 'Video' } as const

function MoreSheet({ playback, state, setSheet, close }: SheetProps) {
  const { commands } = playback
  const { show, preferences } = state
  const switchOf = (name: keyof Preferences, words: string) => (
    <Switch name={words} isOn={preferences[name]} onToggle={() => commands.toggle(name)} />
  )
  return (
    <Sheet title="More" close={close}>
      <label className="player-speed">
        <span>Speed</span>
        <input
          type="range"
          min={-4}
          max={4}
          step={1}
          value={Math.round(2 * Math.log2(show.speed))}
          aria-valuetext={speedLabel(show.speed)}
          onChange={(event) => {
            const halves = Number(event.target.value)
            commands.change((now) => shows.setSpeed(now, 2 ** (halves / 2)))
          }}
        />
        <output>{speedLabel(show.speed)}</output>
      </label>
      {switchOf('showsCaptions', 'Captions')}
      {playback.canSpeak && switchOf('speaksCaptions', 'Speak captions')}
      {hasVideo(playback.playlist) && (
        <Switch
          name="Sound of videos"
          isOn={!preferences.isMuted}
          onToggle={() => commands.toggle('isMuted')}
        />
      )}
      {switchOf('isFilling', 'Fill the screen')}
      {switchOf('hasDrift', 'Slow drift')}
      <Switch
        name="Loop"
        isOn={show.isLooping}
        onToggle={() => commands.change((now) => shows.setLooping(now, !now.isLooping))}
      />
      <Switch
        name="Turn by hand"
        isOn={show.isByHand}
        onToggle={() => commands.change((now) => shows.setByHand(now, !now.isByHand))}
      />
      <div className="player-choices">
        <button type="button" className="player-button" onClick={() => setSheet('about')}>
          About this picture
        </button>
        <button type="button" className="player-button" onClick={() => setSheet('help')}>
          Keys and touch
        </button>
        <button type="button" className="player-button" onClick={toggleFullScreen}>
          Full screen
        </button>
      </div>
    </Sheet>
  )
}

function Switch({ name, isOn, onToggle }: { name: string; isOn: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      className="player-switch"
      onClick={onToggle}
    >
      {name}
      <span aria-hidden="true" />
    </button>
  )
}

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Sheet({
  title,
  close,
  className = '',
  children,
}: {
  title: string
  close: () => void
  className?: string
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    // The dialog's own box is its padding-free body, so what hits the dialog itself is beside it.
    const onClick = (event: MouseEvent) => {
      if (event.target === current) current?.close()
    }
    current?.addEventListener('click', onClick)
    return () => current?.removeEventListener('click', onClick)
  }, [])
  return (
    <dialog ref={dialog} className={`player-sheet ${className}`} aria-label={title} onClose={close}>
      <div className="player-sheet-body">
        <header>
          <h2>{title}</h2>
          <IconButton icon={X} name="Close" onPress={close} />
        </header>
        {children}
      </div>
    </dialog>
  )
}
