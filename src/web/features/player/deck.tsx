/** Under the picture: where the show is, and everything that moves it. */
import {
  Captions,
  CaptionsOff,
  Ellipsis,
  Maximize,
  Pause,
  Play,
  Ratio,
  Repeat,
  Shuffle,
  SkipBack,
  SkipForward,
  Speech,
  Volume2,
  VolumeX,
} from 'lucide-react'
import * as shows from './engine/show.ts'
import { IconButton } from './icon-button.tsx'
import type { Lantern, LanternState } from './lantern.ts'
import { hasVideo } from './programme.ts'
import { Scrubber } from './scrubber.tsx'
import type { SheetName } from './sheets.tsx'
import { toggleFullScreen } from './use-screen.ts'

type DeckProps = {
  lantern: Lantern
  state: LanternState
  setSheet: (sheet: SheetName) => void
}

export function Deck({
  lantern,
  state,
  setSheet,
  onScrub,
}: DeckProps & { onScrub: (isScrubbing: boolean) => void }) {
  return (
    <section className="player-bar player-deck" aria-label="Controls">
      <Scrubber lantern={lantern} state={state} onScrub={onScrub} />
      <div className="player-row">
        <Order lantern={lantern} state={state} setSheet={setSheet} />
        <Transport lantern={lantern} state={state} />
        <Look lantern={lantern} state={state} setSheet={setSheet} />
      </div>
    </section>
  )
}

function Order({ lantern, state, setSheet }: DeckProps) {
  const { change } = lantern.commands
  const { isShuffled, isLooping } = state.show
  return (
    <div>
      <IconButton
        icon={Shuffle}
        name="Shuffle"
        isOn={isShuffled}
        onPress={() => change((show) => shows.setShuffled(show, !show.isShuffled))}
      />
      <IconButton
        icon={Repeat}
        name="Loop"
        className="is-wide"
        isOn={isLooping}
        onPress={() => change((show) => shows.setLooping(show, !show.isLooping))}
      />
      <button type="button" className="player-pace is-wide" onClick={() => setSheet('more')}>
        {paceWords(lantern, state)}
        <span className="sr-only">, change speed and more</span>
      </button>
    </div>
  )
}

function Transport({ lantern, state }: Pick<DeckProps, 'lantern' | 'state'>) {
  const { commands } = lantern
  const { isRunning, isByHand } = state.show
  return (
    <div>
      <IconButton icon={SkipBack} name="Previous" onPress={commands.previous} />
      {isByHand ? (
        <IconButton icon={SkipForward} name="Next" className="player-go" onPress={commands.next} />
      ) : (
        <>
          <IconButton
            icon={isRunning ? Pause : Play}
            name={isRunning ? 'Pause' : 'Play'}
            className="player-go"
            onPress={commands.playOrPause}
          />
          <IconButton icon={SkipForward} name="Next" onPress={commands.next} />
        </>
      )}
    </div>
  )
}

function Look({ lantern, state, setSheet }: DeckProps) {
  const { toggle } = lantern.commands
  const { showsCaptions, speaksCaptions, isMuted, isFilling } = state.preferences
  return (
    <div>
      <IconButton
        icon={showsCaptions ? Captions : CaptionsOff}
        name="Captions"
        className="is-wide"
        isOn={showsCaptions}
        onPress={() => toggle('showsCaptions')}
      />
      {lantern.canSpeak && (
        <IconButton
          icon={Speech}
          name="Speak captions"
          className="is-wide"
          isOn={speaksCaptions}
          onPress={() => toggle('speaksCaptions')}
        />
      )}
      {hasVideo(lantern.programme) && (
        <IconButton
          icon={isMuted ? VolumeX : Volume2}
          name="Sound of videos"
          className="is-wide"
          isOn={!isMuted}
          onPress={() => toggle('isMuted')}
        />
      )}
      <IconButton
        icon={Ratio}
        name="Fill the screen"
        className="is-wide"
        isOn={isFilling}
        onPress={() => toggle('isFilling')}
      />
      <IconButton
        icon={Maximize}
        name="Full screen"
        className="is-wide"
        onPress={toggleFullScreen}
      />
      <IconButton
        icon={Ellipsis}
        name="More"
        className="is-narrow"
        onPress={() => setSheet('more')}
      />
    </div>
  )
}

function paceWords({ programme }: Lantern, { show }: LanternState): string {
  if (show.isByHand) return 'by hand'
  const { intervalMinS, intervalMaxS } = programme.pace
  const [least, most] = [intervalMinS, intervalMaxS].map((s) => Number((s / show.speed).toFixed(1)))
  const interval = least === most ? `${least} s` : `${least} to ${most} s`
  return `${speedWords(show.speed)} · ${interval}`
}

export function speedWords(speed: number): string {
  return `${Number(speed.toFixed(2))}×`
}
