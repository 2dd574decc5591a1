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
import { PlayerIcon } from './icon-button.tsx'
import { isSilent, type PlaybackState } from './playback-state.ts'
import type { Playback } from './playback.ts'
import { hasVideo } from './playlist.ts'
import { Scrubber } from './scrubber.tsx'
import { speedLabel } from './speed-label.ts'
import { canFullScreen, toggleFullScreen } from './use-screen.ts'
import type { SheetName } from './use-sheet.ts'

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
      <div className="grid grid-cols-[1fr_auto_1fr] items-center">
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
  // A phone has room for one: whoever does not look at the picture needs the voice first.
  const voice = playback.canSpeak
  return (
    <div className="flex items-center gap-1">
      {voice && <Voice playback={playback} state={state} className="sm:hidden" />}
      <PlayerIcon
        icon={Shuffle}
        name="Shuffle"
        className={voice ? 'max-sm:hidden' : ''}
        isOn={isShuffled}
        onPress={() => change((show) => shows.setShuffled(show, !show.isShuffled))}
      />
      <PlayerIcon
        icon={Repeat}
        name="Loop"
        className="max-sm:hidden"
        isOn={isLooping}
        onPress={() => change((show) => shows.setLooping(show, !show.isLooping))}
      />
      <button
        type="button"
        className="ms-1 min-h-11 cursor-pointer rounded-control px-2.5 text-xs text-picture-ink-quiet hover:bg-picture-ink/14 max-sm:hidden"
        onClick={() => setSheet('settings')}
      >
        {paceLabel(state)}
        <span className="sr-only">, change speed and more</span>
      </button>
    </div>
  )
}

function Voice({
  playback,
  state,
  className,
}: Pick<DeckProps, 'playback' | 'state'> & { className: string }) {
  return (
    <PlayerIcon
      icon={Speech}
      name="Speak captions"
      className={className}
      isOn={state.preferences.speaksCaptions}
      onPress={() => playback.commands.toggle('speaksCaptions')}
    />
  )
}

function Transport({ playback, state }: Pick<DeckProps, 'playback' | 'state'>) {
  const { commands } = playback
  const { isRunning, isByHand } = state.show
  return (
    <div className="flex items-center gap-1">
      <PlayerIcon icon={SkipBack} name="Previous" onPress={commands.previous} />
      {isByHand ? (
        <PlayerIcon icon={SkipForward} name="Next" className="player-go" onPress={commands.next} />
      ) : (
        <>
          <PlayerIcon
            icon={isRunning ? Pause : Play}
            name={isRunning ? 'Pause' : 'Play'}
            className="player-go"
            onPress={commands.playOrPause}
          />
          <PlayerIcon icon={SkipForward} name="Next" onPress={commands.next} />
        </>
      )}
    </div>
  )
}

function Look({ playback, state, setSheet }: DeckProps) {
  const { toggle, toggleSound } = playback.commands
  const { showsCaptions, isFilling } = state.preferences
  return (
    <div className="flex items-center justify-end gap-1">
      <PlayerIcon
        icon={showsCaptions ? Captions : CaptionsOff}
        name="Captions"
        className="max-sm:hidden"
        isOn={showsCaptions}
        onPress={() => toggle('showsCaptions')}
      />
      {playback.canSpeak && <Voice playback={playback} state={state} className="max-sm:hidden" />}
      {hasVideo(playback.playlist) && (
        <PlayerIcon
          icon={isSilent(state) ? VolumeX : Volume2}
          name="Sound of videos"
          className="max-sm:hidden"
          isOn={!isSilent(state)}
          onPress={toggleSound}
        />
      )}
      <PlayerIcon
        icon={Ratio}
        name="Fill the screen"
        className="max-sm:hidden"
        isOn={isFilling}
        onPress={() => toggle('isFilling')}
      />
      {canFullScreen() && (
        <PlayerIcon
          icon={Maximize}
          name="Full screen"
          className="max-sm:hidden"
          onPress={toggleFullScreen}
        />
      )}
      <PlayerIcon icon={Ellipsis} name="More" onPress={() => setSheet('settings')} />
    </div>
  )
}

function paceLabel({ show, pace }: PlaybackState): string {
  if (show.isByHand) return 'by hand'
  const { intervalMinS, intervalMaxS } = pace
  const [least, most] = [intervalMinS, intervalMaxS].map((s) => Number((s / show.speed).toFixed(1)))
  const interval = least === most ? `${least} s` : `${least} to ${most} s`
  return `${speedLabel(show.speed)} · ${interval}`
}
