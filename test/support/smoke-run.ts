/** Runs one of the project's commands with `--smoke` as a process, and reads its report. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export async function runSmoke(
  program: string,
  file: string,
): Promise<{ code: number | null; said: string; report: unknown }> {
  const path = resolve(root, '.cache', file)
  await rm(path, { force: true })
  const child = spawn(process.execPath, [resolve(root, program), '--smoke'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said, report: JSON.parse(await readFile(path, 'utf8')) }
}
