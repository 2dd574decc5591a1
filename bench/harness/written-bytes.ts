/** What a process has given the disk to write, with its ended children (proc(5), io). */
import { readFileSync } from 'node:fs'

export function writtenBytes(pid: number): number {
  const io = readFileSync(`/proc/${pid}/io`, 'utf8')
  return Number(/^write_bytes: (\d+)$/m.exec(io)?.[1] ?? 0)
}
