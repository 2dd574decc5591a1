/** What Linux tells of a process: its memory, its processor time, its open files, its children. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

export function residentMb(pid: number): number {
  return memoryMb(pid, 'VmRSS')
}

/** Without what it shares with others that run the same program. */
export function ownMb(pid: number): number {
  return memoryMb(pid, 'RssAnon')
}

/** The most since it began, or since `forgetPeak`. */
export function peakMb(pid: number): number {
  return memoryMb(pid, 'VmHWM')
}

/** A start takes more memory than what follows it: from here on the most is counted anew. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** In ticks of 10 ms (proc(5)). */
export function cpuMs(pid: number): number {
  const [user = 0, system = 0] = ticksOf(pid)
  return (user + system) * 10
}

/** With its children and what those of them have used that have ended. */
export function cpuOfTreeMs(pid: number): number {
  const ended = ticksOf(pid).reduce((sum, ticks) => sum + ticks, 0) * 10
  return childrenOf(pid).reduce((sum, child) => sum + cpuOfTreeMs(child), ended)
}

/** Of itself in user and system mode, then of its ended children. */
function ticksOf(pid: number): number[] {
  const fields = procFile(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).map(Number)
}

/** Exact, of its first thread: what PostgreSQL's processes have (proc(5), schedstat). */
export function cpuNs(pid: number): number {
  return Number(procFile(pid, 'schedstat').split(' ')[0] ?? 0)
}

export function childrenOf(pid: number): number[] {
  return procFile(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

/** Files, sockets and pipes that it holds open. */
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

/** Empty where the process has ended meanwhile. */
function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
