/**
 * Ends a node on a signal, and in time: whatever hangs, be it a database or a job, the process ends.
 * What it leaves undone is found by other nodes, as if it had been killed.
 */
import type { RunningNode } from './node.ts'
import { stopDeadlineMs } from './node.ts'

export function stopOnSignal(node: RunningNode): void {
  const { log } = node.ctx
  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
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
