/** Many large uploads at once: the service streams them and does not collect them in memory. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import { residentMb } from '../support/process-figures.ts'
import { makeFilm } from '../support/sample-media.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { devCookie, startService, unlimited } from '../support/service-process.ts'
import { boundary } from '../support/vault-world.ts'

const bytesPerMb = 1_048_576
const uploads = 20
// An account may have at most eight uploads at a time.
const people = [1, 2, 3]
const uploadMb = 100
const maxGrowthMb = 200
const sampleMs = 50

export const row: FaultRow = {
  budgetSeconds: 240,
  runs: 'in the table',
  machine: 'shared',
  shortTests: ['test/api/long-uploads.test.ts', 'test/api/vault-upload-limits.test.ts'],
  mutant: {
    file: 'src/server/features/vault/upload/upload.ts',
    line: 'const coming = renewAnnouncement(ctx, reserved.file, hashed(hash, content))',
    becomes:
      'const coming = renewAnnouncement(ctx, reserved.file, (async function* () { const all = []; for await (const chunk of hashed(hash, content)) all.push(Buffer.from(chunk)); yield* all })())',
  },
  checks: [
    {
      load: `${uploads} uploads of ${uploadMb} MB at once`,
      goal: `RSS ≤ +${maxGrowthMb} MB, all stored whole`,
      run: runUploads,
    },
  ],
}

async function runUploads({ scaled }: FaultTools): Promise<Verdict> {
  const service = await startService({ ...unlimited, FEED: 'off', CAPTIONS: 'off' })
  const cookies = await Promise.all(people.map((account) => devCookie(service, account)))
  const cookieOf = (index: number) => cookies[index % cookies.length] ?? ''
  // The cost of the first upload must not count for the others.
  assert.match(await upload(service, cookieOf(0), 1), /^HTTP\/1\.1 200 /)
  const watch = watchMemory(service)
  const startedMs = performance.now()
  const count = scaled(uploads, 4)
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => upload(service, cookieOf(index), uploadMb)),
  )
  const seconds = (performance.now() - startedMs) / 1000
  const growthMb = await watch.stop()
  const isTaken = answers.every((answer) => answer.startsWith('HTTP/1.1 200 '))
  return verdict(
    `${count * uploadMb} MB in ${seconds.toFixed(1)} s, RSS +${growthMb.toFixed(0)} MB`,
    {
      'an upload was refused': isTaken,
      'not all were stored whole': (await countStored(service, cookies)) === count,
      'too much memory': growthMb <= maxGrowthMb,
    },
  )
}

async function countStored(service: ServiceProcess, cookies: readonly string[]): Promise<number> {
  let whole = 0
  for (const cookie of cookies) {
    const response = await fetch(`${service.url}/api/user/media`, { headers: { cookie } })
    const { files } = (await response.json()) as { files: { size: number }[] }
    whole += files.filter(({ size }) => size === uploadMb * bytesPerMb).length
  }
  return whole
}

const chunk = Buffer.alloc(65_536, 7)

/** Uploads a short film, followed by padding to any length. */
async function upload({ url }: ServiceProcess, cookie: string, megabytes: number): Promise<string> {
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="film.mp4"\r\n` +
      'content-type: video/mp4\r\n\r\n',
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const fileBytes = megabytes * bytesPerMb
  const shown = await makeFilm({ frames: 3 })
  const rest = Buffer.from('\0\0\0\0free', 'latin1')
  rest.writeUInt32BE(fileBytes - shown.length)
  const film = Buffer.concat([shown, rest])
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let answer = ''
    let left = fileBytes - film.length
    const socket = connect(Number(port), hostname)
    const send = () => {
      while (left > 0) {
        const part = left < chunk.length ? chunk.subarray(0, left) : chunk
        left -= part.length
        if (!socket.write(part)) return
      }
      socket.off('drain', send)
      socket.write(tail)
    }
    socket
      .on('error', reject)
      .on('drain', send)
      .on('close', () => resolve(answer))
    socket.on('data', (bytes) => (answer += bytes.toString()))
    socket.write(
      `POST /api/media/upload HTTP/1.1\r\nhost: ${hostname}:${port}\r\nconnection: close\r\n` +
        `cookie: ${cookie}\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\n` +
        `content-length: ${head.length + fileBytes + tail.length}\r\n\r\n`,
    )
    socket.write(Buffer.concat([head, film]))
    send()
  })
}

/**
 * Measures the largest growth over the lowest value so far, because memory of the start is freed
 * meanwhile.
 */
function watchMemory(service: ServiceProcess) {
  const stopped = new AbortController()
  const watching = (async () => {
    let [minMb, growthMb] = [residentMb(service.pid), 0]
    while (!stopped.signal.aborted) {
      await sleep(sampleMs)
      const nowMb = residentMb(service.pid)
      minMb = Math.min(minMb, nowMb)
      growthMb = Math.max(growthMb, nowMb - minMb)
    }
    return growthMb
  })()
  return {
    stop() {
      stopped.abort()
      return watching
    },
  }
}
