/** Captions spoken by the browser, if it supports speech. */
import type { Preferences } from './preferences.ts'

type Synthesis = Pick<SpeechSynthesis, 'speak' | 'cancel' | 'pause' | 'resume'>

export type Speech = {
  readonly isAvailable: boolean
  /** Speaks this text instead of the current one. Calls `over` once, when it ends or is cut off. */
  speak(text: string, manner: Manner, over: () => void): void
  pause(): void
  resume(): void
  stop(): void
}

/** Voice, rate and volume of spoken captions. */
export type Manner = Pick<Preferences, 'voice' | 'voiceRate' | 'volume'>

type Utter = (text: string, manner: Manner) => SpeechSynthesisUtterance

/** The time limit for one caption at normal rate: some browsers never report the end of speech. */
const longestMs = 45_000

/** The current speech: the whole text, and the index up to which it has been spoken. */
type Saying = {
  readonly text: string
  readonly manner: Manner
  readonly over: () => void
  spokenTo: number
  timer: ReturnType<typeof setTimeout> | undefined
}

export function createSpeech(
  synthesis: Synthesis | undefined = globalThis.speechSynthesis,
  utter: Utter = utterAloud,
): Speech {
  let saying: Saying | null = null
  let isPaused = false
  /** True if the browser ended the speech while it was paused. `resume` then speaks the rest. */
  let wasCutOff = false

  function finish(): void {
    const finished = saying
    saying = null
    clearTimeout(finished?.timer)
    finished?.over()
  }

  function say(now: Saying): void {
    const from = now.spokenTo
    const utterance = utter(now.text.slice(from), now.manner)
    utterance.addEventListener('boundary', ({ charIndex }) => {
      now.spokenTo = from + charIndex
    })
    const ended = () => {
      if (saying !== now) return
      if (isPaused) wasCutOff = true
      else finish()
    }
    utterance.addEventListener('end', ended)
    utterance.addEventListener('error', ended)
    wait(now)
    synthesis?.speak(utterance)
  }

  function wait(now: Saying): void {
    clearTimeout(now.timer)
    now.timer = setTimeout(finish, longestMs / now.manner.voiceRate)
  }

  function unpause(): void {
    if (!isPaused) return
    isPaused = false
    // A paused browser stays paused for the next text too, even after `cancel`.
    synthesis?.resume()
  }

  return {
    isAvailable: synthesis !== undefined,
    speak(text, manner, over) {
      finish()
      if (!synthesis) return over()
      synthesis.cancel()
      unpause()
      wasCutOff = false
      saying = { text, manner, over, spokenTo: 0, timer: undefined }
      say(saying)
    },
    pause() {
      if (isPaused || saying === null) return
      isPaused = true
      clearTimeout(saying.timer)
      synthesis?.pause()
    },
    resume() {
      if (!isPaused) return
      unpause()
      if (saying === null) return
      if (wasCutOff) say(saying)
      else wait(saying)
      wasCutOff = false
    },
    stop() {
      if (saying !== null) synthesis?.cancel()
      finish()
      unpause()
    },
  }
}

function utterAloud(text: string, { voice, voiceRate, volume }: Manner): SpeechSynthesisUtterance {
  const utterance = new SpeechSynthesisUtterance(text)
  const chosen = speechSynthesis.getVoices().find(({ voiceURI }) => voiceURI === voice)
  if (chosen) utterance.voice = chosen
  // Without a language, the browser speaks in the language of the system.
  utterance.lang = chosen?.lang ?? document.documentElement.lang
  utterance.rate = voiceRate
  utterance.volume = volume
  return utterance
}
