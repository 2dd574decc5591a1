/**
 * Ends a node on a signal, and in time: whatever hangs, be it a database or a job, the process ends.
 * What it leaves undone is found by other nodes, as if it had been killed.
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
      log.error({ event: 'stop_forced' }, 'stopping took too long; something was left undone')
      process.exit(1)
    }, stopDeadlineMs)
    try {
      await node.stop()
    } catch (error) {
      log.error({ event: 'stop_failed', err: error }, 'stopping failed')
      process.exit(1)
    }
    log.info({ event: 'stopped' }, 'stopped')
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
}

/**
 * An exit waits for every thread, and for ever for one that reads from a disk that has gone, or writes
 * a log that nobody reads; no timer of ours runs then. So another process looks on. It goes with us:
 * its input ends when we do, and so it never meets a stranger who has our number.
 */
function endForSure(): void {
  const script = `
    process.stdin.once('close', () => process.exit()).resume()
    setTimeout(() => process.kill(${process.pid}, 'SIGKILL'), ${killMs})`
  const looker = spawn(process.execPath, ['--eval', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A signal to all of us is not meant for it.
    detached: true,
    env: {},
  })
  // Where there is no room for one more process, the stop goes on without it.
  looker.on('error', () => {})
  looker.unref()
}
