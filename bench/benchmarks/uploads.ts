/**
 * Uploads of 5 MB and 100 MB. Raw writes to the disk without flushing. A second variant compares with a raw
 * server that flushes (fsync, rename), as ours always does.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { pngChunk } from '../../test/support/hostile-media.ts'
import type { Benchmark, Call, TimedRequest } from '../harness/benchmark.ts'
import { cookieOf, seedPeople } from '../harness/people.ts'
import type { Scale } from '../harness/scale.ts'

const bytesPerMb = 1_048_576
const boundary = 'a-boundary-that-no-file-has'

const upload = (megabytes: number, connections: number, flush: boolean): TimedRequest => ({
  name: `upload of ${megabytes} MB${flush ? ', raw flushes too' : ''}`,
  connections,
  minSeconds: megabytes / 10,
  calls: [uploadBy(1, megabytes, flush)],
  comparable,
  tidy,
})

export const benchmark = (scale: Scale): Benchmark => {
  const [small, large] = scale([5, 100] as const, [0.1, 0.5] as const)
  const [many, few] = scale([8, 4] as const, [2, 1] as const)
  return {
    // The files are not examined: the other contenders have no worker for that.
    ours: 'without workers',
    seed: async (scripts) => {
      await seedPeople(scripts, scale)
      // The job table of raw and conventional; ours has the table of its own queue.
      await scripts.run(`
        create table bench_jobs (id bigint generated always as identity primary key,
          name text not null, payload jsonb not null, created_at timestamptz not null)`)
    },
    requests: [
      upload(small, many, false),
      upload(small, many, true),
      upload(large, few, false),
      upload(large, few, true),
    ],
  }
}

function uploadBy(person: number, megabytes: number, flush: boolean): Call {
  return {
    method: 'POST',
    path: '/api/media/upload',
    headers: {
      cookie: cookieOf(person),
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(flush ? { 'x-bench-flush': 'yes' } : {}),
    },
    body: formOf(megabytes * bytesPerMb),
  }
}

/** Builds the form. The source is first, as our own clients send it, and the file starts like a PNG. */
function formOf(fileBytes: number): Buffer {
  const head = [
    `--${boundary}\r\ncontent-disposition: form-data; name="source"\r\n\r\ngeneral\r\n`,
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="photo.png"\r\n`,
    'content-type: image/png\r\n\r\n',
  ].join('')
  return Buffer.concat([
    Buffer.from(head),
    pngOf(fileBytes),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
}

/**
 * Makes a picture of noise, because other content is refused: bytes of all values, like in a compressed
 * picture, and about as many as requested.
 */
function pngOf(bytes: number): Buffer {
  const side = Math.floor(Math.sqrt(bytes / 8))
  const rowBytes = side * 8 + 1
  const rows = Buffer.alloc(rowBytes * side)
  for (let at = 0, state = 1; at < rows.length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    rows[at] = at % rowBytes === 0 ? 0 : state >>> 24
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side)
  head.writeUInt32BE(side, 4)
  // Sixteen bits of red, green, blue and alpha, so that a large file does not have too many pixels.
  head.set([16, 6], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(rows, { level: 0 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Ignores names and addresses: each contender stores its own file. */
function comparable(body: unknown): unknown {
  const { source, ...named } = body as Record<string, unknown>
  return {
    source,
    ...Object.fromEntries(Object.keys(named).map((key) => [key, typeof named[key]])),
  }
}

/** Deletes the uploads: a minute of them would fill any disk. */
async function tidy(folder: string): Promise<void> {
  for (const place of ['storage/user-media/users', 'raw', 'conventional'])
    // Writes that were unfinished at the end of the round may create files meanwhile.
    await rm(join(folder, place), { recursive: true, force: true, maxRetries: 10 })
}
