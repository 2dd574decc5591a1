/**
 * PostgreSQL, Redis and S3 fall silent with every connection open, passwords come as a crowd, and a
 * start meets a database that is away. Says how long each answer took and how soon all was well.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import type { Fault, FaultTools } from '../support/fault.ts'
import type { Caller, OutageStage } from '../support/outage-stage.ts'
import {
  openOutageStage,
  registerCaller,
  slowestMs,
  summary,
  timed,
} from '../support/outage-stage.ts'
import { endServices } from '../support/service-process.ts'

const silenceMs = 12_000
const refusalMs = 3000
const recoveryMs = 5000
const stopMs = 26_000
const crowd = 40

export const faults: readonly Fault[] = [
  {
    promise: 'a silent database is refused within 3 s and all is well 5 s after it',
    run: database,
  },
  { promise: 'a signal ends a node whose database is silent within 25 s', run: signal },
  { promise: 'a silent Redis refuses nobody', run: redis },
  { promise: 'a silent S3 is refused within 3 s and holds up nothing else', run: store },
  { promise: 'a node that starts before its database waits for it', run: start },
  { promise: 'a crowd of wrong passwords holds up no file', run: passwords },
  { promise: 'whether a node is ready can be asked often', run: readiness },
]

async function onStage(run: (stage: OutageStage) => Promise<void>): Promise<void> {
  const stage = await openOutageStage()
  try {
    await run(stage)
  } finally {
    await endServices()
    await stage.close()
  }
}

function database({ say }: FaultTools): Promise<void> {
  return onStage(async (stage) => {
    const service = await stage.launch()
    await service.ready()
    const ana = await registerCaller(service.url, 'ana')
    const ask = () => ask40(ana, '/api/auth/user')
    assert.equal(await firstStatus(ana), 200)
    stage.database.silence()
    const untilMs = performance.now() + silenceMs
    const answers = await ask()
    while (performance.now() < untilMs) answers.push(...(await ask()), await pauseFor(200))
    say(`during ${silenceMs / 1000} s of silence: ${summary(answers)}`)
    const resumedMs = performance.now()
    stage.database.resume()
    const requestsMs = await msUntil(resumedMs, async () =>
      (await ask()).every(({ status }) => status === 200),
    )
    say(`after its return: all ${crowd} of a crowd answered after ${requestsMs} ms`)
    const queueMs = await msUntil(resumedMs, () => enriches(ana))
    say(`after its return: an upload was enriched by the queue after ${queueMs} ms`)
    assert.ok(slowestMs(answers) <= refusalMs, 'an answer took too long')
    assert.ok(requestsMs <= recoveryMs, 'requests were not well in time')
  })
}

function signal({ say }: FaultTools): Promise<void> {
  return onStage(async (stage) => {
    const service = await stage.launch()
    await service.ready()
    const ana = await registerCaller(service.url, 'ana')
    stage.database.silence()
    const hanging = ana('/api/auth/user')
    await sleep(300)
    const beganMs = performance.now()
    const outcome = await service.stop().catch(() => null)
    const ms = Math.round(performance.now() - beganMs)
    say(`SIGTERM: ${outcome ? `ended with ${outcome.code}` : 'did not end'} after ${ms} ms`)
    say(`a request that hung meanwhile: ${summary([await hanging])}`)
    assert.ok(outcome && ms <= stopMs, 'the process did not end in time')
  })
}

function redis({ say }: FaultTools): Promise<void> {
  return onStage(async (stage) => {
    const service = await stage.launch({ RATE_LIMIT_PUBLIC: '100000/900' })
    await service.ready()
    const ana = await registerCaller(service.url, 'ana')
    stage.redis.silence()
    const answers = [...(await ask40(ana, '/api/auth/user')), ...(await ask40(ana, '/api/tags'))]
    await sleep(6000)
    answers.push(...(await ask40(ana, '/api/auth/user')))
    say(`while Redis is silent: ${summary(answers)}`)
    stage.redis.resume()
    assert.ok(answers.every(({ status }) => status === 200))
    assert.ok(slowestMs(answers) <= refusalMs, 'an answer took too long')
  })
}

function store({ say }: FaultTools): Promise<void> {
  return onStage(async (stage) => {
    const service = await stage.launch()
    await service.ready()
    const ana = await registerCaller(service.url, 'ana')
    for (let n = 0; n < 24; n += 1) await upload(ana, `p${n}.png`)
    const [kept, ...others] = await vaultOf(ana)
    const keptPath = pathOf(kept?.url ?? '')
    stage.store.silence()
    const deletions = others.map(({ id }) => ana(`/api/user/media/${id}`, { method: 'DELETE' }))
    await sleep(200)
    const answers = await ask40(ana, '/api/auth/user')
    const files = await ask40(ana, keptPath)
    say(`while ${deletions.length} deletions hang at S3, other requests: ${summary(answers)}`)
    say(`files: ${summary(files)}`)
    say(`the deletions themselves: ${summary(await Promise.all(deletions))}`)
    const resumedMs = performance.now()
    stage.store.resume()
    const backMs = await msUntil(resumedMs, async () => {
      const { status } = await ana(keptPath)
      return status === 200 || status === 302
    })
    say(`after its return: a file was delivered after ${backMs} ms`)
    assert.ok(answers.every(({ status }) => status === 200))
    assert.ok(slowestMs(answers) <= refusalMs, 'others waited for the store')
    assert.ok(backMs <= recoveryMs, 'files were not well in time')
  })
}

function start({ say }: FaultTools): Promise<void> {
  return onStage(async (stage) => {
    stage.database.silence()
    const beganMs = performance.now()
    const service = await stage.launch()
    for (let n = 0; n < 600 && stage.database.connections === 0; n += 1) await sleep(100)
    await sleep(8000)
    stage.database.resume()
    const isUp = await service.ready().then(
      () => true,
      () => false,
    )
    const ms = Math.round(performance.now() - beganMs)
    say(`a start, with the database back after 8 s: ${isUp ? 'up' : 'gave up'} after ${ms} ms`)
    assert.ok(isUp, service.stderr)
  })
}

function passwords({ say }: FaultTools): Promise<void> {
  return onStage(async (stage) => {
    const service = await stage.launch({ STORAGE: 'fs' })
    await service.ready()
    const ana = await registerCaller(service.url, 'ana')
    const path = await upload(ana, 'shown.png')
    const deliver = async () => {
      const answers = []
      for (let n = 0; n < 5; n += 1) answers.push(await ana(path))
      return answers
    }
    const quiet = await deliver()
    say(`a file, five times, with nobody else: ${summary(quiet)}`)
    for (const count of [16, 256]) {
      const wrong = Array.from({ length: count }, () => signInWrongly(service.url))
      const delivered = await deliver()
      say(`with ${count} wrong passwords at once: ${summary(delivered)}`)
      say(`  the passwords: ${summary(await Promise.all(wrong))}`)
      assert.ok(delivered.every(({ status }) => status === 200))
    }
  })
}

function readiness({ say }: FaultTools): Promise<void> {
  return onStage(async (stage) => {
    const service = await stage.launch({ STORAGE: 'fs' })
    await service.ready()
    const beganMs = performance.now()
    let count = 0
    while (performance.now() - beganMs < 3000) {
      await Promise.all(Array.from({ length: 20 }, () => timed(`${service.url}/readyz`)))
      count += 20
    }
    say(`${Math.round(count / 3)} answers a second`)
  })
}

function ask40(caller: Caller, path: string) {
  return Promise.all(Array.from({ length: crowd }, () => caller(path)))
}

async function firstStatus(caller: Caller): Promise<number> {
  return (await caller('/api/auth/user')).status
}

async function pauseFor(ms: number) {
  await sleep(ms)
  return { status: 503, ms: 0, body: null }
}

async function msUntil(sinceMs: number, isSo: () => Promise<boolean>): Promise<number> {
  for (let tries = 1; tries < 300; tries += 1) {
    if (await isSo()) return Math.round(performance.now() - sinceMs)
    if (performance.now() - sinceMs > 60_000) break
    await sleep(100)
  }
  return Infinity
}

/** The path under which the file is delivered. */
async function upload(caller: Caller, name: string): Promise<string> {
  const background = { r: 90, g: 40, b: name.length, alpha: 1 }
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 4, background } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
  const { status, body } = await caller('/api/media/upload', { method: 'POST', body: form })
  assert.equal(status, 200, JSON.stringify(body))
  return pathOf((body as { fileUrl: string }).fileUrl)
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url, 'http://here')
  return `${pathname}${search}`
}

async function vaultOf(caller: Caller) {
  const { body } = await caller('/api/user/media')
  return (body as { files?: { id: number; url: string; enrichmentStatus: string }[] }).files ?? []
}

/** Uploads once, and looks whether the queue has seen to it. */
async function enriches(caller: Caller): Promise<boolean> {
  const files = await vaultOf(caller)
  if (files.length === 0) await upload(caller, 'late.png').catch(() => null)
  return files.some(({ enrichmentStatus }) => enrichmentStatus === 'completed')
}

function signInWrongly(url: string) {
  return timed(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@example.test', password: 'wrong' }),
  })
}
