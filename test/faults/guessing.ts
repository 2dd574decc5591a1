/**
 * Ten thousand guesses each at passwords, at passwords of links, and at signed addresses. Guesses at
 * passwords are limited, and the others find nothing. The time of an answer does not reveal how close a
 * guess was. Files are delivered meanwhile.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { evenFrom, evenness, evenTo, isEven } from '../support/even-times.ts'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Random, Verdict } from '../support/fault.ts'
import { noRefillSeconds, verdict } from '../support/fault.ts'
import { plainJpeg } from '../support/sample-media.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { devCookie, startService } from '../support/service-process.ts'

const guesses = 10_000
const atOnce = 20
const authTries = 5
const shareTries = 10
const timedTries = 2000
const maxFileP99Ms = 300
const baselineMs = 2000
const linkPassword = 'the lamp in the seventh window'

export const row: FaultRow = {
  budgetSeconds: 420,
  runs: 'in the table',
  shortTests: [
    'test/api/limits.test.ts',
    'test/api/shares.test.ts',
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
      goal: `${authTries} are judged, files’ p99 < ${maxFileP99Ms} ms`,
      run: (tools) =>
        guessOften(tools, { RATE_LIMIT_AUTH: `${authTries}/${noRefillSeconds}` }, passwordOf),
    },
    {
      load: `${guesses} wrong passwords of a link, ${atOnce} at once`,
      goal: `${shareTries} are judged, files’ p99 < ${maxFileP99Ms} ms`,
      run: (tools) =>
        guessOften(
          tools,
          { RATE_LIMIT_SHARE_PASSWORD: `${shareTries}/${noRefillSeconds}` },
          passwordOfLink,
        ),
    },
    {
      load: `${timedTries} wrong passwords of somebody and of nobody, in turns`,
      machine: 'shared',
      goal: `U/n² within ${evenFrom}-${evenTo}`,
      run: timePasswords,
    },
    {
      load: `${timedTries} wrong passwords of a link, half of them all but right, in turns`,
      machine: 'shared',
      goal: `U/n² within ${evenFrom}-${evenTo}`,
      run: timeLinkPasswords,
    },
    {
      load: `${guesses} signatures of a file’s address`,
      goal: `none opens it, U/n² within ${evenFrom}-${evenTo}`,
      run: guessSignatures,
    },
  ],
}

async function openService(tools: FaultTools, settings: Record<string, string> = {}) {
  const home = await newServerHome(tools)
  return startService({ ...home.settings, CAPTIONS: 'off', ...settings }, home)
}

/** Makes one guess. At most `max` guesses are checked. */
type Guessing = (service: ServiceProcess) => Promise<{
  readonly guess: (text: string) => Promise<Response>
  readonly max: number
}>

const passwordOf: Guessing = async (service) => ({
  guess: (text) => signIn(service, 'dev1@example.test', text),
  max: authTries,
})

const passwordOfLink: Guessing = async (service) => {
  const code = await shareWithPassword(service)
  return { guess: (text) => openLink(service, code, text), max: shareTries }
}

async function guessOften(
  tools: FaultTools,
  settings: Record<string, string>,
  guessing: Guessing,
): Promise<Verdict> {
  const service = await openService(tools, settings)
  const filePath = await uploadFile(service)
  const { guess, max } = await guessing(service)
  const quiet = await deliver(service, filePath, AbortSignal.timeout(baselineMs))
  tools.say(`before: files’ p99 ${p99Of(quiet)} ms of ${quiet.length}`)
  const over = new AbortController()
  const delivering = deliver(service, filePath, over.signal)
  const count = tools.scaled(guesses)
  const statuses = new Map<number, number>()
  let sent = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (sent < count) {
        const { status } = await guess(`guess ${(sent += 1)}`)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }),
  )
  over.abort()
  const times = await delivering
  const judged = statuses.get(401) ?? 0
  return verdict(
    `${judged} judged, ${statuses.get(429) ?? 0} refused, files’ p99 ${p99Of(times)} ms of ${times.length}`,
    {
      'not as many were judged as may be': judged === max,
      'something else was answered': judged + (statuses.get(429) ?? 0) === sent,
      'files were held up': p99Of(times) < maxFileP99Ms && times.length > 0,
    },
  )
}

async function timePasswords(tools: FaultTools): Promise<Verdict> {
  const service = await openService(tools)
  // A registered account: the passwords of development accounts are different.
  const answer = await fetch(`${service.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@example.test', password: 'a long enough password' }),
  })
  assert.equal(answer.status, 201)
  const ask = (email: string) => signIn(service, email, 'a wrong password')
  const share = await evenness(tools, tools.scaled(timedTries, 40), ask, {
    first: () => 'ana@example.test',
    second: () => `n${tools.random.between(100, 999)}@example.test`,
  })
  return verdict(`U/n² ${share.toFixed(3)}`, { 'the time tells who has an account': isEven(share) })
}

async function timeLinkPasswords(tools: FaultTools): Promise<Verdict> {
  const service = await openService(tools)
  const code = await shareWithPassword(service)
  const near = linkPassword.slice(0, -1)
  const ask = (password: string) => openLink(service, code, password)
  const share = await evenness(tools, tools.scaled(timedTries, 40), ask, {
    first: () => `${near}${randomText(tools.random, 1)}#`,
    second: () => randomText(tools.random, linkPassword.length + 1),
  })
  return verdict(`U/n² ${share.toFixed(3)}`, { 'the time tells how much was right': isEven(share) })
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
  const share = await evenness(tools, tools.scaled(timedTries, 40), open, {
    first: () => guess(`${half}${randomText(tools.random, 2)}`),
    second: () => guess(randomText(tools.random, found.length)),
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

async function shareWithPassword(service: ServiceProcess): Promise<string> {
  const cookie = await devCookie(service, 1)
  const post = async (path: string, body: object) => {
    const headers = { cookie, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${service.url}${path}`, init)).json()
  }
  const slides = [{ mediaUrl: 'https://example.org/a.jpg' }]
  const made = await post('/api/sessions/manual', { title: 'Behind a password', slides })
  const { session } = made as { session: { id: number } }
  const body = { password: linkPassword, access: 'anyone' }
  const shared = await post(`/api/sessions/${session.id}/share`, body)
  const { shareCode } = shared as { shareCode: string }
  assert.equal((await openLink(service, shareCode, linkPassword)).status, 200)
  return shareCode
}

async function openLink({ url }: ServiceProcess, code: string, password: string) {
  const headers = { 'x-share-password': encodeURIComponent(password) }
  const answer = await fetch(`${url}/api/shared/${code}/preview`, { headers })
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

function p99Of(sorted: readonly number[]): number {
  return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0)
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

/** Returns the longest run of characters that signatures contain. */
function signatureIn(path: string): string {
  const found = path.match(/[\w-]{24}(?=[/?&]|$)/g)?.at(-1)
  assert.ok(found, `no signature in ${path}`)
  return found
}

function randomText(random: Random, length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return Array.from({ length }, () => letters[random.between(0, letters.length - 1)]).join('')
}
