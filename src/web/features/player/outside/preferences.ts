/** The choices of a viewer for the look, sound and pace of shows, stored in this browser. */
import { speeds } from '../engine/speeds.ts'

export const captionSizes = ['small', 'medium', 'large'] as const
export const captionPlaces = ['top', 'middle', 'bottom'] as const

export const slowestVoice = 0.5
export const fastestVoice = 2

export type Preferences = {
  readonly isFilling: boolean
  readonly hasDrift: boolean
  readonly showsCaptions: boolean
  readonly speaksCaptions: boolean
  readonly captionSize: (typeof captionSizes)[number]
  readonly captionPlace: (typeof captionPlaces)[number]
  /** The voice of the device for spoken captions; empty for the default voice. */
  readonly voice: string
  readonly voiceRate: number
  readonly isMuted: boolean
  /** From 0 to 1. */
  readonly volume: number
  readonly isLooping: boolean
  readonly isShuffled: boolean
  readonly speed: number
}

/** The names of the boolean preferences. */
export type SwitchName = {
  [Name in keyof Preferences]: Preferences[Name] extends boolean ? Name : never
}[keyof Preferences]

type BrowserStorage = Pick<Storage, 'getItem' | 'setItem'>

export const firstPreferences: Preferences = {
  isFilling: false,
  hasDrift: false,
  showsCaptions: true,
  speaksCaptions: false,
  captionSize: 'medium',
  captionPlace: 'bottom',
  voice: '',
  voiceRate: 1,
  isMuted: false,
  volume: 1,
  isLooping: false,
  isShuffled: false,
  speed: 1,
}

const key = 'lanternist:player'

export function readPreferences(cache: () => BrowserStorage = () => localStorage): Preferences {
  try {
    const kept: unknown = JSON.parse(cache().getItem(key) ?? '{}')
    const known = Object.entries(firstPreferences).map(([name, usual]) => {
      const value: unknown = Object.getOwnPropertyDescriptor(Object(kept), name)?.value
      return [name, isValid(name, value, usual) ? value : usual]
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
    // Storage can be full or disabled. The choice then lasts until the page closes.
  }
}

function isValid(name: string, value: unknown, usual: unknown): boolean {
  if (typeof value !== typeof usual) return false
  if (name === 'captionSize') return captionSizes.some((size) => size === value)
  if (name === 'captionPlace') return captionPlaces.some((place) => place === value)
  if (name === 'volume') return isWithin(value, 0, 1)
  if (name === 'voiceRate') return isWithin(value, slowestVoice, fastestVoice)
  return name !== 'speed' || speeds.some((speed) => speed === value)
}

function isWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max
}
