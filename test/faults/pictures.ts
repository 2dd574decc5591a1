/**
 * Hostile pictures through every picture tool of a real process: each is refused or processed within five
 * seconds, and the memory for all of them stays small.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { createCookieJar, fetchWithCookies } from '../support/cookie-jar.ts'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { Outcome } from '../support/picture-corpus.ts'
import { readPictureCorpus, tryEveryTool } from '../support/picture-corpus.ts'
import { forgetPeak, peakMb, residentMb } from '../support/process-figures.ts'
import { startService } from '../support/service-process.ts'
import { sharedFile } from '../support/shared-corpora.ts'

const maxMs = 5000
const maxGrowthMb = 300

export const row: FaultRow = {
  budgetSeconds: 300,
  runs: 'in the table',
  machine: 'shared',
  shortTests: ['test/api/picture-corpus.test.ts', 'test/images/hostile-pictures.test.ts'],
  mutant: {
    file: 'src/server/media/picture.ts',
    line: 'throw new UnfitPicture(reasonOf(error), { cause: error })',
    becomes: 'throw error',
  },
  checks: [
    {
      load: 'every picture of the corpora at every picture tool',
      goal: `refused or done within ${maxMs / 1000} s, RSS ≤ +${maxGrowthMb} MB`,
      run: sendCorpus,
    },
  ],
}

async function sendCorpus(tools: FaultTools): Promise<Verdict> {
  assert.ok(existsSync(sharedFile('corpora/images')), '../shared is not here')
  const { say, scaled } = tools
  const { settings } = await newServerHome(tools)
  const service = await startService({ ...settings, LOG_LEVEL: 'info' })
  const client = await signIn(service.url)
  forgetPeak(service.pid)
  const idleMb = residentMb(service.pid)
  const outcomes: Outcome[] = []
  const every = Math.round(1 / (scaled(1000) / 1000))
  for (const file of readPictureCorpus({ every }))
    outcomes.push(...(await tryEveryTool(client, file)))
  const { statuses, slowest } = summaryOf(outcomes)
  say(`${outcomes.length} calls: ${JSON.stringify(statuses)}`)
  say(`the slowest took ${Math.round(slowest.ms)} ms: ${slowest.tool}, ${slowest.file}`)
  const unexpected = outcomes.filter(({ status }) => ![200, 400, 413].includes(status))
  for (const { tool, file, status } of unexpected) say(`${tool}, ${file}: ${status}`)
  const growthMb = Math.round(peakMb(service.pid) - idleMb)
  return verdict(
    `${outcomes.length} calls, slowest ${Math.round(slowest.ms)} ms, RSS +${growthMb} MB`,
    {
      'an answer was neither a picture nor a refusal': unexpected.length === 0,
      'too slow': slowest.ms <= maxMs,
      'too much memory': growthMb <= maxGrowthMb,
      'the service ended': service.isRunning,
    },
  )
}

/** Signs in as an administrator, who can grant themself the credits. */
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
