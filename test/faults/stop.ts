/** SIGTERM while many clients use keep-alive connections: no request is cut off. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Random, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { devCookie, startService } from '../support/service-process.ts'

const clients = 50
const stops = 6
const maxStopMs = 25_000

export const row: FaultRow = {
  budgetSeconds: 180,
  runs: 'in the table',
  shortTests: ['test/server/stop.test.ts', 'test/http/draining.test.ts'],
  mutant: {
    file: 'src/server/commands/run-service.ts',
    line: 'const idleGraceMs = 2000',
    becomes: 'const idleGraceMs = 0',
  },
  checks: [
    {
      load: `${stops} times SIGTERM while ${clients} clients ask on connections that they keep`,
      goal: 'every request that was sent on a kept connection is answered, no unannounced reset',
      inSmoke: true,
      run: stopOften,
    },
  ],
}

type Tally = { answered: number; refused: number; reset: number; wrong: number; announced: number }

async function stopOften(tools: FaultTools): Promise<Verdict> {
  const home = await newServerHome(tools)
  const tally: Tally = { answered: 0, refused: 0, reset: 0, wrong: 0, announced: 0 }
  let slowestMs = 0
  let badEnds = 0
  for (let round = 0; round < tools.scaled(stops); round += 1) {
    const service = await startService({ ...home.settings, CAPTIONS: 'off' }, home)
    const cookie = await devCookie(service, 1)
    const asking = Array.from({ length: clients }, () =>
      askUntilGone(service, cookie, tools.random, tally),
    )
    await sleep(tools.random.between(800, 2000))
    const beganMs = performance.now()
    const { code } = await service.stop()
    slowestMs = Math.max(slowestMs, performance.now() - beganMs)
    if (code !== 0) badEnds += 1
    await Promise.all(asking)
  }
  return verdict(
    `${tally.answered} answered, ${tally.announced} told that it was the last, ${tally.reset} resets, slowest stop ${Math.round(slowestMs)} ms`,
    {
      'a kept connection was reset': tally.reset === 0,
      'an answer was wrong': tally.wrong === 0,
      'nobody was there at the stop': tally.announced > 0,
      'it did not end well and in time': badEnds === 0 && slowestMs <= maxStopMs,
    },
  )
}

/** Sends one request after the other on one connection, until a new one is refused. */
async function askUntilGone(
  service: ServiceProcess,
  cookie: string,
  random: Random,
  tally: Tally,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let isThere = true; isThere;) {
    const outcome = await ask(service.url, agent, cookie)
    if (outcome === 'refused') isThere = false
    else if (outcome === 'reset') tally.reset += 1
    else {
      tally.answered += 1
      if (outcome.status !== 200) tally.wrong += 1
      if (outcome.isLast) tally.announced += 1
    }
    await sleep(random.between(0, 20))
  }
  tally.refused += 1
  agent.destroy()
}

type Asked = { readonly status: number; readonly isLast: boolean } | 'reset' | 'refused'

function ask(url: string, agent: Agent, cookie: string): Promise<Asked> {
  return new Promise((resolve) => {
    const asked = request(`${url}/api/auth/user`, { agent, headers: { cookie } }, (response) => {
      const isLast = response.headers.connection === 'close'
      response.resume().once('end', () => resolve({ status: response.statusCode ?? 0, isLast }))
      response.once('error', () => resolve('reset'))
    })
    asked.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'reset'),
    )
    asked.end()
  })
}
