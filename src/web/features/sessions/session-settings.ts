/** The playback and caption settings of a session, as chosen and as sent. */
import type { Session } from './session-data.ts'

export type SessionSettings = Pick<
  Session,
  | 'intervalMin'
  | 'intervalMax'
  | 'transition'
  | 'captionTheme'
  | 'aiPrompt'
  | 'tags'
  | 'isManualMode'
  | 'nsfw'
> & { readonly categoryId: number | null }

export const firstSettings: SessionSettings = {
  intervalMin: 4,
  intervalMax: 9,
  transition: 'fade',
  captionTheme: null,
  aiPrompt: null,
  tags: [],
  isManualMode: false,
  nsfw: false,
  categoryId: null,
}

/** Returns the request body, with a prompt only for the custom voice. */
export function bodyOf({ aiPrompt, ...settings }: SessionSettings) {
  const words = (aiPrompt ?? '').trim()
  return {
    ...settings,
    tags: [...settings.tags],
    aiPrompt: settings.captionTheme === 'custom' && words !== '' ? words : null,
  }
}
