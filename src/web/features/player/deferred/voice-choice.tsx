/** The settings of spoken captions: a voice of this device, and its rate. */
import { useEffect, useState } from 'react'
import { Select } from '../../../ui/select.tsx'
import { Slider } from '../../../ui/slider.tsx'
import { fastestVoice, slowestVoice } from '../outside/preferences.ts'
import { speedLabel } from '../speed-label.ts'
import type { SheetProps } from './settings-sheet.tsx'
import { words } from './words.ts'

export function VoiceChoice({ playback, state }: Pick<SheetProps, 'playback' | 'state'>) {
  const { prefer } = playback.commands
  const { voice, voiceRate } = state.preferences
  const voices = useVoices()
  const options = [
    { value: '', label: words.usualVoice },
    ...voices.map(({ voiceURI, name }) => ({ value: voiceURI, label: name })),
  ]
  // If this device no longer has the chosen voice, the default voice is selected.
  const value = options.some((option) => option.value === voice) ? voice : ''
  return (
    <>
      {voices.length > 0 && (
        <Select
          label={words.voice}
          options={options}
          value={value}
          onChoose={(chosen) => prefer({ voice: chosen })}
        />
      )}
      <Slider
        label={words.voiceRate}
        valueText={speedLabel(voiceRate)}
        min={slowestVoice * 10}
        max={fastestVoice * 10}
        value={Math.round(voiceRate * 10)}
        onChange={(tenths) => prefer({ voiceRate: tenths / 10 })}
      />
    </>
  )
}

/** Returns the voices, those in the language of the page first. Some browsers load them late. */
function useVoices(): readonly SpeechSynthesisVoice[] {
  const [voices, setVoices] = useState(readVoices)
  useEffect(() => {
    const look = () => setVoices(readVoices())
    speechSynthesis.addEventListener('voiceschanged', look)
    return () => speechSynthesis.removeEventListener('voiceschanged', look)
  }, [])
  return voices
}

function readVoices(): SpeechSynthesisVoice[] {
  const { lang } = document.documentElement
  const rank = (voice: SpeechSynthesisVoice) => (voice.lang.startsWith(lang) ? 0 : 1)
  return speechSynthesis.getVoices().toSorted((one, other) => rank(one) - rank(other))
}
