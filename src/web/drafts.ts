/**
 * Unsaved work, kept on this device until it is saved or given up. It is its owner's alone: kept under
 * their id, gone when they sign out, and forgotten after two weeks.
 */

import { forgetStored } from './device-storage.ts'

type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const prefix = 'lanternist:draft:'
const longestMs = 14 * 24 * 3_600_000

export type KeptDraft = { readonly keptAtMs: number; readonly content: unknown }

/** False where the device has no room or keeps nothing. */
export function keepDraft(
  name: string,
  content: unknown,
  { nowMs = Date.now(), storage = deviceStorage } = {},
): boolean {
  try {
    storage().setItem(prefix + name, JSON.stringify({ keptAtMs: nowMs, content }))
    return true
  } catch {
    // Storage can be full or switched off; then the work lasts as long as the page, as it says.
    return false
  }
}

export function readDraft(
  name: string,
  { nowMs = Date.now(), storage = deviceStorage } = {},
): KeptDraft | null {
  try {
    const kept: unknown = JSON.parse(storage().getItem(prefix + name) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('keptAtMs' in kept)) return null
    const { keptAtMs } = kept
    if (typeof keptAtMs !== 'number' || nowMs - keptAtMs > longestMs) {
      forgetDraft(name, { storage })
      return null
    }
    return { keptAtMs, content: 'content' in kept ? kept.content : null }
  } catch {
    return null
  }
}

export function forgetDraft(name: string, { storage = deviceStorage } = {}) {
  try {
    storage().removeItem(prefix + name)
  } catch {
    // What cannot be reached was not kept either.
  }
}

/** Of everyone who has worked here. */
export function forgetAllDrafts({ storage = deviceStorage } = {}) {
  forgetStored(prefix, storage)
}

function deviceStorage(): BrowserStorage {
  return localStorage
}
