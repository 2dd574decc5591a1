/**
 * Composes two JPEGs of 2000 × 2000, compared with bare sharp, and measures the effect on other requests:
 * the time of a list of sessions while the service is idle, and while pictures are composed.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { signMediaUrl } from '../../src/server/http/media/media-url.ts'
import type { Benchmark, Call, TimedRequest } from '../harness/benchmark.ts'
import { cookieOf, seedPeople, sessionSecret } from '../harness/people.ts'
import type { Scale } from '../harness/scale.ts'
import { listersOf50, makers, seedSessions } from '../harness/session-rows.ts'

/** The pictures, uploaded in advance like in a browser. */
const files = ['bench/first.jpg', 'bench/second.jpg'] as const
const [firstUrl, secondUrl] = files.map((key) =>
  signMediaUrl({ secrets: [sessionSecret], bucket: 'user-media', key }),
)
const body = JSON.stringify({ babeImageUrl: firstUrl, cockImageUrl: secondUrl })

const composeBy = (person: number): Call => ({
  method: 'POST',
  path: '/api/babecock/generate',
  headers: { cookie: cookieOf(person), 'content-type': 'application/json' },
  body,
})

const listOf = (person: number): Call => ({
  method: 'GET',
  path: '/api/sessions',
  headers: { cookie: cookieOf(person) },
})

const composing: Pick<TimedRequest, 'connections' | 'calls'> = {
  connections: 2,
  calls: [composeBy(makers[0] ?? 101), ...makers.slice(1, 8).map(composeBy)],
}

const listing = {
  connections: 4,
  perSecond: 100,
  minSeconds: 10,
  calls: [listOf(listersOf50[0] ?? 1), ...listersOf50.slice(1).map(listOf)],
} satisfies Omit<TimedRequest, 'name'>

export const benchmark = (scale: Scale): Benchmark => {
  const sidePx = scale(2000, 200)
  return {
    ours: 'without workers',
    seed: async (scripts) => {
      await seedPeople(scripts, scale)
      await seedSessions(scripts)
    },
    place: async (folder) => {
      for (const [place, key] of files.entries()) {
        const path = join(folder, 'storage/user-media', key)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, await photograph(place + 1, sidePx))
      }
    },
    requests: [
      { name: `compose two of ${sidePx} px`, ...composing, minSeconds: 10, comparable, tidy },
      { name: 'list of 50, nothing else', ...listing },
      { name: 'list of 50 while composing', ...listing, beside: composing, tidy },
    ],
  }
}

/** Makes soft shapes with some grain, like a camera: about a megabyte. */
async function photograph(seed: number, sidePx: number): Promise<Buffer> {
  const cells = 24
  let state = seed
  const pixels = Buffer.alloc(cells * cells * 3)
  for (let place = 0; place < pixels.length; place += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    pixels[place] = state >>> 24
  }
  const shapes = await sharp(pixels, { raw: { width: cells, height: cells, channels: 3 } })
    .resize(sidePx, sidePx, { kernel: 'cubic' })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 12 }
  const create = { width: sidePx, height: sidePx, channels: 3 as const, background: 'grey', noise }
  return sharp(shapes)
    .composite([{ input: { create }, blend: 'soft-light' }])
    .jpeg({ quality: 90 })
    .toBuffer()
}

/** Ignores the address, which differs between contenders. */
function comparable(answer: unknown): unknown {
  const { imageUrl, ...rest } = answer as Record<string, unknown>
  return { ...rest, imageUrl: typeof imageUrl }
}

async function tidy(folder: string): Promise<void> {
  for (const place of ['storage/user-media/users', 'raw', 'conventional'])
    // Writes that were unfinished at the end of the round may create files meanwhile.
    await rm(join(folder, place), { recursive: true, force: true, maxRetries: 10 })
}
