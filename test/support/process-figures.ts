/** What Linux tells of a process: its memory, its processor time, its open files, its children. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

export function residentMb(pid: number): number {
  return memoryMb(pid, 'VmRSS')
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
  const fields = procFile(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
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

function memoryMb(pid: number, name: 'VmRSS' | 'VmHWM'): number {
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
