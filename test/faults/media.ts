/**
 * Files that exhaust their reader, through every way into a real process. The process survives, the
 * memory of it and its video processes stays small, and other people's requests do not wait.
 */
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../src/client/client.ts'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { HostileFile } from '../support/hostile-media.ts'
import { hostileFiles } from '../support/hostile-media.ts'
import { readPictureCorpus } from '../support/picture-corpus.ts'
import { makePolyglots } from '../support/polyglots.ts'
import { childrenOf, ownMb, residentMb } from '../support/process-figures.ts'
import { makeFilm, plainJpeg } from '../support/sample-media.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { devCookie, startService, unlimited, untilQuiet } from '../support/service-process.ts'
import type { Taken } from '../support/served-files.ts'
import { faultsOfServed, tryUpload } from '../support/served-files.ts'
import type { Visitor } from '../support/waiting-visitor.ts'
import { sendVisitor } from '../support/waiting-visitor.ts'

const bytesPerMb = 1_048_576
const maxGrowthMb = 300
const maxWaitMs = 250
const maxAnswerMs = 5000
const sampleMs = 20
const settledMs = 100

export const row: FaultRow = {
  budgetSeconds: 600,
  runs: 'in the table',
  shortTests: [
    'test/platform/video-hostile.test.ts',
    'test/images/hostile-pictures.test.ts',
    'test/api/served-files.test.ts',
  ],
  mutant: {
    file: 'src/server/media/picture-parts.ts',
    line: 'const maxParts = 50_000',
    becomes: 'const maxParts = 50_000_000',
  },
  checks: [
    {
      load: `${hostileFiles.length} hostile files of up to 42 MB, each by every way in`,
      goal: `alive, refused or done within ${maxAnswerMs / 1000} s, RSS ≤ +${maxGrowthMb} MB, nobody waits more than ${maxWaitMs} ms`,
      run: sendAll,
    },
    {
      load: 'every picture of the corpora and polyglots, uploaded and shown to somebody else',
      goal: 'no script, EXIF or GPS in what is served',
      machine: 'shared',
      run: serveAll,
    },
  ],
}

/** A remote site that serves the current file at every address. */
let served: Buffer = Buffer.alloc(0)
const site = createServer((_, response) => void response.writeHead(200).end(served))

type Visit = {
  readonly service: ServiceProcess
  readonly visitor: Visitor
  readonly cookie: string
  readonly userId: string
}
type Named = Pick<HostileFile, 'mimeType' | 'fileName'>
type Way = (visit: Visit, file: Named, bytes: Buffer) => Promise<string>

/** The ways in, each with the largest file that the service still reads there. */
const ways: readonly { readonly name: string; readonly megabytes: number; readonly send: Way }[] = [
  {
    name: 'upload',
    megabytes: 42,
    send: (visit, file, bytes) => upload(visit, file, bytes, 'general'),
  },
  {
    name: 'profile',
    megabytes: 8,
    send: (visit, file, bytes) => upload(visit, file, bytes, 'profile'),
  },
  { name: 'found, then shared', megabytes: 42, send: shareFound },
  { name: 'import by address', megabytes: 42, send: importFrom },
  { name: 'picture tool', megabytes: 8, send: compose },
]

async function sendAll({ random, say, scaled, afterwards }: FaultTools): Promise<Verdict> {
  const worst = { growthMb: 0, waitMs: 0, answerMs: 0 }
  const deaths: string[] = []
  let last: Visit | undefined
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  afterwards(async () => site.close())
  const share = scaled(1000) / 1000
  for (const file of hostileFiles) {
    if (random.fraction() >= share) continue
    const made = new Map<number, Buffer>()
    for (const { name: way, megabytes, send } of ways) {
      const bytes = made.get(megabytes) ?? (await file.make(megabytes * bytesPerMb))
      made.set(megabytes, bytes)
      const visit: Visit = last?.service.isRunning ? last : await begin(afterwards)
      last = visit
      const what = `${file.name}, ${megabytes} MB, ${way}`
      const seen = await measured(visit, () => send(visit, file, bytes))
      say(
        `${what}: ${seen.outcome} in ${seen.answerMs} ms; +${seen.growthMb} MB, others waited ${seen.waitMs} ms`,
      )
      worst.growthMb = Math.max(worst.growthMb, seen.growthMb)
      worst.waitMs = Math.max(worst.waitMs, seen.waitMs)
      worst.answerMs = Math.max(worst.answerMs, seen.answerMs)
      await sleep(settledMs)
      if (!visit.service.isRunning) deaths.push(what)
    }
  }
  return verdict(
    `RSS +${worst.growthMb} MB, slowest answer ${worst.answerMs} ms, others waited ${worst.waitMs} ms at the most`,
    {
      [`the end by ${deaths.join('; ')}`]: deaths.length === 0,
      'too much memory': worst.growthMb <= maxGrowthMb,
      'an answer took too long': worst.answerMs <= maxAnswerMs,
      'others waited too long': worst.waitMs <= maxWaitMs,
    },
  )
}

async function serveAll(tools: FaultTools): Promise<Verdict> {
  const { say, scaled } = tools
  const { settings } = await newServerHome(tools)
  const service = await startService({ ...settings, CAPTIONS: 'off' })
  const [owner, other] = [await clientOf(service, 1), await clientOf(service, 2)]
  const every = Math.round(1 / (scaled(1000) / 1000))
  const files = [...readPictureCorpus({ every }), ...(await makePolyglots())]
  const taken: Taken[] = []
  for (const file of files) {
    const upload = await tryUpload(owner, file)
    if (upload) taken.push(upload)
  }
  const { served, faults } = await faultsOfServed(owner, other, taken, service.url)
  for (const fault of faults.slice(0, 10)) say(fault)
  return verdict(
    `${files.length} files, ${taken.length} taken, ${served} served, ${faults.length} with something in them`,
    {
      'something was served that must not be': faults.length === 0,
      'not all that were taken were served': served === taken.length && served > 0,
      'the service ended': service.isRunning,
    },
  )
}

async function clientOf(service: ServiceProcess, account: number): Promise<Client> {
  const cookie = await devCookie(service, account)
  return createClient(api, { baseUrl: service.url, headers: () => ({ cookie }) })
}

async function begin(afterwards: FaultTools['afterwards']): Promise<Visit> {
  const service = await startService({
    ...unlimited,
    FEED: 'off',
    CAPTIONS: 'off',
    FETCH_ALLOW: siteHost(),
  })
  const signedIn = await fetch(`${service.url}/api/dev-login`, { redirect: 'manual' })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const user = await fetch(`${service.url}/api/auth/user`, { headers: { cookie } })
  const { id: userId } = (await user.json()) as { id: string }
  const visitor = await sendVisitor(`${service.url}/healthz`)
  afterwards(() => visitor.leave())
  const visit = { service, visitor, cookie, userId }
  await useOnce(visit)
  return visit
}

/** Uses every way once: modules that load at the first use must not count for a hostile file. */
async function useOnce(visit: Visit): Promise<void> {
  const picture = await plainJpeg()
  const film = await makeFilm()
  for (const { send } of ways) {
    await send(visit, { mimeType: 'image/jpeg', fileName: 'photo.jpg' }, picture)
    await send(visit, { mimeType: 'video/mp4', fileName: 'film.mp4' }, film)
  }
  await untilQuiet(visit.service)
}

/** Measures the memory and the waits of other people, until the jobs of the work are done too. */
async function measured({ service, visitor }: Visit, work: () => Promise<string>) {
  const done = new AbortController()
  const idleMb = treeMb(service.pid)
  let maxMb = idleMb
  const watching = (async () => {
    while (!done.signal.aborted) {
      maxMb = Math.max(maxMb, treeMb(service.pid))
      await sleep(sampleMs)
    }
  })()
  await visitor.longestWait()
  const startedMs = performance.now()
  const outcome = await work().catch((error: unknown) => `no answer (${String(error)})`)
  const answerMs = Math.round(performance.now() - startedMs)
  await untilQuiet(service)
  done.abort()
  await watching
  const waitMs = Math.round(await visitor.longestWait())
  return { outcome, answerMs, growthMb: Math.round(maxMb - idleMb), waitMs }
}

async function upload(
  { service, cookie }: Visit,
  { mimeType, fileName }: Named,
  bytes: Buffer,
  source: string,
): Promise<string> {
  const body = new FormData()
  body.set('source', source)
  body.set('file', new File([new Uint8Array(bytes)], fileName, { type: mimeType }))
  const answer = await fetch(`${service.url}/api/media/upload`, {
    method: 'POST',
    headers: { cookie },
    body,
  })
  await answer.arrayBuffer()
  return String(answer.status)
}

/** Puts a file into the vault's folder directly, past the checks of uploads, and shares it. */
async function shareFound(
  { service, cookie, userId }: Visit,
  { fileName }: Named,
  bytes: Buffer,
): Promise<string> {
  const folder = join(service.folder, 'data/storage/user-media/users', userId, 'Uploads')
  await mkdir(folder, { recursive: true })
  const name = `${performance.now()}-${fileName}`
  await writeFile(join(folder, name), bytes)
  const answer = await fetch(`${service.url}/api/user/media/share`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({
      filePath: `users/${userId}/Uploads/${name}`,
      policyAgreed: true,
      tags: ['city'],
    }),
  })
  await answer.arrayBuffer()
  return String(answer.status)
}

async function importFrom(
  { service, cookie }: Visit,
  { fileName }: Named,
  bytes: Buffer,
): Promise<string> {
  served = bytes
  const answer = await fetch(`${service.url}/api/sessions/import-joip`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Far', urls: [`http://${siteHost()}/${fileName}`] }),
  })
  await answer.arrayBuffer()
  return String(answer.status)
}

function siteHost(): string {
  const { port } = site.address() as AddressInfo
  return `127.0.0.1:${port}`
}

async function compose(
  { service, cookie }: Visit,
  { mimeType, fileName }: Named,
  bytes: Buffer,
): Promise<string> {
  const body = new FormData()
  body.set('image', new File([new Uint8Array(bytes)], fileName, { type: mimeType }))
  const answer = await fetch(`${service.url}/api/babecock/upload-babe`, {
    method: 'POST',
    headers: { cookie },
    body,
  })
  await answer.arrayBuffer()
  return String(answer.status)
}

/** Returns the memory of the process and of its child processes. */
function treeMb(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + ownMb(child), residentMb(pid))
}
