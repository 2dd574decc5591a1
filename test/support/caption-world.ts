/** A world with its own caption server, and pictures to caption. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import { createCaptionWriter } from '../../src/server/features/captions/provider/caption-writer.ts'
import { createOpenAiProvider } from '../../src/server/features/captions/provider/openai.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import type { CaptionServer } from './caption-server.ts'
import { serveCaptions } from './caption-server.ts'
import { eventually } from './eventually.ts'
import type { FakeFeed } from './fake-feed.ts'
import { createFakeFeed, pictures } from './fake-feed.ts'
import type { Person, World } from './world.ts'
import { createWorld } from './world.ts'

export type CaptionWorld = World & {
  readonly server: CaptionServer
  readonly site: PictureSite
  readonly feed: FakeFeed
  /** The pauses between retries, in order. */
  readonly pauses: number[]
  readonly grant: (person: Person, amount: number) => Promise<void>
  readonly balanceOf: (person: Person) => Promise<number>
  /** Waits until no debit and no hold is pending. */
  readonly settled: () => Promise<void>
  readonly verifyAge: (person: Person) => Promise<void>
  /** Creates a filled session with slides that the site serves. Returns its id. */
  readonly makeSession: (
    person: Person,
    change?: Record<string, unknown>,
    slides?: { count?: number; nsfw?: boolean },
  ) => Promise<number>
}

export async function createCaptionWorld(
  options: {
    settings?: Record<string, string>
    budgetMs?: number
    server?: CaptionServer
    site?: PictureSite
    database?: DatabaseHandle
  } = {},
): Promise<CaptionWorld> {
  const server = options.server ?? (await serveCaptions())
  const site = options.site ?? (await servePictures())
  const feed = createFakeFeed()
  const pauses: number[] = []
  let now = () => new Date()
  const provider = createOpenAiProvider(
    { baseUrl: server.url, apiKey: 'test-key', model: 'test-model' },
    { fetch, now: () => now() },
  )
  const captions = createCaptionWriter(provider, {
    sleep: async (ms) => void pauses.push(ms),
    budgetMs: options.budgetMs ?? 20_000,
  })
  const settings = { FETCH_ALLOW: site.host, ...options.settings }
  const database = options.database ? { database: options.database } : {}
  const world = await createWorld(settings, { captions, feed, ...database })
  now = () => world.clock.now()
  return {
    ...world,
    server,
    site,
    feed,
    pauses,
    async reset() {
      server.reset()
      site.reset()
      feed.reset()
      pauses.length = 0
      await world.reset()
    },
    async grant(person, amount) {
      const { id } = await person.accounts.currentUser()
      const admin = world.visitor()
      await admin.accounts.devSignIn()
      await admin.credits.grant({ params: { id }, body: { amount, reason: 'For tests' } })
    },
    balanceOf: async (person) => (await person.credits.balance()).balance,
    async settled() {
      await eventually(async () => {
        const holds = await world.ctx.db.selectFrom('credit_holds').select('id').execute()
        if (holds.length > 0) throw new Error('credits are still held')
      })
    },
    async verifyAge(person) {
      await person.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
    },
    async makeSession(person, change = {}, { count = 12, nsfw = false } = {}) {
      const media = pictures('city', count).map((one, n) => ({
        ...one,
        mediaUrl: site.url(`/${n}.jpg`),
        nsfw,
      }))
      feed.put('city', media)
      const body = { title: 'Evening', subfeeds: 'city', ...change }
      const { id } = await person.sessions.create({ body })
      await world.runJobs()
      return id
    },
    async close() {
      await world.close()
      if (!options.server) await server.close()
      if (!options.site) await site.close()
    },
  }
}

export type Sent = {
  readonly type: string
  readonly bytes: Buffer
  /** True for a file without content-length whose HEAD requests fail. */
  readonly isSilent?: boolean
}

export type PictureSite = Awaited<ReturnType<typeof servePictures>>

/** Serves pictures: /<number>.jpg is generated, other files are added by the test. */
export async function servePictures() {
  const files = new Map<string, Sent>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request
    requests.push(`${method} ${url}`)
    void find(url).then((file) => {
      if (!file) return response.writeHead(404).end()
      if (file.isSilent && method === 'HEAD') return response.writeHead(405).end()
      const size = file.isSilent ? {} : { 'content-length': file.bytes.length }
      response.writeHead(200, { 'content-type': file.type, ...size })
      return response.end(method === 'HEAD' ? undefined : file.bytes)
    })
  })
  async function find(url: string): Promise<Sent | null> {
    const file = files.get(url)
    const [, number] = /^\/(\d+)\.jpg$/.exec(url) ?? []
    if (file || number === undefined) return file ?? null
    const painted = { type: 'image/jpeg', bytes: await paint(Number(number)) }
    files.set(url, painted)
    return painted
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    requests,
    put: (path: string, file: Sent) => void files.set(path, file),
    reset() {
      files.clear()
      requests.length = 0
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Draws a small picture for each number. */
export function paint(number: number, size = { width: 120, height: 80 }): Promise<Buffer> {
  const background = { r: (number * 53) % 256, g: (number * 97) % 256, b: (number * 31) % 256 }
  return sharp({ create: { ...size, channels: 3, background } })
    .jpeg()
    .toBuffer()
}

export async function dataUrl(number: number): Promise<string> {
  return `data:image/jpeg;base64,${(await paint(number)).toString('base64')}`
}

/** Creates an animation of two frames. */
export async function animation(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(
    ['#102030', '#f0e0d0'].map((background) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const joined = sharp(frames, { join: { animated: true } })
  return format === 'gif' ? joined.gif().toBuffer() : joined.webp().toBuffer()
}
