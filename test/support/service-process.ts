/**
 * The real service as a process, as `npm start` runs it, to test its start, its output, its end, and its
 * state after a kill.
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
  /** Its working folder, which contains `data` unless DATA_DIR is set. */
  readonly folder: string
  /** Its address, once `ready` has resolved. */
  readonly url: string
  readonly stdout: string
  readonly stderr: string
  readonly isRunning: boolean
  readonly ended: Promise<Ending>
  /** Resolves when /readyz succeeds; rejects with the output if the process ends first. */
  ready(): Promise<void>
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<Ending>
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<Ending>
}

export type ServiceOptions = {
  /** A working folder that outlives the process; by default a temporary one. */
  folder?: string
  /** Another program than the built service: an absolute path, or one relative to the repository. */
  program?: string
  /** Arguments after the program: '--role', 'worker'. */
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

/** Builds the service if necessary and returns its program. */
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

/** Starts it without waiting. It gets these settings and nothing else of our environment. */
export async function launchService(
  settings: Record<string, string> = {},
  options: ServiceOptions = {},
): Promise<ServiceProcess> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'lanternist-service-')))
  const program = resolve(repository, options.program ?? (await builtServer()))
  const child = spawn(nodeBinary(), [program, ...(options.words ?? [])], {
    cwd: folder,
    // Port 0 lets the system choose: a port that was free before could be taken by now. The demo feed paints
    // from the start and would slow the other tests, and so would a sync of each commit: only tests of a
    // power cut turn it on.
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
    // Ctrl-C in a terminal goes only to this process, which ends the service.
    detached: true,
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => void (said.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (said.stderr += chunk.toString()))
  // 'close', not 'exit': by then all output has been read.
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

/** Starts a service that must refuse. Returns the only line that it prints. */
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

/** Signs in a development account and returns its cookie. */
export async function devCookie({ url }: ServiceProcess, account = 1): Promise<string> {
  const response = await fetch(`${url}/api/dev-login?account=${account}`, { redirect: 'manual' })
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** Signs in a development account and returns its client. */
export async function devClient({ url }: ServiceProcess, account = 1) {
  const fetchSignedIn = fetchWithCookies(createCookieJar())
  await fetchSignedIn(`${url}/api/dev-login?account=${account}`)
  return createClient(api, { baseUrl: url, fetch: fetchSignedIn })
}

/** Waits until the process and its children are almost idle, at most a minute. */
export async function untilQuiet(service: ServiceProcess): Promise<void> {
  const { pid } = service
  for (let rounds = 0; rounds < 300 && service.isRunning; rounds += 1) {
    const before = cpuMs(pid)
    await sleep(quietForMs)
    if (cpuMs(pid) - before < quietForMs / 10 && childrenOf(pid).length === 0) return
  }
}

/** Kills all processes that still run; for `afterAll` and `finally`. */
export async function endServices(): Promise<void> {
  await Promise.all([...running].map((service) => service.kill()))
}

/** Returns the Node that the project pins, if it is installed. */
function nodeBinary(): string {
  const pinned = join(repository, 'node_modules/.bin/node')
  return existsSync(pinned) ? pinned : process.execPath
}

/**
 * Starts a shell that kills the process when this process ends. The shell reads from us, and its input closes
 * however we end. If the process ends first, the shell ends too.
 */
export function endWithUs(pid: number, closed: Promise<unknown>): void {
  const script = 'read _; kill -KILL "$1"'
  const guard = spawn('sh', ['-c', script, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A signal to our process group must not end the shell first.
    detached: true,
  })
  // The shell must not keep our process running.
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

/** Reads the address from the line that it logs at its start (LOG_LEVEL info). */
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
