/** A thousand screens in a hundred rooms, as plain connections, on one node or on two. */
import { randomUUID } from 'node:crypto'
import { Agent, get } from 'node:http'
import type { ClientRequest } from 'node:http'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { createCookieJar, fetchWithCookies } from '../../test/support/cookie-jar.ts'
import { cpuMs, residentMb } from '../../test/support/process-figures.ts'
import type { ServiceProcess } from '../../test/support/service-process.ts'
import { startService, unlimited } from '../../test/support/service-process.ts'
import type { ClientOptions } from '../harness/goals.ts'

const rooms = 100
const screensOfRoom = 10
const commandsOfRoom = 5
const idleMs = 20_000
const firstPauseMs = 200
const longestPauseMs = 2000
const lateMs = 120_000

type Options = ClientOptions & { readonly nodes: 1 | 2 }

export async function measureCrowd(options: Options): Promise<void> {
  const { nodes, soakMinutes, scale, databases, progress, found } = options
  const services: ServiceProcess[] = []
  const benchmark = `rooms, ${nodes === 1 ? 'one node' : 'two nodes'}`
  try {
    const settings = {
      ...unlimited,
      LOG_LEVEL: 'info',
      DATABASE_URL: await databases.create(`rooms_${nodes}`),
      SESSION_SECRET: randomUUID(),
    }
    for (let node = 0; node < nodes; node += 1) services.push(await startService(settings))
    progress(`${benchmark}: a thousand screens\n`)
    const host = await openRooms(services[0]?.url ?? '', scale(rooms, 2))
    const crowd = createCrowd(
      services.map(({ url }) => url),
      scale(screensOfRoom, 2),
    )
    for (const [place, code] of host.codes.entries()) crowd.join(code, place)
    await until(() => crowd.isInStep(1))
    const restMs = scale(idleMs, 100)
    const idle = await cpuDuring(services, () => sleep(restMs))
    const times: number[] = []
    const busy = await cpuDuring(services, async () => {
      for (let round = 1; round <= scale(commandsOfRoom, 1); round += 1)
        for (const code of host.codes) times.push(await timeCommand(host, crowd, code))
    })
    const sorted = times.toSorted((one, other) => one - other)
    const told = times.length * crowd.screensOfRoom
    found({ benchmark, what: 'command to last screen', unit: 'ms', goal: 100 }, times)
    found({ benchmark, what: 'the same, p99', unit: 'ms', goal: 250 }, [
      sorted[Math.floor(sorted.length * 0.99)] ?? NaN,
    ])
    found({ benchmark, what: 'processor of an idle screen', unit: 'ms/s', goal: 0.5 }, [
      idle / (restMs / 1000) / (host.codes.length * crowd.screensOfRoom),
    ])
    found({ benchmark, what: 'processor of a told screen', unit: 'ms', goal: 2 }, [busy / told])
    const stage = { services, host, crowd }
    if (soakMinutes > 0) await soak(benchmark, options, stage)
    if (nodes === 2) await killOne(benchmark, options, stage)
    await endAll(benchmark, options, stage)
    crowd.leave()
  } finally {
    for (const service of services) if (service.isRunning) await service.kill()
  }
}

type Host = Awaited<ReturnType<typeof openRooms>>
type Crowd = ReturnType<typeof createCrowd>
type Stage = { readonly services: ServiceProcess[]; readonly host: Host; readonly crowd: Crowd }

async function openRooms(url: string, rooms: number) {
  const client = createClient(api, { baseUrl: url, fetch: fetchWithCookies(createCookieJar()) })
  await client.accounts.register({
    body: { email: 'ana@example.test', password: 'a long enough password' },
  })
  const slides = Array.from({ length: 25 }, (_, number) => ({
    mediaUrl: `https://example.org/${number}.jpg`,
  }))
  const { session } = await client.sessions.createManual({ body: { title: 'Crowd', slides } })
  const codes: string[] = []
  for (let room = 0; room < rooms; room += 1)
    codes.push((await client.rooms.open({ body: { sessionId: session.id, loop: true } })).room.code)
  return { client, codes, sessionId: session.id }
}

/** Creates screens that reconnect by themselves to any running node. */
function createCrowd(urls: string[], screensOfRoom: number) {
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity })
  const seen = new Map<string, number[]>()
  const ended = new Set<string>()
  const waiting = new Set<() => void>()
  const open = new Set<ClientRequest>()
  let alive = urls
  let hasLeft = false

  function join(code: string, place: number): void {
    seen.set(
      code,
      Array.from({ length: screensOfRoom }, () => 0),
    )
    for (let screen = 0; screen < screensOfRoom; screen += 1) follow(code, screen, place, 0)
  }

  function follow(code: string, screen: number, place: number, failures: number): void {
    const url = alive[screen % alive.length] ?? ''
    const sequences = seen.get(code) ?? []
    let text = ''
    let wasOpen = false
    // Addresses as a proxy reports them: each address has a rate limit.
    const headers = {
      'x-forwarded-for': `10.1.${place}.${screen}`,
      ...(sequences[screen] ? { 'last-event-id': String(sequences[screen]) } : {}),
    }
    const again = () => {
      open.delete(request)
      if (hasLeft || ended.has(`${code} ${screen}`)) return
      const tries = wasOpen ? 0 : failures + 1
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** tries)
      setTimeout(() => follow(code, screen, place, tries), pauseMs * (0.5 + Math.random() / 2))
    }
    const request = get(`${url}/api/rooms/${code}/events`, { agent, headers }, (response) => {
      wasOpen = response.statusCode === 200
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        const frames = text.split('\n\n')
        text = frames.pop() ?? ''
        for (const frame of frames) {
          const [, id] = /^id: (\d+)/.exec(frame) ?? []
          if (id === undefined) continue
          sequences[screen] = Number(id)
          if (frame.includes('"status":"ended"')) ended.add(`${code} ${screen}`)
          for (const look of waiting) look()
        }
      })
      response.once('close', again)
    })
    request.once('error', () => {
      if (!wasOpen) again()
    })
    open.add(request)
  }

  return {
    screensOfRoom,
    join,
    /** Sends all connections to these nodes from now on. */
    useOnly: (left: string[]) => void (alive = left),
    hasEnded: () => ended.size === seen.size * screensOfRoom,
    isInStep: (sequence: number) =>
      [...seen.values()].every((screens) => screens.every((heard) => heard >= sequence)),
    untilHeard(code: string, sequence: number): Promise<void> {
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('a screen heard nothing')), lateMs)
        const look = () => {
          if (!seen.get(code)?.every((heard) => heard >= sequence)) return
          waiting.delete(look)
          clearTimeout(late)
          resolve()
        }
        waiting.add(look)
        look()
      })
    },
    leave(): void {
      hasLeft = true
      for (const request of open) request.destroy()
    },
  }
}

async function timeCommand({ client }: Host, crowd: Crowd, code: string): Promise<number> {
  const startedMs = performance.now()
  const { state } = await client.rooms.command({ params: { code }, body: { command: 'next' } })
  await crowd.untilHeard(code, state.sequence)
  return performance.now() - startedMs
}

/** Kills the second node, which has only screens. Every screen must receive the next event from the first. */
async function killOne(
  benchmark: string,
  { found }: Options,
  { services, host, crowd }: Stage,
): Promise<void> {
  const [kept, killed] = services
  crowd.useOnly([kept?.url ?? ''])
  const startedMs = performance.now()
  await killed?.kill()
  await Promise.all(host.codes.map((code) => timeCommand(host, crowd, code)))
  const backMs = performance.now() - startedMs
  found({ benchmark, what: 'all in step after a kill', unit: 's', goal: 5 }, [backMs / 1000])
}

/** Deletes the session that all rooms play: every room ends, and every screen is notified. */
async function endAll(
  benchmark: string,
  { found }: Options,
  { host, crowd }: Stage,
): Promise<void> {
  const startedMs = performance.now()
  await host.client.sessions.remove({ params: { id: String(host.sessionId) } })
  await until(crowd.hasEnded)
  const toldMs = performance.now() - startedMs
  found({ benchmark, what: 'session deleted to the last screen', unit: 'ms', goal: 1000 }, [toldMs])
}

/**
 * Measures memory growth from the second quarter to the last. The first quarter includes the memory that is
 * needed to run at all.
 */
async function soak(
  benchmark: string,
  { soakMinutes, progress, found }: Options,
  { services, host, crowd }: Stage,
): Promise<void> {
  const beganMs = performance.now()
  const quarters: [number[], number[], number[], number[]] = [[], [], [], []]
  let toldMinute = 0
  for (;;) {
    const minute = (performance.now() - beganMs) / 60_000
    if (minute >= soakMinutes) break
    for (const code of host.codes) await timeCommand(host, crowd, code)
    const takenMb = services.reduce((sum, { pid }) => sum + residentMb(pid), 0)
    quarters[Math.floor((minute / soakMinutes) * 4)]?.push(takenMb)
    if (minute >= toldMinute) {
      progress(`${benchmark}: ${Math.round(takenMb)} MB after ${toldMinute} min\n`)
      toldMinute += 5
    }
    await sleep(2000)
  }
  const [, second, , last] = quarters
  const growth = { benchmark, what: `growth in ${soakMinutes} min`, unit: 'MB', goal: 30 }
  found(growth, [mean(last) - mean(second)])
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length
}

async function cpuDuring(services: ServiceProcess[], work: () => Promise<unknown>) {
  const spent = () => services.reduce((sum, { pid }) => sum + cpuMs(pid), 0)
  const before = spent()
  await work()
  return spent() - before
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + lateMs
  while (!isTrue()) {
    if (performance.now() > deadlineMs) throw new Error('the screens did not come')
    await sleep(5)
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
