/**
 * Ten thousand guesses at passwords and at signed addresses: the first are limited, the others lead
 * nowhere, no answer tells by its time how near a guess was, and files are delivered meanwhile.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { evenFrom, evenTo, evenness, isEven } from '../support/evenness.ts'
import { faultEngines } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Random, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import { plainJpeg } from '../support/sample-media.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { devCookie, startService } from '../support/service-process.ts'

const guesses = 10_000
const atOnce = 20
const authTries = 5
const timedTries = 2000
const timedSignatures = 4000
const mostFileP99Ms = 300

export const row: FaultRow = {
  budgetSeconds: 420,
  runs: 'in the table',
  shortTests: [
    'test/api/limits.test.ts',
    'test/server/passwords.test.ts',
    'test/http/media-url.test.ts',
  ],
  mutant: {
    file: 'src/server/features/accounts/passwords.ts',
    line: 'const matches = await inTurn(() => verify(kept ?? decoyHash, password))',
    becomes:
      'if (kept === null) return false; const matches = await inTurn(() => verify(kept, password))',
  },
  checks: [
    {
      load: `${guesses} wrong passwords, ${atOnce} at once`,
      goal: `${authTries} are judged, files’ p99 < ${mostFileP99Ms} ms`,
      run: guessPasswords,
    },
    {
      load: `${timedTries} wrong passwords of somebody and of nobody, in turns`,
      goal: `U/n² within ${evenFrom}-${evenTo}`,
      run: timePasswords,
    },
    {
      load: `${guesses} signatures of a file’s address`,
      goal: `none opens it, U/n² within ${evenFrom}-${evenTo}`,
      run: guessSignatures,
    },
  ],
}

async function openService(tools: FaultTools, settings: Record<string, string> = {}) {
  const engine = await faultEngines.postgres()
  tools.afterwards(() => engine.close())
  const home = await engine.newHome()
  return startService({ ...home.settings, CAPTIONS: 'off', ...settings }, home)
}

async function guessPasswords(tools: FaultTools): Promise<Verdict> {
  const service = await openService(tools, { RATE_LIMIT_AUTH: `${authTries}/900` })
  const filePath = await uploadFile(service)
  const over = new AbortController()
  const delivering = deliver(service, filePath, over.signal)
  const count = tools.scaled(guesses)
  const statuses = new Map<number, number>()
  let sent = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (sent < count) {
        const { status } = await signIn(service, 'dev1@example.test', `guess ${(sent += 1)}`)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }),
  )
  over.abort()
  const times = await delivering
  const p99Ms = Math.round(times[Math.floor(times.length * 0.99)] ?? 0)
  const judged = statuses.get(401) ?? 0
  return verdict(
    `${judged} judged, ${statuses.get(429) ?? 0} refused, files’ p99 ${p99Ms} ms of ${times.length}`,
    {
      'not as many were judged as may be': judged === authTries,
      'something else was answered': judged + (statuses.get(429) ?? 0) === sent,
      'files were held up': p99Ms < mostFileP99Ms && times.length > 0,
    },
  )
}

async function timePasswords(tools: FaultTools): Promise<Verdict> {
  const service = await openService(tools)
  // Not the development accounts, which have passwords of their own kind.
  const answer = await fetch(`${service.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@example.test', password: 'a long enough password' }),
  })
  assert.equal(answer.status, 201)
  const email = () => `n${tools.random.between(100, 999)}@example.test`
  const share = await evenness(tools, tools.scaled(timedTries, 40), {
    first: () => signIn(service, 'ana@example.test', 'a wrong password'),
    second: () => signIn(service, email(), 'a wrong password'),
  })
  return verdict(`U/n² ${share.toFixed(3)}`, { 'the time tells who has an account': isEven(share) })
}

async function guessSignatures(tools: FaultTools): Promise<Verdict> {
  const service = await openService(tools)
  const path = await uploadFile(service)
  const found = signatureIn(path)
  const guess = (text: string) => `${service.url}${path.replace(found, text)}`
  let opened = 0
  let sent = 0
  const count = tools.scaled(guesses)
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (sent < count) {
        sent += 1
        const kept = tools.random.between(0, found.length - 1)
        const text = `${found.slice(0, kept)}${randomText(tools.random, found.length - kept)}`
        if (text !== found && (await open(guess(text))) === 200) opened += 1
      }
    }),
  )
  const half = found.slice(0, found.length - 2)
  const share = await evenness(tools, tools.scaled(timedSignatures, 40), {
    first: () => open(guess(`${half}${randomText(tools.random, 2)}`)),
    second: () => open(guess(randomText(tools.random, found.length))),
  })
  return verdict(`${opened} of ${sent} opened it, U/n² ${share.toFixed(3)}`, {
    'a guess opened it': opened === 0,
    'the time tells how much was right': isEven(share),
  })
}

async function signIn({ url }: ServiceProcess, email: string, password: string) {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
    redirect: 'manual',
  })
  await answer.arrayBuffer()
  return answer
}

async function open(url: string): Promise<number> {
  const answer = await fetch(url, { redirect: 'manual' })
  await answer.arrayBuffer()
  return answer.status
}

async function deliver({ url }: ServiceProcess, path: string, over: AbortSignal) {
  const times: number[] = []
  while (!over.aborted) {
    const startedMs = performance.now()
    assert.equal(await open(`${url}${path}`), 200)
    times.push(performance.now() - startedMs)
    await sleep(20)
  }
  return times.toSorted((a, b) => a - b)
}

async function uploadFile(service: ServiceProcess): Promise<string> {
  const form = new FormData()
  const bytes = new Uint8Array(await plainJpeg())
  form.set('file', new File([bytes], 'a.jpg', { type: 'image/jpeg' }))
  const answer = await fetch(`${service.url}/api/media/upload`, {
    method: 'POST',
    headers: { cookie: await devCookie(service, 1) },
    body: form,
  })
  const { fileUrl } = (await answer.json()) as { fileUrl: string }
  const { pathname, search } = new URL(fileUrl, service.url)
  return `${pathname}${search}`
}

/** The longest run of the characters that a signature is made of. */
function signatureIn(path: string): string {
  const found = path.match(/[\w-]{24}(?=[/?&]|$)/g)?.at(-1)
  assert.ok(found, `no signature in ${path}`)
  return found
}

function randomText(random: Random, length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return Array.from({ length }, () => letters[random.between(0, letters.length - 1)]).join('')
}
