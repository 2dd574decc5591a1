/**
 * Which hosts a run need not ask again: of one that keeps silent, each slide would take a worker the
 * whole time that it waits for an answer, and others wait for the worker.
 */
import type { CopyFault } from '../intake/intake.ts'

/** One for each run. */
export type SilentHosts = {
  has(url: string): boolean
  /** How asking has ended: with a fault, or well. */
  note(url: string, fault: CopyFault | null): void
}

const mostSilences = 3

export function createSilentHosts(): SilentHosts {
  const silences = new Map<string, number>()
  return {
    has: (url) => (silences.get(hostOf(url)) ?? 0) >= mostSilences,
    note(url, fault) {
      const host = hostOf(url)
      const isSilent = fault === 'unreachable' || fault === 'too-slow'
      // In a row: a host that answers in between has other slides to give.
      silences.set(host, isSilent ? (silences.get(host) ?? 0) + 1 : 0)
    },
  }
}

/** Nothing for files of ours, which are never silent. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}
