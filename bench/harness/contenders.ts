/** The contenders, each started the same way: as a separate process on loopback. */
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { limitPolicies } from '../../src/contract/limits.ts'
import { heapFlags } from '../../src/server/platform/re-exec.ts'
import { reasonOf } from '../../src/server/platform/start-error.ts'
import { freePort } from '../../test/support/free-port.ts'
import type { Notes } from './journal.ts'
import { sessionSecret } from './people.ts'

export const contenderNames = ['raw', 'ours', 'conventional'] as const

export type ContenderName = (typeof contenderNames)[number]

export type Contender = {
  readonly name: ContenderName
  readonly url: string
  /** The processor time that the process has used so far: all threads, user and system. */
  readonly cpuSeconds: () => Promise<number>
  readonly stop: () => Promise<void>
}

type Program = { readonly script: string; readonly words?: readonly string[] }

/** The variants of ours that benchmarks use. */
const formsOfOurs = {
  shipped: { script: '../../dist/server/main.js' },
  /** Adds jobs to the queue and runs none: the other contenders have no worker. */
  'without workers': { script: '../../dist/server/main.js', words: ['--role', 'web'] },
  'with spend': { script: '../contenders/ours-with-spend.ts' },
} satisfies Record<string, Program>

export type FormOfOurs = keyof typeof formsOfOurs

const others: Readonly<Record<Exclude<ContenderName, 'ours'>, Program>> = {
  raw: { script: '../contenders/raw.ts' },
  conventional: { script: '../contenders/express.ts' },
}

const startTimeoutMs = 30_000
const stopTimeoutMs = 30_000

/** The database and the working folder. The folder is not the repository, whose `.env` would affect ours. */
export type Place = { readonly databaseUrl: string; readonly folder: string }

/** Starts the contenders beside ours. One that cannot run is noted with its reason. */
export async function startOthers(
  place: Place,
  missing: ReadonlyMap<ContenderName, string>,
  notes: Notes,
): Promise<Contender[]> {
  const started: Contender[] = []
  for (const name of contenderNames.filter((name) => name !== 'ours')) {
    const reason = missing.get(name)
    if (reason !== undefined) {
      notes.leftOut(`${name}: ${reason}`)
      continue
    }
    try {
      started.push(await startContender(name, place))
    } catch (error) {
      notes.failed(reasonOf(error))
    }
  }
  return started
}

export async function startContender(
  name: ContenderName,
  place: Place,
  form: FormOfOurs = 'shipped',
): Promise<Contender> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { script, words = [] }: Program = name === 'ours' ? formsOfOurs[form] : others[name]
  const child = fork(pathOf(script), words, {
    cwd: place.folder,
    execArgv: [
      ...(name === 'ours' ? heapFlags : []),
      '--import',
      new URL('report-usage.ts', import.meta.url).href,
    ],
    env: settingsOf({ ...place, port, url }),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const complaints: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints.push(text)
    if (complaints.length > 50) complaints.shift()
  })
  const stop = () => end(child)
  try {
    await untilListening(child, url)
  } catch (error) {
    await stop()
    throw new Error(`${name} did not start: ${complaints.join('')}`, { cause: error })
  }
  return { name, url, cpuSeconds: () => askCpuSeconds(child), stop }
}

/** Returns the same environment for all. Raw and conventional read five of these and ignore the others. */
function settingsOf(place: Place & { port: number; url: string }) {
  const limits = limitPolicies.map((policy) => [`RATE_LIMIT_${policy.toUpperCase()}`, 'off'])
  return {
    ...Object.fromEntries(limits),
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(place.port),
    BASE_URL: place.url,
    DATABASE_URL: place.databaseUrl,
    DATA_DIR: place.folder,
    SESSION_SECRET: sessionSecret,
    LOG_LEVEL: 'warn',
    // Without this, ours would re-exec and lose its channel to the harness. The other settings of the
    // re-exec are set here and in `execArgv`.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '1048576',
  }
}

async function untilListening(child: ChildProcess, url: string): Promise<void> {
  const deadlineMs = performance.now() + startTimeoutMs
  while (performance.now() < deadlineMs) {
    if (hasEnded(child)) throw new Error('it ended')
    const answer = await fetch(url).catch(() => null)
    await answer?.body?.cancel()
    if (answer) return
    await sleep(100)
  }
  throw new Error(`no answer within ${startTimeoutMs} ms`)
}

async function askCpuSeconds(child: ChildProcess): Promise<number> {
  const reply = once(child, 'message')
  child.send('usage')
  // The message of report-usage.ts, whose type is `any`.
  const [{ user, system }] = (await reply) as [NodeJS.CpuUsage]
  return (user + system) / 1_000_000
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const overdue = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  await ended
  clearTimeout(overdue)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
