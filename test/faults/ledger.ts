/**
 * Many clients spend credits while nodes and PostgreSQL are killed and replies at COMMIT are lost. Then
 * the ledger is compared with the answers that the clients received.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultRow, FaultTools, Random, Verdict } from '../support/fault.ts'
import { seededRandom, verdict } from '../support/fault.ts'
import { openLedgerAccounts } from '../support/ledger-accounts.ts'
import { auditLedger } from '../support/ledger-audit.ts'
import type { LedgerAccount, LedgerJournal } from '../support/ledger-clients.ts'
import { createLedgerJournal, runClient } from '../support/ledger-clients.ts'
import type { Fleet } from '../support/ledger-fleet.ts'
import { startFleet } from '../support/ledger-fleet.ts'
import type { LossyProxy } from '../support/lossy-proxy.ts'
import { startLossyProxy } from '../support/lossy-proxy.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { unlimited } from '../support/service-process.ts'

const clientCount = 64
const hotAccounts = 2
const accountCount = 12
const poorAccounts = 3
const nodeCount = 2
/** The share of replies at COMMIT that are lost. */
const loss = 0.02
/** A claim of a dead node expires after 15 s. Requests that wait for one are answered within this time. */
const afterlifeMs = 60_000
const recoveryMs = 45_000
const seconds = { usual: 180, min: 30 }

export const row: FaultRow = {
  budgetSeconds: 420,
  runs: 'in the table',
  machine: 'shared',
  shortTests: ['test/api/ledger-laws.test.ts', 'test/api/ledger-outages.test.ts'],
  mutant: {
    file: 'src/server/features/credits/idempotency/claims.ts',
    line: 'mayTakeOver: sql`idempotency_keys.created_at <= ${forgottenBy}',
    becomes: 'mayTakeOver: sql`true or idempotency_keys.created_at <= ${forgottenBy}',
  },
  checks: [
    {
      load: `${clientCount} clients, ${seconds.usual} s, kills of nodes and PostgreSQL, lost replies`,
      goal: 'everyone is charged once for what they were told',
      run: runLedger,
    },
  ],
}

type Stage = {
  readonly server: PostgresServer
  readonly proxy: LossyProxy
  readonly fleet: Fleet
  readonly random: Random
  readonly complaints: string[]
}

async function runLedger({ random, say, scaled }: FaultTools): Promise<Verdict> {
  const durationMs = 1000 * scaled(seconds.usual, seconds.min)
  const cache = await mkdtemp(join(tmpdir(), 'lanternist-compiled-'))
  const server = await startPostgres()
  const proxy = await startLossyProxy(portOf(server), random)
  await server.administer('create database ledger')
  const fleet = startFleet(nodeCount, {
    ...unlimited,
    DATABASE_URL: throughProxy(server, proxy),
    SESSION_SECRET: 'the same secret on every node of this test',
    LOG_LEVEL: 'error',
    NODE_COMPILE_CACHE: cache,
  })
  try {
    const isReady = await fleet.allReady(recoveryMs * 2)
    assert.ok(isReady, `the nodes did not start:\n${fleet.lastFailure}`)
    const accounts = await openAccounts(fleet, durationMs)
    const stage: Stage = { server, proxy, fleet, random, complaints: [] }
    const journal = createLedgerJournal()
    const postgresKills = await perform(stage, accounts, journal, durationMs)
    await fleet.stop()
    // Acknowledged writes must be on the disk, so the last kill follows when nothing runs any more.
    await server.kill()
    await server.restart()
    const audit = await auditLedger(server.urlOf('ledger'), accounts, journal.calls)
    const violations = [...fleet.complaints, ...stage.complaints, ...audit.violations]
    sayFigures(say, { stage, journal, audit, postgresKills, violations: violations.length })
    for (const violation of violations.slice(0, 20)) say(violation)
    const { figures } = journal
    const measured = `${journal.calls.length} calls in ${figures.sent} requests, ${fleet.figures.kills + postgresKills} kills, ${proxy.cuts} replies cut, ${violations.length} violations`
    return verdict(measured, {
      'the ledger is not what clients were told': violations.length === 0,
      ...wildness(stage, journal, { postgresKills, durationMs }),
    })
  } finally {
    await fleet.stop()
    await proxy.close()
    await server.stop()
    await rm(cache, { recursive: true, force: true })
  }
}

function openAccounts(fleet: Fleet, durationMs: number): Promise<LedgerAccount[]> {
  const [url = ''] = fleet.urls()
  const wealths = Array.from({ length: accountCount }, (_, index) =>
    index < accountCount - poorAccounts ? 1_000_000 : Math.ceil(durationMs / 200),
  )
  return openLedgerAccounts(url, wealths)
}

/** Starts the clients and the faults. Resolves with the number of times PostgreSQL was killed. */
async function perform(
  stage: Stage,
  accounts: readonly LedgerAccount[],
  journal: LedgerJournal,
  durationMs: number,
): Promise<number> {
  const beganMs = performance.now()
  const lastCallMs = beganMs + durationMs
  const street = {
    urls: () => stage.fleet.urls(),
    lastCallMs,
    lastRetryMs: lastCallMs + afterlifeMs,
  }
  const clients = Array.from({ length: clientCount }, async (_, index) => {
    // Half of the clients use the few hot accounts.
    const accountIndex =
      index % 2 === 0
        ? (index / 2) % hotAccounts
        : hotAccounts + (((index - 1) / 2) % (accountCount - hotAccounts))
    const account = accounts[accountIndex]
    if (!account) throw new Error('no such account')
    const random = seededRandom(`${stage.random.fraction()}/${index}`)
    await runClient(`c${index}`, account, street, journal, random)
  })
  stage.proxy.setLoss(loss)
  const kills = await breakThings(stage, { beganMs, lastCallMs })
  stage.proxy.setLoss(0)
  await Promise.all(clients)
  return kills
}

async function breakThings(
  stage: Stage,
  { beganMs, lastCallMs }: { beganMs: number; lastCallMs: number },
): Promise<number> {
  const { fleet, random } = stage
  const killTimes: number[] = []
  for (let minuteMs = beganMs; minuteMs + 30_000 <= lastCallMs; minuteMs += 60_000)
    killTimes.push(minuteMs + random.between(10_000, 25_000))
  let postgresKills = 0
  while (performance.now() < lastCallMs) {
    await sleep(random.between(2000, 5000))
    if (performance.now() < (killTimes[postgresKills] ?? Infinity)) {
      await fleet.killOne(random)
      continue
    }
    await killPostgres(stage)
    postgresKills += 1
  }
  return postgresKills
}

/** Kills and restarts PostgreSQL, then waits until the nodes recover by themselves. */
async function killPostgres({ server, fleet, random, complaints }: Stage): Promise<void> {
  await server.kill()
  await sleep(random.between(0, 2000))
  await server.restart()
  if (!(await fleet.allReady(recoveryMs)))
    complaints.push(`not all nodes were ready ${recoveryMs} ms after PostgreSQL was back`)
}

function sayFigures(
  say: FaultTools['say'],
  outcome: {
    stage: Stage
    journal: LedgerJournal
    audit: Awaited<ReturnType<typeof auditLedger>>
    postgresKills: number
    violations: number
  },
): void {
  const { stage, journal, audit, postgresKills, violations } = outcome
  const { calls, figures } = journal
  const told = (status: number, code?: string) =>
    calls.filter(({ told }) => told?.status === status && told.body['code'] === code).length
  const definite = calls.filter((call) => call.told !== null).length
  say(
    `${calls.length} calls, ${definite} definite answers: ${told(201)} succeeded, ${told(402, 'INSUFFICIENT_CREDITS')} could not be paid, ${told(500, 'WORK_FAILED')} failed and were refunded, ${told(503, 'INTERRUPTED')} were interrupted`,
  )
  say(
    `${calls.length - definite} without a definite answer, of which ${calls.filter(({ told, key }) => told === null && key === null).length} had no key`,
  )
  say(
    `${figures.sent} requests, ${figures.retries} retries, ${figures.replays} replays, ${figures.unanswered} unanswered, ${figures.serverErrors} server errors, ${figures.inProgress} told that the first still runs`,
  )
  say(
    `${stage.fleet.figures.kills} kills of a node, ${stage.fleet.figures.failedStarts} failed starts, ${postgresKills} kills of PostgreSQL, ${stage.proxy.cuts} replies cut`,
  )
  say(
    `${audit.chargedAgain} calls charged more than once, ${audit.unrefunded} interrupted or unanswered debits not given back`,
  )
  say(`${violations} violations`)
}

/** Requires that enough went wrong: a quiet run proves little. */
function wildness(
  { fleet, proxy }: Stage,
  { calls, figures }: LedgerJournal,
  { postgresKills, durationMs }: { postgresKills: number; durationMs: number },
): Record<string, boolean> {
  const minKills = durationMs / 20_000
  return {
    'too few kills': postgresKills > 0 && fleet.figures.kills >= minKills,
    'too few replies were cut': proxy.cuts > 10,
    'too few answers were given again': figures.replays > 5,
    'nobody ran out of credits': calls.some(({ told }) => told?.status === 402),
  }
}

function portOf(server: PostgresServer): number {
  return Number(new URL(server.urlOf('ledger')).port)
}

function throughProxy(server: PostgresServer, { port }: LossyProxy): string {
  const url = new URL(server.urlOf('ledger'))
  url.port = String(port)
  return url.href
}
