/**
 * Clients that send as slowly as they can: the service disconnects them, and no other client waits for
 * them.
 */
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { devCookie, startService, unlimited } from '../support/service-process.ts'
import { boundary } from '../support/vault-world.ts'

const connections = 500
const defaultSeconds = 60
const droppedSeconds = 30
// Bodies of one account share a memory limit: the last ones start when the first are gone.
const formsDroppedSeconds = 58
const trickleMs = 2000
const maxP99Ms = 500
const probeMs = 100

type Attack = {
  readonly name: string
  readonly withinSeconds: number
  /** Returns the first bytes of each connection. */
  readonly begin: (service: ServiceProcess, cookie: string) => string | Buffer
  /** Returns the bytes that it sends repeatedly. */
  readonly trickle: (round: number) => string
  readonly count: number
}

const head = (path: string, { url }: ServiceProcess, headers: readonly string[]) =>
  [`POST ${path} HTTP/1.1`, `host: ${new URL(url).host}`, ...headers].join('\r\n')

const headerAttack: Attack = {
  name: 'headers',
  withinSeconds: droppedSeconds,
  count: connections,
  begin: (service) => `${head('/api/login', service, [])}\r\n`,
  trickle: (round) => `x-${round}: y\r\n`,
}

const bodyAttack: Attack = {
  name: 'bodies',
  withinSeconds: droppedSeconds,
  count: connections,
  begin: (service) =>
    `${head('/api/login', service, ['content-type: application/json', 'content-length: 900000'])}\r\n\r\n{`,
  trickle: () => ' ',
}

/** Nineteen unfinished pictures of 19 MB, sent by one account. */
const formAttack: Attack = {
  name: 'pictures',
  withinSeconds: formsDroppedSeconds,
  count: 19,
  begin(service, cookie) {
    const type = `content-type: multipart/form-data; boundary=${boundary}`
    const headers = [`cookie: ${cookie}`, type, `content-length: ${19 * 1_048_576}`]
    const part = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n`
    return Buffer.concat([
      Buffer.from(`${head('/api/babecock/upload-babe', service, headers)}\r\n\r\n`),
      Buffer.from(`${part}content-type: image/png\r\n\r\n`),
      Buffer.alloc(18 * 1_048_576, 7),
    ])
  },
  trickle: () => 'x',
}

export const row: FaultRow = {
  budgetSeconds: 300,
  runs: 'in the table',
  shortTests: ['test/http/body-pace.test.ts', 'test/api/large-bodies.test.ts'],
  mutant: {
    file: 'src/server/http/app.ts',
    line: 'const headersTimeoutMs = 20_000',
    becomes: 'const headersTimeoutMs = 0',
  },
  checks: [
    {
      load: `${connections} connections that trickle their headers, ${connections} a body, and ${formAttack.count} unfinished pictures of one account, ${defaultSeconds} s`,
      goal: `dropped within ${droppedSeconds} s (the pictures, which wait for each other, within ${formsDroppedSeconds} s), others’ p99 < ${maxP99Ms} ms`,
      run: attackAtOnce,
    },
  ],
}

async function attackAtOnce({ say }: FaultTools): Promise<Verdict> {
  const service = await startService({ ...unlimited, FEED: 'off', CAPTIONS: 'off' })
  const [attacker, other] = [await devCookie(service, 1), await devCookie(service, 2)]
  say(`before: ${inWords(await probe(service, other, { forMs: 50 * probeMs }))}`)
  const groups = [headerAttack, bodyAttack, formAttack].map((attack) => ({
    attack,
    slow: Array.from({ length: attack.count }, () => attackOnce(service, attacker, attack)),
  }))
  const all = groups.flatMap(({ slow }) => slow)
  // After 5 s all of them have started and none was disconnected yet.
  const picture = sleep(5000).then(() => uploadPicture(service, other, (defaultSeconds - 5) * 1000))
  const others = await probe(service, other, {
    forMs: defaultSeconds * 1000,
    isOver: () => droppedOf(all).length === all.length,
  })
  const pictureMs = await picture
  say(`meanwhile: ${inWords(others)}`)
  say(`a picture of somebody else’s: ${pictureMs === null ? 'no answer' : `${pictureMs} ms`}`)
  const p99Ms = Math.round(others.times[Math.floor(others.times.length * 0.99)] ?? 0)
  const held: Record<string, boolean> = {
    'somebody else was not answered': others.failed === 0 && pictureMs !== null,
    'others waited too long': p99Ms < maxP99Ms,
  }
  const figures = groups.map(({ attack, slow }) => {
    const after = droppedOf(slow)
    held[`not all ${attack.name} were dropped`] = after.length === attack.count
    held[`${attack.name} were dropped too late`] = (after.at(-1) ?? 0) <= attack.withinSeconds
    return `${after.length} ${attack.name} dropped after ${spread(after)} s`
  })
  for (const { socket } of all) socket.destroy()
  return verdict(`${figures.join(', ')}; others’ p99 ${p99Ms} ms`, held)
}

type Slow = ReturnType<typeof attackOnce>

function droppedOf(slow: readonly Slow[]): number[] {
  return slow.flatMap(({ droppedSeconds }) => droppedSeconds() ?? []).toSorted(byNumber)
}

function attackOnce(service: ServiceProcess, cookie: string, { begin, trickle }: Attack) {
  const { hostname, port } = new URL(service.url)
  const socket: Socket = connect(Number(port), hostname)
  const startedMs = performance.now()
  let droppedSeconds: number | null = null
  let round = 0
  const timer = setInterval(() => socket.write(trickle((round += 1))), trickleMs)
  socket
    .on('error', () => {})
    .on('close', () => {
      clearInterval(timer)
      droppedSeconds = (performance.now() - startedMs) / 1000
    })
  // Read the response, so that the end of the connection is seen.
  socket.resume()
  socket.write(begin(service, cookie))
  return { socket, droppedSeconds: () => droppedSeconds }
}

/** Asks for the account again and again. */
async function probe(
  service: ServiceProcess,
  cookie: string,
  { forMs, isOver = () => false }: { forMs: number; isOver?: () => boolean },
) {
  const endMs = performance.now() + forMs
  const times: number[] = []
  let failed = 0
  while (performance.now() < endMs && !isOver()) {
    const startedMs = performance.now()
    const answer = await fetch(`${service.url}/api/auth/user`, {
      headers: { cookie },
      signal: AbortSignal.timeout(10_000),
    }).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.status !== 200) failed += 1
    times.push(performance.now() - startedMs)
    await sleep(probeMs)
  }
  return { times: times.toSorted(byNumber), failed }
}

async function uploadPicture(service: ServiceProcess, cookie: string, forMs: number) {
  const form = new FormData()
  // The bytes are not a picture. The refusal is a sufficient answer: the service read the whole body.
  form.set('image', new File([Buffer.alloc(500_000, 7)], 'a.png', { type: 'image/png' }))
  const startedMs = performance.now()
  const answer = await fetch(`${service.url}/api/babecock/upload-babe`, {
    method: 'POST',
    headers: { cookie },
    body: form,
    signal: AbortSignal.timeout(Math.max(1, Math.round(forMs))),
  }).catch(() => null)
  return answer?.status === 400 ? Math.round(performance.now() - startedMs) : null
}

function inWords({ times, failed }: { times: readonly number[]; failed: number }): string {
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(0)
  return `${times.length} answers, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${failed} failed`
}

function spread(sorted: readonly number[]): string {
  if (sorted.length === 0) return 'no'
  return `${sorted[0]?.toFixed(1)} to ${sorted.at(-1)?.toFixed(1)}`
}

function byNumber(a: number, b: number): number {
  return a - b
}
