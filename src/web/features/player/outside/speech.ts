/** Captions spoken aloud by the browser, where it can. */
import type { Preferences } from './preferences.ts'

type Synthesis = Pick<SpeechSynthesis, 'speak' | 'cancel' | 'pause' | 'resume'>

export type Speech = {
  readonly isAvailable: boolean
  /** Speaks, instead of whatever was being said; calls back once, when it is over or was cut off. */
  speak(text: string, manner: Manner, over: () => void): void
  pause(): void
  resume(): void
  stop(): void
}

/** Voice, rate and volume of spoken captions. */
export type Manner = Pick<Preferences, 'voice' | 'voiceRate' | 'volume'>

type Utter = (text: string, manner: Manner) => SpeechSynthesisUtterance

/** Some browsers forget to say that they have finished; nobody waits longer than this. */
const longestMs = 45_000

/** What is being said: the whole text, and how far into it the voice has come. */
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
  /** A browser may end a voice that is paused; what is left is then said anew. */
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
    // Cancelled or not, a browser that was paused stays so for whatever it is given next.
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
  // A browser that is not told the language speaks in that of the system.
  utterance.lang = chosen?.lang ?? document.documentElement.lang
  utterance.rate = voiceRate
  utterance.volume = volume
  return utterance
}
