/** The voices that captions can have, by the names that people see. The wire has older ones. */
import type { Session } from './session-data.ts'

type Theme = NonNullable<Session['captionTheme']>
export type VoiceChoice = Theme | 'narrator' | 'off'
type Spoken = Pick<Session, 'captionTheme' | 'aiPrompt'>

const plainVoices: readonly VoiceChoice[] = ['narrator', 'custom']

/** For people whose age is confirmed. */
const adultVoices: readonly VoiceChoice[] = ['joi', 'forced-bi', 'beta', 'cbt', 'cuckold']

export function voiceOptions(who: { isByHand: boolean; isAdult: boolean }): readonly VoiceChoice[] {
  return [
    ...(who.isByHand ? (['off'] as const) : []),
    ...plainVoices,
    ...(who.isAdult ? adultVoices : []),
  ]
}

/** Nothing is charged for what people write, nor for the narrator. */
export function isFree(voice: VoiceChoice): boolean {
  return voice === 'off' || voice === 'narrator'
}

export function isAdult(voice: VoiceChoice): boolean {
  return adultVoices.includes(voice)
}

/** Without a theme a feed's pictures have a narrator, one's own have nobody. */
export function voiceOf(
  { captionTheme, aiPrompt }: Spoken,
  { isByHand }: { isByHand: boolean },
): VoiceChoice {
  if (captionTheme === null) return isByHand ? 'off' : 'narrator'
  return isByHand && captionTheme === 'custom' && aiPrompt === null ? 'narrator' : captionTheme
}

/** The narrator speaks over one's own pictures where a voice is asked for without any words. */
export function settingsOfVoice(
  voice: VoiceChoice,
  { isByHand }: { isByHand: boolean },
): Partial<Spoken> {
  if (voice === 'off') return { captionTheme: null, aiPrompt: null }
  if (voice === 'narrator') return { captionTheme: isByHand ? 'custom' : null, aiPrompt: null }
  return voice === 'custom' ? { captionTheme: voice, aiPrompt: '' } : { captionTheme: voice }
}
