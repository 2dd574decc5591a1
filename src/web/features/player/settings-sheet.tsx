/** How the show goes, looks, speaks and sounds, all in one sheet; the session itself stays as it is. */
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { ChipChoice, Segment } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Range } from '../../ui/range.tsx'
import { Slider } from '../../ui/slider.tsx'
import { Switch } from '../../ui/switch.tsx'
import { transitionNames } from '../sessions/session-data.ts'
import * as shows from './engine/show.ts'
import type { SwitchName } from './outside/preferences.ts'
import { isSilent, type PlaybackState } from './playback-state.ts'
import type { Playback } from './playback.ts'
import { hasVideo } from './playlist.ts'
import { speedLabel, speedStep } from './speed-label.ts'
import { canSetVolume } from './stage/film.ts'
import { canFullScreen, toggleFullScreen } from './use-screen.ts'
import type { SheetName } from './use-sheet.ts'

export type SheetProps = {
  playback: Playback
  state: PlaybackState
  setSheet: (sheet: SheetName) => void
  close: () => void
}

const sizeOptions = [
  { value: 'small', label: 'Small' },
  { value: 'medium', label: 'Medium' },
  { value: 'large', label: 'Large' },
] as const

const placeOptions = [
  { value: 'top', label: 'Top' },
  { value: 'middle', label: 'Middle' },
  { value: 'bottom', label: 'Bottom' },
] as const

const transitionOptions = (['fade', 'slide', 'zoom', 'flip', 'none'] as const).map((value) => ({
  value,
  label: transitionNames[value],
}))

export function SettingsSheet(props: SheetProps) {
  const { playback, setSheet, close } = props
  return (
    <Dialog title="Settings" onClose={close} theme="dark">
      <Timing {...props} />
      <Captions {...props} />
      {hasVideo(playback.playlist) && <Sound {...props} />}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={() => setSheet('about')}>About this picture</Button>
        <Button onClick={() => setSheet('help')}>Keys and touch</Button>
        {canFullScreen() && <Button onClick={toggleFullScreen}>Full screen</Button>}
      </div>
    </Dialog>
  )
}

function Timing({ playback, state }: SheetProps) {
  const { change, setPace, setTransition } = playback.commands
  const { show, pace, transition } = state
  return (
    <Group name="Show">
      <Slider
        label="Speed"
        valueText={speedLabel(show.speed)}
        min={-4}
        max={4}
        value={Math.round(Math.log(show.speed) / Math.log(speedStep))}
        onChange={(steps) => change((now) => shows.setSpeed(now, speedStep ** steps))}
      />
      {!show.isByHand && (
        <Range
          label="Each slide stays"
          unit="s"
          min={1}
          max={60}
          value={[pace.intervalMinS, pace.intervalMaxS]}
          onChange={([intervalMinS, intervalMaxS]) => setPace({ intervalMinS, intervalMaxS })}
        />
      )}
      <Labelled name="Change of slide">
        <ChipChoice
          label="Change of slide"
          options={transitionOptions}
          value={transition}
          onChoose={setTransition}
        />
      </Labelled>
      <div>
        <Switch
          label="Shuffle"
          isOn={show.isShuffled}
          onSwitch={(isOn) => change((now) => shows.setShuffled(now, isOn))}
        />
        <Switch
          label="Loop"
          isOn={show.isLooping}
          onSwitch={(isOn) => change((now) => shows.setLooping(now, isOn))}
        />
        <Switch
          label="Turn by hand"
          isOn={show.isByHand}
          onSwitch={(isOn) => change((now) => shows.setByHand(now, isOn))}
        />
        <Preference playback={playback} state={state} name="isFilling" label="Fill the screen" />
        <Preference playback={playback} state={state} name="hasDrift" label="Slow drift" />
      </div>
    </Group>
  )
}

function Captions({ playback, state }: SheetProps) {
  const { prefer } = playback.commands
  const { captionSize, captionPlace } = state.preferences
  return (
    <Group name="Captions">
      <div>
        <Preference playback={playback} state={state} name="showsCaptions" label="Show captions" />
        {playback.canSpeak && (
          <Preference
            playback={playback}
            state={state}
            name="speaksCaptions"
            label="Speak captions"
          />
        )}
      </div>
      <Labelled name="Size">
        <Segment
          label="Size of captions"
          options={sizeOptions}
          value={captionSize}
          onChoose={(chosen) => prefer({ captionSize: chosen })}
        />
      </Labelled>
      <Labelled name="Place">
        <Segment
          label="Place of captions"
          options={placeOptions}
          value={captionPlace}
          onChoose={(chosen) => prefer({ captionPlace: chosen })}
        />
      </Labelled>
    </Group>
  )
}

function Sound({ playback, state }: SheetProps) {
  const { prefer, toggleSound } = playback.commands
  const { volume } = state.preferences
  return (
    <Group name="Videos">
      <Switch label="Sound of videos" isOn={!isSilent(state)} onSwitch={toggleSound} />
      {canSetVolume() && (
        <Slider
          label="Volume"
          valueText={`${Math.round(volume * 100)} %`}
          min={0}
          max={100}
          step={5}
          value={Math.round(volume * 100)}
          onChange={(percent) => prefer({ volume: percent / 100 })}
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
