/** The cost of checking an access grant each time its address is requested. */
import { Agent, get } from 'node:http'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import { noise } from '../support/pictures.ts'
import { cpuMs } from '../support/process-figures.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { startService } from '../support/service-process.ts'

const slideCounts = [25, 500] as const
const connections = 16
const requestsInRound = 400
const rounds = 4
const maxRatio = 1.5

export const row: FaultRow = {
  budgetSeconds: 240,
  runs: 'in the table',
  machine: 'shared',
  shortTests: ['test/api/media-grants.test.ts'],
  mutant: {
    file: 'src/server/features/files/address-access.ts',
    line: 'if (grant !== null) return grantOpensFile(ctx, grant, file.key, file.bucket)',
    becomes:
      'if (grant !== null) for (let n = 0; n < 9; n += 1) if (!(await grantOpensFile(ctx, grant, file.key, file.bucket)) || n === 8) return n === 8',
  },
  checks: [
    {
      load: `${rounds * requestsInRound} reads of a file by a grant and by its owner, in turns`,
      goal: `a grant takes at most ${maxRatio} times the processor`,
      run: runGrants,
    },
  ],
}

type Costs = { cpuMs: number; wallMs: number; requests: number }

async function runGrants({ say, scaled, afterwards }: FaultTools): Promise<Verdict> {
  const home = await newServerHome({ afterwards })
  const service = await startService({ ...home.settings, CAPTIONS: 'off' })
  const ratios: number[] = []
  for (const slides of slideCounts) {
    const { owners, given, reads } = await prepare(service, slides)
    const count = scaled(requestsInRound, 50)
    const files = await compare(service, count, [
      { cookie: '', path: owners },
      { cookie: '', path: given },
    ])
    report(say, `a file of ${slides} slides`, 'the owner’s address', 'the grant’s', files)
    const sessions = await compare(service, count, [reads.owner, reads.other])
    report(say, `a session of ${slides} slides`, 'by its owner', 'by another', sessions)
    ratios.push(ratioOf(files))
  }
  return verdict(`${ratios.map((ratio) => ratio.toFixed(2)).join(' and ')} times`, {
    'it takes too much': ratios.every((ratio) => ratio <= maxRatio),
  })
}

type Asked = { readonly path: string; readonly cookie: string }

async function prepare(service: ServiceProcess, count: number) {
  const [owner, other] = [await signIn(service, 1), await signIn(service, 2)]
  const file = new File([new Uint8Array(await noise(400, 300))], 'photo.jpg', {
    type: 'image/jpeg',
  })
  const { fileUrl } = await owner.client.vault.upload({ form: { file, source: 'thumbnail' } })
  const slides = Array.from({ length: count }, (_, n) => ({
    mediaUrl: fileUrl,
    caption: `No. ${n}`,
  }))
  const body = { title: 'Mine', slides, isPublic: true }
  const { session, media } = await owner.client.sessions.createManual({ body })
  // The requested file is on the last slide, where the lookup takes longest.
  const last = new File([new Uint8Array(await noise(400, 300, 'jpeg', 2))], 'last.jpg', {
    type: 'image/jpeg',
  })
  const uploaded = await owner.client.vault.upload({ form: { file: last, source: 'thumbnail' } })
  const kept = media.slice(1).map(({ id }) => ({ id }))
  const params = { id: String(session.id) }
  await owner.client.sessions.replaceMedia({
    params,
    body: { slides: [...kept, { mediaUrl: uploaded.fileUrl }] },
  })
  const read = await other.client.sessions.read({ params })
  const path = `/api/sessions/${session.id}`
  return {
    owners: uploaded.fileUrl,
    given: read.media.at(-1)?.mediaUrl ?? '',
    reads: { owner: { path, cookie: owner.cookie }, other: { path, cookie: other.cookie } },
  }
}

/** Compares the two in alternate rounds, so that other load on the machine affects both. */
async function compare(
  service: ServiceProcess,
  count: number,
  [first, second]: readonly [Asked, Asked],
) {
  const none = (): Costs => ({ cpuMs: 0, wallMs: 0, requests: 0 })
  const sums: [Costs, Costs] = [none(), none()]
  for (const asked of [first, second]) await ask(service, asked, count)
  for (let round = 0; round < rounds; round += 1)
    for (const [index, asked] of [first, second].entries()) {
      const sum = sums[index === 0 ? 0 : 1]
      const [beforeMs, startedMs] = [cpuMs(service.pid), performance.now()]
      await ask(service, asked, count)
      sum.cpuMs += cpuMs(service.pid) - beforeMs
      sum.wallMs += performance.now() - startedMs
      sum.requests += count
    }
  return sums
}

function ratioOf([first, second]: readonly [Costs, Costs]): number {
  return second.cpuMs / first.cpuMs
}

function report(
  say: (line: string) => void,
  what: string,
  first: string,
  second: string,
  costs: readonly [Costs, Costs],
): void {
  const words = costs.map(
    ({ cpuMs, wallMs, requests }, index) =>
      `${index === 0 ? first : second} ${((requests / cpuMs) * 1000).toFixed(0)} a CPU-second ` +
      `(${((requests / wallMs) * 1000).toFixed(0)} a second)`,
  )
  say(`${what}: ${words.join(', ')}, ratio ${ratioOf(costs).toFixed(2)}`)
}

async function ask(service: ServiceProcess, { path, cookie }: Asked, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let left = count
  const one = () =>
    new Promise<void>((resolve, reject) => {
      get(`${service.url}${path}`, { agent, headers: { cookie } }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
        response.resume().once('end', resolve).once('error', reject)
      }).once('error', reject)
    })
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) await one()
    }),
  )
  agent.destroy()
}

async function signIn({ url }: ServiceProcess, account: number) {
  const response = await fetch(`${url}/api/dev-login?account=${account}`, { redirect: 'manual' })
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { client: createClient(api, { baseUrl: url, headers: () => ({ cookie }) }), cookie }
}
