/** Captions spoken aloud by the browser, where it can. */

type Synthesis = Pick<SpeechSynthesis, 'speak' | 'cancel' | 'pause' | 'resume'>

export type Speech = {
  readonly isAvailable: boolean
  /** Speaks, instead of whatever was being said; calls back once, when it is over or was cut off. */
  speak(text: string, over: () => void): void
  pause(): void
  resume(): void
  stop(): void
}

/** Some browsers forget to say that they have finished; nobody waits longer than this. */
const longestMs = 45_000

export function createSpeech(
  synthesis: Synthesis | undefined = globalThis.speechSynthesis,
  utter: (text: string) => SpeechSynthesisUtterance = (text) => new SpeechSynthesisUtterance(text),
): Speech {
  let finish = nothing
  return {
    isAvailable: synthesis !== undefined,
    speak(text, over) {
      finish()
      if (!synthesis) return over()
      synthesis.cancel()
      const utterance = utter(text)
      let isOver = false
      const finishThis = () => {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        over()
      }
      const timer = setTimeout(finishThis, longestMs)
      finish = finishThis
      utterance.addEventListener('end', finishThis)
      utterance.addEventListener('error', finishThis)
      synthesis.speak(utterance)
    },
    pause: () => synthesis?.pause(),
    resume: () => synthesis?.resume(),
    stop() {
      finish()
      synthesis?.cancel()
    },
  }
}

function nothing(): void {}
