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
import type { Playback, PlaybackState } from './playback.ts'
import { hasVideo } from './playlist.ts'
import { Scrubber } from './scrubber.tsx'
import type { SheetName } from './sheets.tsx'
import { toggleFullScreen } from './use-screen.ts'

type DeckProps = {
  playback: Playback
  state: PlaybackState
  setSheet: (sheet: SheetName) => void
}

export function Deck({
  playback,
  state,
  setSheet,
  onScrub,
}: DeckProps & { onScrub: (isScrubbing: boolean) => void }) {
  return (
    <section className="player-bar player-deck" aria-label="Controls">
      <Scrubber playback={playback} state={state} onScrub={onScrub} />
      <div className="player-row">
        <Order playback={playback} state={state} setSheet={setSheet} />
        <Transport playback={playback} state={state} />
        <Look playback={playback} state={state} setSheet={setSheet} />
      </div>
    </section>
  )
}

function Order({ playback, state, setSheet }: DeckProps) {
  const { change } = playback.commands
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
        {paceLabel(playback, state)}
        <span className="sr-only">, change speed and more</span>
      </button>
    </div>
  )
}

function Transport({ playback, state }: Pick<DeckProps, 'playback' | 'state'>) {
  const { commands } = playback
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

function Look({ playback, state, setSheet }: DeckProps) {
  const { toggle } = playback.commands
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
      {playback.canSpeak && (
        <IconButton
          icon={Speech}
          name="Speak captions"
          className="is-wide"
          isOn={speaksCaptions}
          onPress={() => toggle('speaksCaptions')}
        />
      )}
      {hasVideo(playback.playlist) && (
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

function paceLabel({ playlist }: Playback, { show }: PlaybackState): string {
  if (show.isByHand) return 'by hand'
  const { intervalMinS, intervalMaxS } = playlist.pace
  const [least, most] = [intervalMinS, intervalMaxS].map((s) => Number((s / show.speed).toFixed(1)))
  const interval = least === most ? `${least} s` : `${least} to ${most} s`
  return `${speedLabel(show.speed)} · ${interval}`
}

export function speedLabel(speed: number): string {
  return `${Number(speed.toFixed(2))}×`
}
