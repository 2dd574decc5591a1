/** EMBEDDED_SYNC: when a commit of the embedded database is on the disk, by what the system sees. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const program = resolve(import.meta.dirname, '../support/committing-process.ts')
let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'lanternist-sync-'))
})
afterAll(async () => {
  await rm(root, { recursive: true, force: true })
})

const watch = ['-f', '-y', '-s', '24', '-e', 'trace=fsync,fdatasync,write,pwrite64']

/** The system's calls from the first acknowledgement on, as letters: Write-ahead log, Sync, Acknowledged. */
async function traceCommits(mode: 'on' | 'off'): Promise<string> {
  const file = join(root, `trace-${mode}`)
  await promisify(execFile)('strace', [...watch, '-o', file, process.execPath, program], {
    env: { PATH: process.env['PATH'], DATA_DIR: join(root, mode), EMBEDDED_SYNC: mode },
  })
  const calls = (await readFile(file, 'utf8')).split('\n').map((line) => {
    if (line.includes('"acknowledged ')) return 'A'
    if (!line.includes('/pg_wal/')) return ''
    return /f(data)?sync\(/.test(line) ? 'S' : 'W'
  })
  return calls.join('').replace(/^[^A]*A/, '')
}

test('with it each acknowledgement follows a sync of what was written; without it none does', async ({
  skip,
}) => {
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' })
  } catch {
    console.info('skipped: strace is not installed')
    skip('no strace')
  }
  const on = await traceCommits('on')
  expect(on.slice(0, on.lastIndexOf('A') + 1)).toMatch(/^(W+S+A){19}$/)
  const off = await traceCommits('off')
  expect(off.slice(0, off.lastIndexOf('A') + 1)).toMatch(/^(W+A){19}$/)
})
