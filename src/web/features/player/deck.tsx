/** The bar under the picture: the scrubber and the playback controls. */
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
import { hasSound, isSilent, type PlaybackState } from './playback-state.ts'
import type { Playback } from './playback.ts'
import { Scrubber } from './scrubber.tsx'
import { speedLabel } from './speed-label.ts'
import { canFullScreen, toggleFullScreen } from './use-screen.ts'
import type { SheetName } from './use-sheet.ts'
import { words } from './words.ts'

type DeckProps = {
  playback: Playback
  state: PlaybackState
  setSheet: (sheet: SheetName) => void
}

export function Deck({
  playback,
  state,
  isOver,
  setSheet,
  onScrub,
}: DeckProps & {
  /** True while the end card covers the controls. */
  isOver: boolean
  onScrub: (isScrubbing: boolean) => void
}) {
  return (
    <section className="player-bar player-deck" aria-label={words.controls} inert={isOver}>
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
  // A phone has room for one button here. The voice is first, for viewers who do not see the picture.
  const voice = playback.canSpeak
  const pace = paceLabel(state)
  return (
    <div className="flex items-center gap-1">
      {voice && <Voice playback={playback} state={state} className="sm:hidden" />}
      <PlayerIcon
        icon={Shuffle}
        name={words.shuffle}
        className={voice ? 'max-sm:hidden' : ''}
        isOn={isShuffled}
        onPress={() => change((show) => shows.setShuffled(show, !show.isShuffled))}
      />
      <PlayerIcon
        icon={Repeat}
        name={words.loop}
        className="max-sm:hidden"
        isOn={isLooping}
        onPress={() => change((show) => shows.setLooping(show, !show.isLooping))}
      />
      <button
        type="button"
        className="ms-1 min-h-11 cursor-pointer rounded-control px-2.5 text-xs text-picture-ink-quiet hover:bg-picture-ink/14 max-sm:hidden"
        aria-label={words.changePace({ pace })}
        onClick={() => setSheet('settings')}
      >
        {pace}
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
      name={words.speakCaptions}
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
    // "Previous" is always left, as on the scrubber and the arrow keys, also in right-to-left languages.
    <div className="flex items-center gap-1" dir="ltr">
      <PlayerIcon icon={SkipBack} name={words.previous} onPress={commands.previous} />
      {isByHand ? (
        <PlayerIcon
          icon={SkipForward}
          name={words.next}
          className="player-go"
          onPress={commands.next}
        />
      ) : (
        <>
          <PlayerIcon
            icon={isRunning ? Pause : Play}
            name={isRunning ? words.pause : words.play}
            className="player-go"
            onPress={commands.playOrPause}
          />
          <PlayerIcon icon={SkipForward} name={words.next} onPress={commands.next} />
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
        name={words.captions}
        className="max-sm:hidden"
        isOn={showsCaptions}
        onPress={() => toggle('showsCaptions')}
      />
      {playback.canSpeak && <Voice playback={playback} state={state} className="max-sm:hidden" />}
      {hasSound(playback.playlist, state) && (
        <PlayerIcon
          icon={isSilent(state) ? VolumeX : Volume2}
          name={words.sound}
          className="max-sm:hidden"
          isOn={!isSilent(state)}
          onPress={toggleSound}
        />
      )}
      <PlayerIcon
        icon={Ratio}
        name={words.fill}
        className="max-sm:hidden"
        isOn={isFilling}
        onPress={() => toggle('isFilling')}
      />
      {canFullScreen() && (
        <PlayerIcon
          icon={Maximize}
          name={words.fullScreen}
          className="max-sm:hidden"
          onPress={toggleFullScreen}
        />
      )}
      <PlayerIcon icon={Ellipsis} name={words.more} onPress={() => setSheet('settings')} />
    </div>
  )
}

function paceLabel({ show, pace }: PlaybackState): string {
  if (show.isByHand) return words.byHand
  const { intervalMinS, intervalMaxS } = pace
  const min = Number((intervalMinS / show.speed).toFixed(1))
  const max = Number((intervalMaxS / show.speed).toFixed(1))
  const interval =
    min === max ? words.seconds({ seconds: min }) : words.secondsBetween({ min, max })
  return words.pace({ speed: speedLabel(show.speed), interval })
}
