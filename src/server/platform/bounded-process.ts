/**
 * A process of our own program with bounds on its memory and its processor time, for work on what
 * strangers send. It is watched from outside: while it works through a large table it cannot look at
 * itself.
 */
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Bounds = {
  /** Of the whole process, of which Node itself is 85 MB. */
  readonly memoryBytes: number
  /** Of the processor: a process that waits for one on a busy machine has not worked. */
  readonly workMs: number
}

const checkMs = 20

export function forkBounded(
  program: URL,
  { heapMegabytes, stdio }: { readonly heapMegabytes: number; readonly stdio: StdioOptions },
): ChildProcess {
  return fork(fileURLToPath(program), [], {
    serialization: 'advanced',
    // No secret of the service, and no option of its own that would not fit.
    env: {},
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    stdio,
  })
}

/** Tells when a process takes more than it may, counted from now on. Returns what ends the watch. */
export function watchProcess(
  pid: number | undefined,
  most: () => Bounds,
  exceeded: (what: keyof Bounds) => void,
): () => void {
  const workedBeforeMs = workedMs(pid)
  const timer = setInterval(() => {
    const { memoryBytes, workMs } = most()
    if (residentBytes(pid) > memoryBytes) exceeded('memoryBytes')
    if (workedMs(pid) - workedBeforeMs > workMs) exceeded('workMs')
  }, checkMs)
  return () => clearInterval(timer)
}

/** As Linux tells it; elsewhere the heap's limit is all there is. */
function residentBytes(pid: number | undefined): number {
  try {
    const [, kilobytes] =
      /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}

/** In ticks of 10 ms (proc(5)). */
function workedMs(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}
