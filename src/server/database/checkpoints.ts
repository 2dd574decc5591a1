/**
 * PGlite has no background process for checkpoints. Without them its log would grow until a clean stop,
 * and a start after a kill would replay everything since the last one.
 */
import type { PGlite } from '@electric-sql/pglite'

const lookEveryMs = 3000
// About a tenth of a second to write, and no longer to replay.
const enoughBytes = 16 * 1_048_576

export type Checkpoints = { end(): Promise<void> }

export function makeCheckpoints(pglite: PGlite, everyMs = lookEveryMs): Checkpoints {
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    // If a checkpoint fails, the statements of requests fail too and report the reason.
    running ??= checkpointIfDue(pglite)
      .catch(() => {})
      .finally(() => (running = null))
  }, everyMs)
  timer.unref()
  return {
    async end() {
      clearInterval(timer)
      await running
    },
  }
}

async function checkpointIfDue(pglite: PGlite): Promise<void> {
  const { rows } = await pglite.query<{ isDue: boolean }>(
    `select pg_current_wal_lsn() - redo_lsn >= ${enoughBytes} as "isDue" from pg_control_checkpoint()`,
  )
  if (rows[0]?.isDue) await pglite.exec('checkpoint')
}
