/**
 * The real service as a process of its own, as `npm start` runs it: for what only a process shows,
 * which is how it starts, what it prints, how it ends, and what is left when it is killed.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildServerIfStale } from '../../scripts/build-server.ts'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { limitPolicies } from '../../src/contract/limits.ts'
import { createCookieJar, fetchWithCookies } from './cookie-jar.ts'
import { childrenOf, cpuMs } from './process-figures.ts'

export type Ending = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

export type ServiceProcess = {
  readonly pid: number
  /** Its working folder, with `data` in it unless DATA_DIR says otherwise. */
  readonly folder: string
  /** Where it listens, once `ready` has resolved. */
  readonly url: string
  readonly stdout: string
  readonly stderr: string
  readonly isRunning: boolean
  readonly ended: Promise<Ending>
  /** Resolves when /readyz says so; rejects with what the process said where it ends before that. */
  ready(): Promise<void>
  /** SIGTERM, and waits for the end. */
  stop(): Promise<Ending>
  /** kill -9, and waits for the end. */
  kill(): Promise<Ending>
}

export type ServiceOptions = {
  /** A working folder that outlives the process; else it has one of its own, removed at the end. */
  folder?: string
  /** Another program than the service as it is shipped: a whole path, or one from the repository's root. */
  program?: string
  /** What stands behind the program: '--role', 'worker'. */
  words?: readonly string[]
}

/** Settings that turn every rate limit off. */
export const unlimited: Readonly<Record<string, string>> = Object.fromEntries(
  limitPolicies.map((policy) => [`RATE_LIMIT_${policy.toUpperCase()}`, 'off']),
)

const repository = resolve(import.meta.dirname, '../..')
const readyTimeoutMs = 180_000
const quietForMs = 200
const stopTimeoutMs = 40_000
const running = new Set<ServiceProcess>()

let building: Promise<unknown> | undefined

/** The service as it is shipped. */
export async function builtServer(): Promise<string> {
  await (building ??= buildServerIfStale({ print: () => {} }))
  return join(repository, 'dist/server/main.js')
}

/** Starts it and waits until it is ready. */
export async function startService(
  settings: Record<string, string> = {},
  options: ServiceOptions = {},
): Promise<ServiceProcess> {
  const service = await launchService(settings, options)
  await service.ready()
  return service
}

/** Starts it and waits for nothing. It sees these settings and nothing of our environment. */
export async function launchService(
  settings: Record<string, string> = {},
  options: ServiceOptions = {},
): Promise<ServiceProcess> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'lanternist-service-')))
  const program = resolve(repository, options.program ?? (await builtServer()))
  const child = spawn(nodeBinary(), [program, ...(options.words ?? [])], {
    cwd: folder,
    // Port 0 lets the system choose: a port found free beforehand could be gone by now. The demo
    // feed paints from the start on, which would take the processor from the other tests. So would a sync
    // of each commit from the disk: only tests of a power cut turn it on.
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOST: '127.0.0.1',
      PORT: '0',
      FEED: 'off',
      EMBEDDED_SYNC: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A terminal's Ctrl-C is for us, and we end it.
    detached: true,
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => void (said.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (said.stderr += chunk.toString()))
  // 'close' and not 'exit': by then all that it said has been read.
  const closed = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  const pid = child.pid
  if (pid === undefined) throw new Error('the service could not be started')
  endWithUs(pid, closed)
  const signalled = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return within(stopTimeoutMs, closed, () => `${signal} did not end it:\n${saidBy(service)}`)
  }
  const service: ServiceProcess = {
    pid,
    folder,
    get url() {
      return urlIn(said.stdout) ?? ''
    },
    get stdout() {
      return said.stdout
    },
    get stderr() {
      return said.stderr
    },
    get isRunning() {
      return running.has(service)
    },
    ended: closed.then(async (ending) => {
      running.delete(service)
      if (!options.folder) await rm(folder, { recursive: true, force: true })
      return ending
    }),
    ready: () => untilReady(service),
    stop: () => signalled('SIGTERM').then(() => service.ended),
    kill: () => signalled('SIGKILL').then(() => service.ended),
  }
  running.add(service)
  return service
}

/** Starts a service that must refuse; returns the one line that it prints. */
export async function refusedStart(settings: Record<string, string>): Promise<string> {
  const service = await launchService(settings)
  const ending = await service.ready().then(
    () => null,
    () => service.ended,
  )
  if (ending?.code !== 1 || !/^.*\S.*\n$/.test(service.stderr))
    throw new Error(`expected a refusal in one line: ${JSON.stringify(ending)}\n${saidBy(service)}`)
  return service.stderr.trimEnd()
}

/** The cookie of one of the development accounts, signed in. */
export async function devCookie({ url }: ServiceProcess, account = 1): Promise<string> {
  const response = await fetch(`${url}/api/dev-login?account=${account}`, { redirect: 'manual' })
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** One of the development accounts, signed in. */
export async function devClient({ url }: ServiceProcess, account = 1) {
  const fetchSignedIn = fetchWithCookies(createCookieJar())
  await fetchSignedIn(`${url}/api/dev-login?account=${account}`)
  return createClient(api, { baseUrl: url, fetch: fetchSignedIn })
}

/** Until it has hardly worked for half a second, jobs and video processes included; a minute at most. */
export async function untilQuiet(service: ServiceProcess): Promise<void> {
  const { pid } = service
  for (let rounds = 0; rounds < 300 && service.isRunning; rounds += 1) {
    const before = cpuMs(pid)
    await sleep(quietForMs)
    if (cpuMs(pid) - before < quietForMs / 10 && childrenOf(pid).length === 0) return
  }
}

/** Kills whatever still runs; for `afterAll` and `finally`. */
export async function endServices(): Promise<void> {
  await Promise.all([...running].map((service) => service.kill()))
}

/** The Node that the project pins, where it is installed. */
function nodeBinary(): string {
  const pinned = join(repository, 'node_modules/.bin/node')
  return existsSync(pinned) ? pinned : process.execPath
}

/**
 * A shell that reads from us: its input ends in every way that we can end, killed or not, and then
 * it ends the process. Where the process ends first, the shell goes with it.
 */
export function endWithUs(pid: number, closed: Promise<unknown>): void {
  const script = 'read _; kill -KILL "$1"'
  const guard = spawn('sh', ['-c', script, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // What ends us must not end it first.
    detached: true,
  })
  // It is no reason for us to go on.
  guard.unref()
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  void closed.then(() => guard.kill('SIGKILL'))
}

async function untilReady(service: ServiceProcess): Promise<void> {
  const deadlineMs = performance.now() + readyTimeoutMs
  while (performance.now() < deadlineMs) {
    if (!service.isRunning)
      throw new Error(`the service ended before it was ready:\n${saidBy(service)}`)
    const answer =
      service.url === '' ? null : await fetch(`${service.url}/readyz`).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    await sleep(25)
  }
  throw new Error(`the service did not become ready:\n${saidBy(service)}`)
}

/** From the line that it logs once it is up (LOG_LEVEL info). */
function urlIn(stdout: string): string | undefined {
  return /"url":"(http:[^"]+)".*"Lanternist is up"/.exec(stdout)?.[1]
}

function saidBy({ stdout, stderr }: ServiceProcess): string {
  return `${stdout.slice(-4000)}${stderr.slice(-4000)}`
}

async function within<T>(ms: number, promise: Promise<T>, complaint: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(complaint())), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
