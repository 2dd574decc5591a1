/** A log that a test can read back. */
import type { RedisLog } from '../../src/server/platform/redis.ts'

export function recordingLog(): RedisLog & { lines: string[]; count(message: string): number } {
  const lines: string[] = []
  return {
    lines,
    warn: (_, message) => void lines.push(message),
    info: (_, message) => void lines.push(message),
    count: (message) => lines.filter((line) => line === message).length,
  }
}
