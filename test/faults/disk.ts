/**
 * A full disk, and a disk whose fsync fails. Requests get the contract's refusals, nothing half-written
 * is visible, nothing is charged, and the service recovers with the disk. Needs root, for a small file
 * system, and strace.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { Caller, Timed } from '../support/outage-stage.ts'
import { grantCredits, registerCaller, summary } from '../support/outage-stage.ts'
import { dataUri, noise } from '../support/pictures.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { startService } from '../support/service-process.ts'

const diskMb = 24
const calls = 12
const atOnce = 4

export const row: FaultRow = {
  budgetSeconds: 180,
  runs: 'in the table',
  machine: 'waiting',
  shortTests: ['test/api/full-disk.test.ts', 'test/platform/storage-fs.test.ts'],
  mutant: {
    file: 'src/server/platform/storage/file-storage.ts',
    line: "const fullCodes = new Set(['ENOSPC', 'EDQUOT'])",
    becomes: 'const fullCodes = new Set([])',
  },
  checks: [
    {
      load: `uploads and paid pictures on a full disk of ${diskMb} MB`,
      goal: '503, no half file, no charge, well again when there is room',
      run: (tools) => onDisk(tools, fillDisk, ({ status }) => status === 503),
    },
    {
      load: 'uploads and paid pictures while fsync answers EIO',
      goal: '503, or the 500 that uploads name, no half file, no charge, well again',
      run: (tools) => onDisk(tools, breakSync, isStorageFailure),
    },
  ],
}

/** Breaks the disk. The returned function repairs it. */
type Harm = (storage: string, service: ServiceProcess) => Promise<() => Promise<void>>

function isStorageFailure({ status, body }: Timed): boolean {
  const named = (body ?? {}) as { error?: string }
  return status === 503 || (status === 500 && named.error === 'STORAGE_ERROR')
}

async function onDisk(
  tools: FaultTools,
  harm: Harm,
  isRight: (answer: Timed) => boolean,
): Promise<Verdict> {
  const home = await newServerHome(tools)
  const storage = join(home.dataDir, 'storage')
  mkdirSync(storage, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', storage])
  tools.afterwards(async () => execFileSync('umount', ['-l', storage]))
  const service = await startService({ ...home.settings, CAPTIONS: 'off' }, home)
  tools.afterwards(() => service.kill())
  const ana = await registerCaller(service.url, 'ana')
  await grantCredits(service.url, ana, 100_000)
  const bytes = await noise(600, 400, 'png')
  const before = { files: filesIn(storage), balance: await balanceOf(ana) }
  const heal = await harm(storage, service)
  const during: Timed[] = []
  for (let n = 0; n < calls; n += atOnce)
    during.push(
      ...(await Promise.all(Array.from({ length: atOnce }, (_, k) => keep(ana, bytes, k)))),
    )
  const readable = await ana('/api/user/media')
  await heal()
  await sleep(500)
  const after = { files: filesIn(storage), balance: await balanceOf(ana) }
  const again = [await keep(ana, bytes, 0), await keep(ana, bytes, 1)]
  tools.say(`meanwhile ${summary(during)}; afterwards ${summary(again)}`)
  return verdict(`meanwhile ${summary(during)}; afterwards ${summary(again)}`, {
    'something else was answered': during.every(isRight),
    'a file was left': after.files.length === before.files.length,
    'something was charged': after.balance === before.balance,
    'what is there could not be listed': readable.status === 200,
    'it was not well afterwards': again.every(({ status }) => status === 200),
    'the service ended': service.isRunning,
  })
}

async function fillDisk(storage: string): Promise<() => Promise<void>> {
  const filler = join(storage, 'filler')
  for (let megabytes = diskMb; megabytes > 0; megabytes -= 1)
    try {
      writeFileSync(`${filler}-${megabytes}`, Buffer.alloc(1_048_576, 7))
    } catch {
      break
    }
  // Fills the rest of the last megabyte, page by page.
  for (let page = 0; page < 512; page += 1)
    try {
      writeFileSync(`${filler}-page-${page}`, Buffer.alloc(4096, 7))
    } catch {
      break
    }
  return async () => {
    for (const name of readdirSync(storage))
      if (name.startsWith('filler')) rmSync(join(storage, name))
  }
}

async function breakSync(_: string, service: ServiceProcess): Promise<() => Promise<void>> {
  const tracer = spawn(
    'strace',
    [
      '-f',
      '-qq',
      '-p',
      String(service.pid),
      '-e',
      'trace=fsync,fdatasync',
      '-e',
      'inject=fsync,fdatasync:error=EIO',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = new Promise((resolve) => tracer.once('exit', resolve))
  await sleep(2000)
  assert.equal(tracer.exitCode, null, 'strace could not watch the service')
  return async () => {
    tracer.kill('SIGINT')
    await ended
  }
}

/** Uploads a file, or makes a paid picture whose result is stored. */
function keep(caller: Caller, bytes: Buffer, index: number): Promise<Timed> {
  if (index % 2 === 0) {
    const form = new FormData()
    form.set('file', new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }))
    return caller('/api/media/upload', { method: 'POST', body: form })
  }
  const region = { x: 0.2, y: 0.2, width: 0.5, height: 0.5 }
  const body = { imageUrl: dataUri(bytes), regions: [region], mode: 'blur', strength: 3 }
  return caller('/api/images/censor', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('filler'))
    .map(({ name }) => name)
}

async function balanceOf(caller: Caller): Promise<number> {
  return ((await caller('/api/credits/balance')).body as { balance: number }).balance
}
