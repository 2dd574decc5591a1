/**
 * Unsaved work, stored on this device until it is saved or discarded. It belongs to one user: it is stored
 * under their id, removed when they sign out, and expires after two weeks.
 */

import { forgetStored } from './device-storage.ts'

type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const prefix = 'lanternist:draft:'
const longestMs = 14 * 24 * 3_600_000

export type KeptDraft = { readonly keptAtMs: number; readonly content: unknown }

/** Returns false when the storage is full or blocked. */
export function keepDraft(
  name: string,
  content: unknown,
  { nowMs = Date.now(), storage = deviceStorage } = {},
): boolean {
  try {
    storage().setItem(prefix + name, JSON.stringify({ keptAtMs: nowMs, content }))
    return true
  } catch {
    // If the storage is full or blocked, the work is lost with the page. The page says so.
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
    // A blocked storage contains no draft.
  }
}

/** Removes the drafts of all users. */
export function forgetAllDrafts({ storage = deviceStorage } = {}) {
  forgetStored(prefix, storage)
}

function deviceStorage(): BrowserStorage {
  return localStorage
}
