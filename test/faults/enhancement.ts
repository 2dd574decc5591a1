/**
 * Hostile pictures through enhancement of a real process, at both qualities. Each is refused or finished
 * within its time limit, and the memory for all of them stays small.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { Client } from '../../src/client/client.ts'
import { ApiProblem, createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { enhancementMaxBytes } from '../../src/contract/enhancement-limits.ts'
import { createCookieJar, fetchWithCookies } from '../support/cookie-jar.ts'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { HostileFile } from '../support/hostile-media.ts'
import { hostileFiles } from '../support/hostile-media.ts'
import type { CorpusFile } from '../support/picture-corpus.ts'
import { readPictureCorpus } from '../support/picture-corpus.ts'
import { forgetPeak, peakMb, residentMb } from '../support/process-figures.ts'
import { startService } from '../support/service-process.ts'
import { sharedFile } from '../support/shared-corpora.ts'

/** Twice the longest budget, plus the remaining work. */
const maxMs = 110_000
const maxGrowthMb = 300
const aDay = 30
/** High quality takes many times as long. */
const highEvery = 12
const roomForHead = 1_048_576
const password = 'a long enough password'

export const row: FaultRow = {
  budgetSeconds: 420,
  runs: 'in the table',
  machine: 'shared',
  shortTests: ['test/api/enhancement-corpus.test.ts', 'test/api/enhancement-faults.test.ts'],
  mutant: {
    file: 'src/server/media/picture.ts',
    line: 'throw new UnfitPicture(reasonOf(error), { cause: error })',
    becomes: 'throw error',
  },
  checks: [
    {
      load: 'every picture of the corpora, and each that makes its parser work hardest, at one quality or the other',
      goal: `refused or done within its budget, RSS ≤ +${maxGrowthMb} MB`,
      run: enhanceCorpus,
    },
  ],
}

async function enhanceCorpus(tools: FaultTools): Promise<Verdict> {
  assert.ok(existsSync(sharedFile('corpora/images')), '../shared is not here')
  const { say, scaled } = tools
  const { settings } = await newServerHome(tools)
  const service = await startService({ ...settings, LOG_LEVEL: 'info', FEED: 'off' })
  const admin = clientOf(service.url)
  await admin.accounts.devSignIn()
  forgetPeak(service.pid)
  const idleMb = residentMb(service.pid)
  const outcomes = new Map<string, number>()
  let slowest = { ms: 0, what: '' }
  let person = admin
  const every = Math.round(1 / (scaled(1000) / 1000))
  const files = [...readPictureCorpus({ every }), ...(await hardestPictures())]
  const calls = files.map((file, index) => ({
    ...file,
    quality: index % highEvery === 0 ? ('high' as const) : ('low' as const),
  }))
  for (const [index, { name, bytes, quality }] of calls.entries()) {
    if (index % aDay === 0) person = await newPerson(service.url, admin, index)
    const startedMs = performance.now()
    const outcome = await enhance(person, bytes, quality)
    const ms = performance.now() - startedMs
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    assert.ok(['provider_a', 'provider_b', '400'].includes(outcome), `${name}: ${outcome}`)
    if (ms > slowest.ms) slowest = { ms, what: `${quality}, ${name}` }
  }
  say(`${calls.length} calls: ${JSON.stringify(Object.fromEntries(outcomes))}`)
  say(`the slowest took ${Math.round(slowest.ms)} ms: ${slowest.what}`)
  const growthMb = Math.round(peakMb(service.pid) - idleMb)
  return verdict(
    `${calls.length} calls, slowest ${Math.round(slowest.ms)} ms, RSS +${growthMb} MB`,
    {
      'too slow': slowest.ms <= maxMs,
      'too much memory': growthMb <= maxGrowthMb,
      'the service ended': service.isRunning,
    },
  )
}

/** Makes the hardest pictures, each as large as the service still reads. */
async function hardestPictures(): Promise<CorpusFile[]> {
  const pictures = hostileFiles.filter(({ mimeType }) => mimeType.startsWith('image/'))
  const make = async ({ name, make: bytesOf }: HostileFile) => ({
    name,
    bytes: await bytesOf(enhancementMaxBytes - roomForHead),
  })
  return Promise.all(pictures.map(make))
}

async function enhance(person: Client, bytes: Buffer, quality: 'low' | 'high'): Promise<string> {
  const image = new Blob([new Uint8Array(bytes)], { type: 'image/png' })
  try {
    return (await person.enhancement.generate({ form: { image, quality } })).provider
  } catch (error) {
    if (error instanceof ApiProblem) return String(error.status)
    throw error
  }
}

/** Registers a person with consent and with credits for a day. */
async function newPerson(url: string, admin: Client, number: number): Promise<Client> {
  const person = clientOf(url)
  await person.accounts.register({ body: { email: `ana${number}@example.test`, password } })
  const { id } = await person.accounts.currentUser()
  await admin.credits.grant({ params: { id }, body: { amount: 5000, reason: 'For a fault' } })
  await person.enhancement.giveConsent({ body: { version: 1 } })
  return person
}

function clientOf(baseUrl: string): Client {
  const jar = createCookieJar()
  return createClient(api, { baseUrl, fetch: fetchWithCookies(jar) })
}
