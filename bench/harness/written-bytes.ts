/** Returns the bytes that a process and its ended children have sent to the disk (proc(5), io). */
import { readFileSync } from 'node:fs'

export function writtenBytes(pid: number): number {
  const io = readFileSync(`/proc/${pid}/io`, 'utf8')
  return Number(/^write_bytes: (\d+)$/m.exec(io)?.[1] ?? 0)
}
