/** The voices that captions can have, by the names that people see. The wire has older ones. */
import type { Session } from './session-data.ts'

type Theme = NonNullable<Session['captionTheme']>
export type VoiceChoice = Theme | 'narrator'

export const plainVoices: readonly { value: VoiceChoice; label: string }[] = [
  { value: 'narrator', label: 'Narrator' },
  { value: 'custom', label: 'My own words' },
]

/** For people whose age is confirmed. */
export const adultVoices: readonly { value: VoiceChoice; label: string }[] = [
  { value: 'joi', label: 'Encouraging' },
  { value: 'forced-bi', label: 'Daring' },
  { value: 'beta', label: 'Fond' },
  { value: 'cbt', label: 'Stern' },
  { value: 'cuckold', label: 'Teasing' },
]

export const voiceOptions = [...plainVoices, ...adultVoices]

export function voiceOf(theme: Session['captionTheme']): VoiceChoice {
  return theme ?? 'narrator'
}
