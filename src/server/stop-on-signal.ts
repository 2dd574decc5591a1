/**
 * Stops a node on a signal within a time limit. Even if a database or a job hangs, the process ends. Other
 * nodes take over its unfinished work, as if it had been killed.
 */
import { spawn } from 'node:child_process'
import type { RunningNode } from './node.ts'
import { stopDeadlineMs } from './node.ts'

const killMs = stopDeadlineMs + 2_000

export function stopOnSignal(node: RunningNode): void {
  const { log } = node.ctx
  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    endForSure()
    log.info({ event: 'stopping', signal }, 'stopping')
    setTimeout(() => {
      log.error({ event: 'stop_forced' }, 'shutdown took too long, exiting with work unfinished')
      process.exit(1)
    }, stopDeadlineMs)
    try {
      await node.stop()
    } catch (error) {
      log.error({ event: 'stop_failed', err: error }, 'shutdown failed')
      process.exit(1)
    }
    log.info({ event: 'stopped' }, 'stopped')
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
}

/**
 * Starts a watchdog process that kills this one. An exit waits for every thread, and forever for one that
 * reads from a lost disk or writes to a blocked log; our timers do not run then. The watchdog ends with
 * this process because its input closes, so it never kills another process that got the same id.
 */
function endForSure(): void {
  const script = `
    process.stdin.once('close', () => process.exit()).resume()
    setTimeout(() => process.kill(${process.pid}, 'SIGKILL'), ${killMs})`
  const looker = spawn(process.execPath, ['--eval', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A signal to our process group must not end the watchdog.
    detached: true,
    env: {},
  })
  // If the system cannot start another process, the stop continues without it.
  looker.on('error', () => {})
  looker.unref()
}
