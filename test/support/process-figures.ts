/** Figures of a process on Linux: memory, processor time, open files, children. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

export function residentMb(pid: number): number {
  return memoryMb(pid, 'VmRSS')
}

/** Returns the memory without the pages that it shares with other processes of the same program. */
export function ownMb(pid: number): number {
  return memoryMb(pid, 'RssAnon')
}

/** Returns the peak since the start, or since `forgetPeak`. */
export function peakMb(pid: number): number {
  return memoryMb(pid, 'VmHWM')
}

/** Resets the peak: a start takes more memory than the work after it. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Returns the processor time, from ticks of 10 ms (proc(5)). */
export function cpuMs(pid: number): number {
  const [user = 0, system = 0] = ticksOf(pid)
  return (user + system) * 10
}

/** Returns the processor time with that of its children, including ended ones. */
export function cpuOfTreeMs(pid: number): number {
  const ended = ticksOf(pid).reduce((sum, ticks) => sum + ticks, 0) * 10
  return childrenOf(pid).reduce((sum, child) => sum + cpuOfTreeMs(child), ended)
}

/** Returns its own ticks in user and system mode, then those of its ended children. */
function ticksOf(pid: number): number[] {
  const fields = procFile(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).map(Number)
}

/**
 * Returns the exact time of its first thread, which is the only one in PostgreSQL's processes (proc(5),
 * schedstat).
 */
export function cpuNs(pid: number): number {
  return Number(procFile(pid, 'schedstat').split(' ')[0] ?? 0)
}

export function childrenOf(pid: number): number[] {
  return procFile(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

/** Returns the number of open files, sockets and pipes. */
export function openHandles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

function memoryMb(pid: number, name: 'VmRSS' | 'VmHWM' | 'RssAnon'): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(procFile(pid, 'status'))
  return Number(found?.[1] ?? 0) / 1024
}

/** Returns an empty text if the process has ended. */
function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
