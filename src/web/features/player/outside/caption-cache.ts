/** Captions that were written for a viewer, kept in this browser for a day. */

import { namesFrom } from '../../../device-storage.ts'

type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export type CaptionPlace = {
  readonly sessionId: number
  readonly slideId: number
  /** Who speaks: a session that gets another voice gets other captions. */
  readonly voice: string
}

export type CaptionCache = ReturnType<typeof createCaptionCache>

const keptMs = 24 * 60 * 60 * 1000
export const captionPrefix = 'lanternist:caption:'

export function createCaptionCache(
  cache: () => BrowserStorage = () => localStorage,
  nowMs: () => number = Date.now,
) {
  return {
    read(place: CaptionPlace): string | null {
      const kept = attempt(() => cache().getItem(keyOf(place)))
      return kept === null ? null : textOf(kept, nowMs())
    },
    keep(place: CaptionPlace, text: string): void {
      attempt(() => cache().setItem(keyOf(place), `${nowMs() + keptMs} ${text}`))
    },
    /** Removes what is older than a day. */
    tidy(): void {
      attempt(() => {
        const kept = cache()
        for (const key of namesFrom(kept, captionPrefix)) {
          if (textOf(kept.getItem(key) ?? '', nowMs()) === null) kept.removeItem(key)
        }
      })
    },
  }
}

function keyOf({ sessionId, slideId, voice }: CaptionPlace): string {
  return `${captionPrefix}${sessionId}:${slideId}:${voice}`
}

function textOf(kept: string, nowMs: number): string | null {
  const [, until, text] = /^(\d+) (.*)$/s.exec(kept) ?? []
  return text !== undefined && Number(until) > nowMs ? text : null
}

/** Storage can be switched off or full: captions are then asked for again. */
function attempt<T>(use: () => T): T | null {
  try {
    return use()
  } catch {
    return null
  }
}
