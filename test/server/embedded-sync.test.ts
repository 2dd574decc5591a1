/**
 * EMBEDDED_SYNC: the moment when a commit of the embedded database is on the disk, seen in its system
 * calls.
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { losePower } from '../support/lose-power.ts'
import { endServices, startService, unlimited } from '../support/service-process.ts'
import { checkJournal, createJournal, writeUntilGone } from '../support/write-journal.ts'

const program = resolve(import.meta.dirname, '../support/committing-process.ts')
let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'lanternist-sync-'))
})
afterAll(async () => {
  await endServices()
  await rm(root, { recursive: true, force: true })
})

const watch = ['-f', '-y', '-s', '24', '-e', 'trace=fsync,fdatasync,write,pwrite64']

/**
 * Returns the system calls from the first acknowledgement on, as letters: Write-ahead log, Sync,
 * Acknowledged.
 */
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
    skip('strace is not installed')
  }
  const on = await traceCommits('on')
  expect(on.slice(0, on.lastIndexOf('A') + 1)).toMatch(/^(W+S+A){19}$/)
  const off = await traceCommits('off')
  expect(off.slice(0, off.lastIndexOf('A') + 1)).toMatch(/^(W+A){19}$/)
})

test('acknowledged writes survive a loss of power', { timeout: 600_000 }, async () => {
  const disk = join(root, 'disk')
  mkdirSync(disk)
  const dataDir = join(root, 'powered')
  // The default, as on a site that does not set it.
  const settings = { ...unlimited, DATA_DIR: dataDir, EMBEDDED_SYNC: '', DISK: disk }
  const options = { folder: root, program: 'test/support/powered-service.ts' }
  const service = await startService(settings, options)
  const journal = createJournal()
  const writing = writeUntilGone(service.url, journal, { clients: 2, label: 'p' })
  await expect.poll(() => journal.writes, { timeout: 120_000 }).toBeGreaterThan(20)
  await service.kill()
  await writing
  losePower(dataDir, disk)
  const again = await startService(settings, options)
  expect(await checkJournal(again.url, journal, 'p')).toBeGreaterThan(0)
  await again.stop()
})
