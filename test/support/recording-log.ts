/** A log that a test can read. */
import type { OutageLog } from '../../src/server/platform/outage-log.ts'
import type { Log } from '../../src/server/platform/log.ts'
import { createLog } from '../../src/server/platform/log.ts'

export function recordingLog(): OutageLog & { lines: string[]; count(message: string): number } {
  const lines: string[] = []
  return {
    lines,
    warn: (_, message) => void lines.push(message),
    info: (_, message) => void lines.push(message),
    count: (message) => lines.filter((line) => line === message).length,
  }
}

/** Returns a log for a whole service, at every level, and its lines. */
export function recordingWorldLog(): { log: Log; lines: string[] } {
  const lines: string[] = []
  return { lines, log: createLog('trace', { write: (line) => void lines.push(line) }) }
}
