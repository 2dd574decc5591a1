/**
 * Hostile pictures through every picture tool of a real process: each is refused or done within
 * five seconds, and the memory that all of them took together stays small.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { createCookieJar, fetchWithCookies } from '../support/cookie-jar.ts'
import type { Fault, FaultTools } from '../support/fault.ts'
import type { Outcome } from '../support/picture-corpus.ts'
import { readPictureCorpus, tryEveryTool } from '../support/picture-corpus.ts'
import { endServices, startService, unlimited } from '../support/service-process.ts'
import { sharedFile } from '../support/shared-corpora.ts'

const mostMs = 5000
const mostGrowthMb = 300

export const faults: readonly Fault[] = [
  {
    promise: `every picture of the corpus is refused or done within ${mostMs / 1000} s, in ${mostGrowthMb} MB`,
    run: async (tools) => {
      try {
        await sendCorpus(tools)
      } finally {
        await endServices()
      }
    },
  },
]

async function sendCorpus({ say }: FaultTools): Promise<void> {
  assert.ok(existsSync(sharedFile('corpora/images')), '../shared is not here')
  const service = await startService({ ...unlimited, LOG_LEVEL: 'info' })
  const client = await signIn(service.url)
  // The most that it ever was is counted from here: a start takes more than it keeps.
  writeFileSync(`/proc/${service.pid}/clear_refs`, '5')
  const idle = memoryOf(service.pid)
  const outcomes: Outcome[] = []
  for (const file of readPictureCorpus()) outcomes.push(...(await tryEveryTool(client, file)))
  const after = memoryOf(service.pid)
  const { statuses, slowest } = summaryOf(outcomes)
  say(`${outcomes.length} calls: ${JSON.stringify(statuses)}`)
  say(`the slowest took ${Math.round(slowest.ms)} ms: ${slowest.tool}, ${slowest.file}`)
  say(`memory ${idle.nowMb} MB idle, ${after.mostMb} MB at most, ${after.nowMb} MB afterwards`)
  const unexpected = outcomes.filter(({ status }) => ![200, 400, 413].includes(status))
  assert.deepEqual(unexpected, [])
  assert.ok(slowest.ms <= mostMs, 'too slow')
  assert.ok(after.mostMb - idle.nowMb <= mostGrowthMb, 'too much memory')
  assert.ok(service.isRunning, 'the service ended')
}

/** As an administrator, who can give themself the credits. */
async function signIn(url: string) {
  const jar = createCookieJar()
  const client = createClient(api, { baseUrl: url, fetch: fetchWithCookies(jar) })
  await client.accounts.devSignIn()
  const { id } = await client.accounts.currentUser()
  await client.credits.grant({ params: { id }, body: { amount: 1_000_000, reason: 'For a fault' } })
  return client
}

function summaryOf(outcomes: readonly Outcome[]) {
  const statuses: Record<string, number> = {}
  for (const { status } of outcomes) statuses[status] = (statuses[status] ?? 0) + 1
  const slowest = outcomes.reduce((worst, next) => (next.ms > worst.ms ? next : worst))
  return { statuses, slowest }
}

/** As Linux tells it: now, and the most that it has been. */
function memoryOf(pid: number): { nowMb: number; mostMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024)
  return { nowMb: mb('VmRSS'), mostMb: mb('VmHWM') }
}
