/** The caption voices by their product names. The API has older names. */
import type { Session } from './session-data.ts'

type Theme = NonNullable<Session['captionTheme']>
export type VoiceChoice = Theme | 'narrator' | 'off'
type Spoken = Pick<Session, 'captionTheme' | 'aiPrompt'>

const plainVoices: readonly VoiceChoice[] = ['narrator', 'custom']

/** For users with a confirmed age. */
const adultVoices: readonly VoiceChoice[] = ['joi', 'forced-bi', 'beta', 'cbt', 'cuckold']

export function voiceOptions(who: { isByHand: boolean; isAdult: boolean }): readonly VoiceChoice[] {
  return [
    ...(who.isByHand ? (['off'] as const) : []),
    ...plainVoices,
    ...(who.isAdult ? adultVoices : []),
  ]
}

/** Returns true for voices without a charge: no captions and the narrator. */
export function isFree(voice: VoiceChoice): boolean {
  return voice === 'off' || voice === 'narrator'
}

export function isAdult(voice: VoiceChoice): boolean {
  return adultVoices.includes(voice)
}

/** Returns the voice. Without a theme, a feed session has the narrator and a manual session has none. */
export function voiceOf(
  { captionTheme, aiPrompt }: Spoken,
  { isByHand }: { isByHand: boolean },
): VoiceChoice {
  if (captionTheme === null) return isByHand ? 'off' : 'narrator'
  return isByHand && captionTheme === 'custom' && aiPrompt === null ? 'narrator' : captionTheme
}

/** Returns the settings of a voice. In a manual session the narrator is the custom voice without a prompt. */
export function settingsOfVoice(
  voice: VoiceChoice,
  { isByHand }: { isByHand: boolean },
): Partial<Spoken> {
  if (voice === 'off') return { captionTheme: null, aiPrompt: null }
  if (voice === 'narrator') return { captionTheme: isByHand ? 'custom' : null, aiPrompt: null }
  return voice === 'custom' ? { captionTheme: voice, aiPrompt: '' } : { captionTheme: voice }
}
