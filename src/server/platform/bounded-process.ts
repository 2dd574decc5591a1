/**
 * A child process of our own program with limits on memory and processor time. It works on untrusted data.
 * The parent watches it: while the child processes a large table, it cannot check itself.
 */
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Bounds = {
  /** The memory of the whole process. Node itself uses 85 MB of it. */
  readonly memoryBytes: number
  /** Processor time. Waiting for a processor on a busy machine does not count. */
  readonly workMs: number
}

const checkMs = 20

export function forkBounded(
  program: URL,
  { heapMegabytes, stdio }: { readonly heapMegabytes: number; readonly stdio: StdioOptions },
): ChildProcess {
  return fork(fileURLToPath(program), [], {
    serialization: 'advanced',
    // No secrets of the service, and no NODE_OPTIONS.
    env: {},
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    stdio,
  })
}

/** Watches a process: calls `exceeded` when it exceeds its bounds from now on. Returns the stop function. */
export function watchProcess(
  pid: number | undefined,
  max: () => Bounds,
  exceeded: (what: keyof Bounds) => void,
): () => void {
  const workedBeforeMs = workedMs(pid)
  const timer = setInterval(() => {
    const { memoryBytes, workMs } = max()
    if (residentBytes(pid) > memoryBytes) exceeded('memoryBytes')
    if (workedMs(pid) - workedBeforeMs > workMs) exceeded('workMs')
  }, checkMs)
  return () => clearInterval(timer)
}

/** Reads the resident memory on Linux. Elsewhere only the heap limit applies. */
function residentBytes(pid: number | undefined): number {
  try {
    const [, kilobytes] =
      /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}

/** Reads the processor time, which Linux counts in ticks of 10 ms (proc(5)). */
function workedMs(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}
