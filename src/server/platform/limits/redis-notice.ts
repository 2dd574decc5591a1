/** Logs once when Redis becomes unavailable and once when it is back. */
import type { OutageLog } from '../outage-log.ts'

/** Logs one line per outage, or one per kind of error, however many requests fail. */
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
