/** Captions that were generated for a viewer, cached in this browser for a day. */

import { namesFrom } from '../../../device-storage.ts'

type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export type CaptionKey = {
  readonly sessionId: number
  readonly slideId: number
  /** The style of the captions. A session with another style needs other captions. */
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
    read(key: CaptionKey): string | null {
      const kept = attempt(() => cache().getItem(keyOf(key)))
      return kept === null ? null : textOf(kept, nowMs())
    },
    keep(key: CaptionKey, text: string): void {
      attempt(() => cache().setItem(keyOf(key), `${nowMs() + keptMs} ${text}`))
    },
    /** Removes captions older than a day. */
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

function keyOf({ sessionId, slideId, voice }: CaptionKey): string {
  return `${captionPrefix}${sessionId}:${slideId}:${voice}`
}

function textOf(kept: string, nowMs: number): string | null {
  const [, until, text] = /^(\d+) (.*)$/s.exec(kept) ?? []
  return text !== undefined && Number(until) > nowMs ? text : null
}

/** Returns null if storage is disabled or full. Captions are then requested again. */
function attempt<T>(use: () => T): T | null {
  try {
    return use()
  } catch {
    return null
  }
}
