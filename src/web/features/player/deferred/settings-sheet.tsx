/** The settings of the player: pace, look, captions and sound. They do not change the session. */
import type { ReactNode } from 'react'
import { transitions } from '../../../../contract/transitions.ts'
import { Button } from '../../../ui/button.tsx'
import { ChipChoice, Segment } from '../../../ui/choice.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Range } from '../../../ui/range.tsx'
import { Slider } from '../../../ui/slider.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { transitionNames } from '../../sessions/session-data.ts'
import * as shows from '../engine/show.ts'
import { speedIndex, speeds } from '../engine/speeds.ts'
import type { SwitchName } from '../outside/preferences.ts'
import { hasSound, isSilent, type PlaybackState } from '../playback-state.ts'
import type { Playback } from '../playback.ts'
import { speedLabel } from '../speed-label.ts'
import { canSetVolume } from '../stage/film.ts'
import { canFullScreen, toggleFullScreen } from '../use-screen.ts'
import type { SheetName } from '../use-sheet.ts'
import { words as playerWords } from '../words.ts'
import { VoiceChoice } from './voice-choice.tsx'
import { words } from './words.ts'

export type SheetProps = {
  playback: Playback
  state: PlaybackState
  setSheet: (sheet: SheetName) => void
  close: () => void
}

const sizeOptions = [
  { value: 'small', label: words.sizes.small },
  { value: 'medium', label: words.sizes.medium },
  { value: 'large', label: words.sizes.large },
] as const

const placeOptions = [
  { value: 'top', label: words.places.top },
  { value: 'middle', label: words.places.middle },
  { value: 'bottom', label: words.places.bottom },
] as const

const transitionOptions = transitions.map((value) => ({
  value,
  label: transitionNames[value],
}))

export function SettingsSheet(props: SheetProps) {
  const { playback, state, setSheet, close } = props
  return (
    <Dialog title={words.settings} onClose={close} theme="dark">
      <Timing {...props} />
      <Captions {...props} />
      {hasSound(playback.playlist, state) && <Sound {...props} />}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={() => setSheet('about')}>{playerWords.about}</Button>
        <Button onClick={() => setSheet('help')}>{words.keysAndTouch}</Button>
        {canFullScreen() && <Button onClick={toggleFullScreen}>{playerWords.fullScreen}</Button>}
      </div>
    </Dialog>
  )
}

function Timing({ playback, state }: SheetProps) {
  const { change, setPace, setTransition } = playback.commands
  const { show, pace, transition } = state
  return (
    <Group name={words.showGroup}>
      <Slider
        label={words.speed}
        valueText={speedLabel(show.speed)}
        min={0}
        max={speeds.length - 1}
        value={speedIndex(show.speed)}
        onChange={(index) => change((now) => shows.setSpeed(now, speeds[index] ?? now.speed))}
      />
      {!show.isByHand && (
        <Range
          label={words.eachStays}
          unit="s"
          min={1}
          max={60}
          value={[pace.intervalMinS, pace.intervalMaxS]}
          onChange={([intervalMinS, intervalMaxS]) => setPace({ intervalMinS, intervalMaxS })}
        />
      )}
      <Labelled name={words.transition}>
        <ChipChoice
          label={words.transition}
          options={transitionOptions}
          value={transition}
          onChoose={setTransition}
        />
      </Labelled>
      <div>
        <Switch
          label={playerWords.shuffle}
          isOn={show.isShuffled}
          onSwitch={(isOn) => change((now) => shows.setShuffled(now, isOn))}
        />
        <Switch
          label={playerWords.loop}
          isOn={show.isLooping}
          onSwitch={(isOn) => change((now) => shows.setLooping(now, isOn))}
        />
        <Switch
          label={words.turnByHand}
          isOn={show.isByHand}
          onSwitch={(isOn) => change((now) => shows.setByHand(now, isOn))}
        />
        <Preference playback={playback} state={state} name="isFilling" label={playerWords.fill} />
        <Preference playback={playback} state={state} name="hasDrift" label={words.drift} />
      </div>
    </Group>
  )
}

function Captions({ playback, state }: SheetProps) {
  const { prefer } = playback.commands
  const { captionSize, captionPlace } = state.preferences
  return (
    <Group name={playerWords.captions}>
      <div>
        <Preference
          playback={playback}
          state={state}
          name="showsCaptions"
          label={words.showCaptions}
        />
        {playback.canSpeak && (
          <Preference
            playback={playback}
            state={state}
            name="speaksCaptions"
            label={playerWords.speakCaptions}
          />
        )}
      </div>
      {playback.canSpeak && state.preferences.speaksCaptions && (
        <VoiceChoice playback={playback} state={state} />
      )}
      <Labelled name={words.size}>
        <Segment
          label={words.captionSize}
          options={sizeOptions}
          value={captionSize}
          onChoose={(chosen) => prefer({ captionSize: chosen })}
        />
      </Labelled>
      <Labelled name={words.place}>
        <Segment
          label={words.captionPlace}
          options={placeOptions}
          value={captionPlace}
          onChoose={(chosen) => prefer({ captionPlace: chosen })}
        />
      </Labelled>
    </Group>
  )
}

function Sound({ playback, state }: SheetProps) {
  const { setVolume, toggleSound } = playback.commands
  const { volume } = state.preferences
  return (
    <Group name={words.sound}>
      <Switch label={playerWords.sound} isOn={!isSilent(state)} onSwitch={toggleSound} />
      {canSetVolume() && (
        <Slider
          label={words.volume}
          valueText={words.percent({ percent: Math.round(volume * 100) })}
          min={0}
          max={100}
          step={5}
          value={Math.round(volume * 100)}
          onChange={(percent) => setVolume(percent / 100)}
        />
      )}
    </Group>
  )
}

function Preference({
  playback,
  state,
  name,
  label,
}: Pick<SheetProps, 'playback' | 'state'> & { name: SwitchName; label: string }) {
  return (
    <Switch
      label={label}
      isOn={state.preferences[name]}
      onSwitch={() => playback.commands.toggle(name)}
    />
  )
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="grid gap-3">
      <h3 className="border-b border-hairline pb-1.5 text-sm font-semibold text-ink-2">{name}</h3>
      {children}
    </section>
  )
}

function Labelled({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-sm font-[560]" aria-hidden="true">
        {name}
      </p>
      {children}
    </div>
  )
}
