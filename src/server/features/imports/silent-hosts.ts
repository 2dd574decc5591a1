/**
 * Remembers servers that do not answer within a run. Otherwise each of their slides would block a worker
 * until the timeout.
 */
import type { CopyFault } from '../intake/intake.ts'

/** The state of one run. */
export type SilentHosts = {
  has(url: string): boolean
  /** Records the result of a request: a fault, or null for success. */
  note(url: string, fault: CopyFault | null): void
}

const maxSilences = 3

export function createSilentHosts(): SilentHosts {
  const silences = new Map<string, number>()
  return {
    has: (url) => (silences.get(hostOf(url)) ?? 0) >= maxSilences,
    note(url, fault) {
      const host = hostOf(url)
      const isSilent = fault === 'unreachable' || fault === 'too-slow'
      // Counts failures in a row: a server that answers in between can deliver more slides.
      silences.set(host, isSilent ? (silences.get(host) ?? 0) + 1 : 0)
    },
  }
}

/** Returns '' for our own files, which always answer. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}
