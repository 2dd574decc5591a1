/** Says once that Redis is away, and once that it is back. */
import type { OutageLog } from '../outage-log.ts'

/** Writes one line an outage, or one for each kind of error, however many requests run into it. */
export function outageNotice(log: OutageLog, words: { lost: string; back: string }) {
  const reported = new Set<string>()
  return {
    lost(error: unknown, { kind } = { kind: 'any' }) {
      if (reported.has(kind)) return
      reported.add(kind)
      log.warn({ event: 'redis_away', err: error }, words.lost)
    },
    back() {
      if (reported.size === 0) return
      reported.clear()
      log.info({ event: 'redis_back' }, words.back)
    },
  }
}
