/**
 * Two hundred idle event streams for half a minute: their load on the database, and the listeners that
 * they leave in the process.
 */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client as Connection } from 'pg'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { parseConfig } from '../../src/server/config/config.ts'
import { startNode } from '../../src/server/node.ts'
import { createCookieJar, fetchWithCookies } from '../support/cookie-jar.ts'
import { faultEngines } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'

const accounts = 5
const streamsOfEach = 40
const quietSeconds = 30
const maxStatementsPerSecond = 5

export const row: FaultRow = {
  budgetSeconds: 180,
  runs: 'in the table',
  machine: 'waiting',
  shortTests: ['test/api/event-hub.test.ts', 'test/journeys/event-streams.test.ts'],
  mutant: {
    file: 'src/server/features/sessions/events/event-hub.ts',
    line: 'const beatMs = 15_000',
    becomes: 'const beatMs = 100',
  },
  checks: [
    {
      load: `${accounts * streamsOfEach} event streams on which nothing happens, ${quietSeconds} s`,
      goal: `≤ ${maxStatementsPerSecond} statements a second, no listener is left`,
      inSmoke: true,
      run: watchQuietStreams,
    },
  ],
}

async function watchQuietStreams({ say, scaled }: FaultTools): Promise<Verdict> {
  const seconds = scaled(quietSeconds, 10)
  const engine = await faultEngines.postgres()
  const home = await engine.newHome()
  const settings = { ...home.settings, NODE_ENV: 'test', PORT: '0', FEED: 'off', LOG_LEVEL: 'warn' }
  const node = await startNode(parseConfig(settings), { webFolder: null, worksOnJobs: false })
  const figures = new Connection({ connectionString: home.databaseUrl })
  await figures.connect()
  const listeners = countAbortListeners()
  try {
    const statementsIn = async (work: () => Promise<unknown>) => {
      // An idle connection reports its statistics only after ten seconds.
      await sleep(11_000)
      const before = await countTransactions(figures)
      await work()
      await sleep(1500)
      return (await countTransactions(figures)) - before
    }
    const idle = await statementsIn(() => sleep(seconds * 1000))
    const streams: IncomingMessage[] = []
    for (let number = 0; number < accounts; number += 1)
      streams.push(...(await openStreams(node.url, number)))
    const heard = streams.filter(({ statusCode }) => statusCode === 200).length
    assert.equal(heard, accounts * streamsOfEach, 'not every stream was opened')
    const listenersBefore = listeners.count
    const asked = await statementsIn(() => sleep(seconds * 1000))
    const more = listeners.count - listenersBefore
    say(`without streams: ${(idle / seconds).toFixed(1)} transactions a second`)
    say(`${heard} streams, ${seconds} s: ${(asked / seconds).toFixed(1)} transactions a second`)
    say(`listeners that were added meanwhile and not removed: ${more}`)
    for (const stream of streams) stream.destroy()
    return verdict(
      `${heard} streams: ${((asked - idle) / seconds).toFixed(1)} transactions a second, ${more} listeners more`,
      {
        'too many statements': (asked - idle) / seconds <= maxStatementsPerSecond,
        'listeners pile up': more <= heard,
      },
    )
  } finally {
    await figures.end()
    await node.stop()
    await home.remove()
    await engine.close()
  }
}

async function countTransactions(figures: Connection): Promise<number> {
  const { rows } = await figures.query<{ count: number }>(
    'select xact_commit::int as count from pg_stat_database where datname = current_database()',
  )
  return rows[0]?.count ?? 0
}

/** Counts all listeners for aborts in this process. */
function countAbortListeners(): { readonly count: number } {
  const counted = { count: 0 }
  const { prototype } = EventTarget
  const count = (name: 'addEventListener' | 'removeEventListener', change: number) => {
    prototype[name] = new Proxy(prototype[name], {
      apply(target, signal, args) {
        if (args[0] === 'abort') counted.count += change
        return Reflect.apply(target, signal, args)
      },
    })
  }
  count('addEventListener', 1)
  count('removeEventListener', -1)
  return counted
}

async function openStreams(url: string, number: number): Promise<IncomingMessage[]> {
  const jar = createCookieJar()
  const person = createClient(api, { baseUrl: url, fetch: fetchWithCookies(jar) })
  const email = `ana${number}@example.test`
  await person.accounts.register({ body: { email, password: 'a long enough password' } })
  const { session } = await person.sessions.createManual({
    body: { title: 'Quiet', slides: [{ mediaUrl: 'https://example.org/a.jpg' }] },
  })
  return Promise.all(
    Array.from({ length: streamsOfEach }, () => openStream(url, session.id, jar.header())),
  )
}

function openStream(url: string, sessionId: number, cookie: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${url}/api/sessions/${sessionId}/events`,
      { agent: false, headers: { cookie } },
      (response) => {
        response.on('error', () => {})
        resolve(response.resume())
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}
