/**
 * A seeded site with a node in this process, and the visits that cause most of its work: frequent reads,
 * typical writes, and every sweep job.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '../../src/server/config/config.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { runJob } from '../../src/server/jobs/job.ts'
import { startNode } from '../../src/server/node.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { signatureOf } from '../../src/server/platform/signature.ts'
import { unlimited } from './service-process.ts'
import type { SiteSize } from './size-rows.ts'
import { frameToken, roomCode, seededSecret, shareCode, signInSecret } from './size-rows.ts'

export type Visit = readonly [name: string, visit: () => Promise<unknown>]

export async function openSeededSite(databaseUrl: string, size: SiteSize) {
  const dataDir = await mkdtemp(join(tmpdir(), 'lanternist-size-'))
  const config = parseConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    BASE_URL: 'http://localhost',
    SESSION_SECRET: seededSecret,
    FEED: 'off',
    ...unlimited,
  })
  const node = await startNode(config, {
    webFolder: null,
    worksOnJobs: false,
    replacements: { database: await connectToServer(databaseUrl), log: createLog('error') },
  })

  /** Returns the visits of one person, who has the session of the same number. */
  const visitsOf = (person: number) => visitsAt(node.url, size, person)
  const sweeps: Visit[] = node.ctx.queue.jobs
    .filter(({ schedule }) => schedule !== undefined)
    .map((job) => [`job ${job.name}`, () => runJob(node.ctx, job, {})])
  return {
    visitsOf,
    sweeps,
    async close() {
      await node.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function visitsAt(
  url: string,
  size: SiteSize,
  person: number,
): { reads: Visit[]; writes: Visit[] } {
  const session = person
  const secret = signInSecret(person)
  const cookie = `connect.sid=${secret}.${signatureOf([seededSecret], 'cookie', secret)}`
  const call = async (method: string, path: string, body?: object, headers: object = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        cookie,
        origin: 'http://localhost',
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} is answered ${response.status}: ${text}`)
    return text
  }
  const get = (path: string, headers: object = {}): Visit => [
    `GET ${path}`,
    () => call('GET', path, undefined, headers),
  ]
  const send = (method: string, path: string, body?: object, headers: object = {}): Visit => [
    `${method} ${path}`,
    () => call(method, path, body, headers),
  ]
  const share = shareCode(numberIn(person, size.sessions / 25))
  // Every ninth is for adults.
  const publication = Math.floor((numberIn(person, size.sessions / 20) - 1) / 9) * 9 + 1
  const firstSlide = (session - 1) * Math.round(size.slides / size.sessions) + 1

  const reads: Visit[] = [
    get('/api/auth/user'),
    get('/api/sessions'),
    get('/api/sessions?limit=20'),
    get('/api/sessions?q=evening&tags=city'),
    get(`/api/sessions/${session}`),
    get('/api/community'),
    get('/api/community?kind=sessions&sort=popular'),
    get('/api/community?tags=city'),
    // A small limit, so that a small site fills it too and the responses have the same length.
    get('/api/community?kind=sessions&categorySlug=story&limit=5'),
    get('/api/community?kind=sessions&q=evening'),
    get(`/api/community/sessions/${publication}`),
    get('/api/community/published'),
    get('/api/user/media?limit=50'),
    get('/api/user/media?limit=50&category=upload'),
    get('/api/user/storage'),
    get('/api/credits/balance'),
    get('/api/credits/transactions'),
    get('/api/credits/stats'),
    get('/api/credits/spending'),
    get('/api/credits/pricing'),
    get('/api/user/daily-bonus/status'),
    get('/api/user/notices'),
    get('/api/user/referrals'),
    get('/api/payments'),
    get('/api/trash'),
    get('/api/frames'),
    get(`/api/frames/${frameToken(numberIn(person, size.users / 10))}/playlist`),
    get(`/api/rooms/${roomCode(numberIn(person, size.users / 50))}`),
    get(`/api/shared/${share}/preview`),
    get(`/api/shared/${share}`),
    get('/api/auth/sign-ins'),
    get('/api/auth/user/holdings'),
    get('/api/site'),
    get('/api/tags'),
  ]
  const writes: Visit[] = [
    [
      `POST /api/sessions/${session}/play and views`,
      async () => {
        const answer = await call('POST', `/api/sessions/${session}/play`, {})
        const { playId } = JSON.parse(answer) as { playId: number }
        await call('POST', `/api/plays/${playId}/views`, { mediaIds: [firstSlide, firstSlide + 1] })
      },
    ],
    send('PATCH', `/api/sessions/${session}`, { title: 'Another evening' }),
    send('PATCH', `/api/sessions/${session}/media/${firstSlide}`, { caption: 'The lamps come on' }),
    send('POST', '/api/user/notices/read', {}),
    send('POST', '/api/user/daily-bonus/claim', {}),
    send('POST', '/api/rooms', { sessionId: session }),
    send('POST', `/api/sessions/${session}/share`, {}),
    send('DELETE', `/api/sessions/${session}`),
  ]
  return { reads, writes }
}

/** Returns one of `count` numbers, different for each person. */
function numberIn(person: number, count: number): number {
  return ((person - 1) % Math.max(1, Math.floor(count))) + 1
}
