/**
 * What a viewer has chosen about how pictures look and sound, kept in this browser. What changes
 * the show itself (order, speed, looping) is not kept: a link begins alike for everyone.
 */

export type Preferences = {
  readonly isFilling: boolean
  readonly hasDrift: boolean
  readonly showsCaptions: boolean
  readonly speaksCaptions: boolean
  readonly isMuted: boolean
}

type BrowserStorage = Pick<Storage, 'getItem' | 'setItem'>

export const firstPreferences: Preferences = {
  isFilling: false,
  hasDrift: false,
  showsCaptions: true,
  speaksCaptions: false,
  isMuted: false,
}

const key = 'lanternist:player'

export function readPreferences(cache: () => BrowserStorage = () => localStorage): Preferences {
  try {
    const kept: unknown = JSON.parse(cache().getItem(key) ?? '{}')
    const known = Object.entries(firstPreferences).map(([name, usual]) => {
      const value: unknown = Object.getOwnPropertyDescriptor(Object(kept), name)?.value
      return [name, typeof value === 'boolean' ? value : usual]
    })
    return { ...firstPreferences, ...Object.fromEntries(known) }
  } catch {
    return firstPreferences
  }
}

export function keepPreferences(
  chosen: Preferences,
  cache: () => BrowserStorage = () => localStorage,
) {
  try {
    cache().setItem(key, JSON.stringify(chosen))
  } catch {
    // Storage can be full or switched off; the choice then lasts as long as the page.
  }
}
