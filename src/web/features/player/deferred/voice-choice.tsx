/** The choice of the voice that speaks captions, among those of this device, and of its rate. */
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
  // A voice that this device has no more is the usual one.
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

/** Those of the page's language first. Some browsers know of them only after a while. */
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
