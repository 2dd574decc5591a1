/**
 * Examines an untrusted video in a separate process. Containers are large tables and decoders large
 * programs in C. A hostile file may crash that process, or use up its memory or time, but not the
 * service's.
 */
import { randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { forkBounded, watchProcess } from '../platform/bounded-process.ts'
import { currentScope } from '../platform/concurrency/account-scope.ts'
import { Semaphore } from '../platform/concurrency/semaphore.ts'
import type { VideoMessage, VideoTask } from './video-process.ts'
import type { Container } from './video-remux.ts'

export type VideoSource = {
  readonly size: number
  /** Reads a range. The end is excluded. */
  readonly read: (start: number, end: number) => Promise<Uint8Array>
}

export type VideoReport = z.output<typeof report>

/** The reason for refusing a video. */
export class UnfitVideo extends Error {
  override name = 'UnfitVideo'
  readonly reason: 'broken' | 'no-picture' | 'took-too-long'

  constructor(reason: UnfitVideo['reason'], options?: ErrorOptions) {
    super(`The video cannot be used: ${reason}`, options)
    this.reason = reason
  }
}

const bytes = z.instanceof(Uint8Array)
const durationMs = z.int().nonnegative().nullable()
const report = z.object({
  /** The size as displayed: rotated, and with square pixels. */
  width: z.int().positive(),
  height: z.int().positive(),
  durationMs,
  title: z.string().nullable(),
  /** A PNG of a frame near the start, at most 1280 wide. */
  poster: bytes.nullable(),
  /** The reason for a missing poster, in a few words. */
  posterMissing: z.string().nullable(),
})
const message = z.union([
  z.object({ read: z.int(), start: z.int().nonnegative(), end: z.int().nonnegative() }),
  z.object({ report }),
  z.object({ measured: z.object({ durationMs }) }),
  z.object({ decoding: z.literal(true) }),
  z.object({ copied: z.int().nonnegative() }),
  z.object({ done: z.literal(true) }),
  z.object({ unfit: z.enum(['broken', 'no-picture']), why: z.string() }),
])

const heapMegabytes = 96
const megabyte = 1024 * 1024
// The memory of the whole process, of which Node uses 85 MB. The tables of a film of three hours take 60 MB
// more, and copying one with packets of a megabyte takes 80 MB more.
const memoryLimits: Readonly<Record<VideoTask['kind'], number>> = {
  probe: 150 * megabyte,
  examine: 150 * megabyte,
  measure: 150 * megabyte,
  remux: 200 * megabyte,
}
// The limit until a frame is decoded. Examining a valid film takes a sixth of it, and copying one takes a
// quarter of the time allowed for its frames. A file of nothing but headers would take minutes.
const maxWorkMs = (size: number, copied: number) =>
  Math.min(1500 + size / 50_000 + copied / 7, 2000 + size / 20_000)
// A small file can claim huge frames, and decoders use memory that no option of Node limits.
const whileDecoding = { memoryBytes: 1024 * megabyte, workMs: Infinity }
const maxReadBytes = megabyte
const timeLimitMs: Readonly<Record<VideoTask['kind'], number>> = {
  probe: 10_000,
  examine: 60_000,
  measure: 60_000,
  remux: 60_000,
}
// Each part of a file is read a few times at most, and the number of small reads is limited.
const maxReads = (size: number) => 4000 + size / 16_384
const maxBytesRead = (size: number) => 4 * size + 64 * maxReadBytes
// A new file may be longer than the old one: its tables may be packed less tightly.
const maxOutputBytes = (size: number) => 1.25 * size + 16 * maxReadBytes

// One process of each kind at a time, because each needs its share of memory. A user waits for a probe, so
// it does not queue behind long work. Work for requests does not queue behind jobs.
const probes = new Semaphore({ atOnce: 1, reserve: 1 })
const awaited = new Semaphore({ atOnce: 1 })
const jobs = new Semaphore({ atOnce: 1 })

/** Throws UnfitVideo if the video cannot be shown, or the source's own error. */
export async function probeVideo(source: VideoSource): Promise<void> {
  await probes.run(() => runTask(source, { kind: 'probe', size: source.size }))
}

/**
 * Examines videos one at a time, with accounts taking turns. Throws UnfitVideo, or the source's own error.
 */
export function examineVideo(source: VideoSource): Promise<VideoReport> {
  return inTurn(async () => {
    const said = await runTask(source, { kind: 'examine', size: source.size })
    if (!said || !('poster' in said)) throw new UnfitVideo('broken')
    return said
  })
}

/** Returns the duration, or null if the file has none. Decodes no frame, unlike `examineVideo`. */
export function measureVideo(source: VideoSource): Promise<number | null> {
  return inTurn(async () => {
    const said = await runTask(source, { kind: 'measure', size: source.size })
    return said?.durationMs ?? null
  })
}

/** Passes the video and audio packets as a new file to `use`. The file is deleted afterwards. */
export async function remuxVideo<T>(
  source: VideoSource,
  container: Container,
  use: (content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const output = await openTemporary()
  try {
    await inTurn(() => runTask(source, { kind: 'remux', size: source.size, container }, output))
    const { size } = await output.stat()
    if (size === 0 || size > maxOutputBytes(source.size)) throw new UnfitVideo('broken')
    return await use(output.createReadStream({ start: 0, autoClose: false }))
  } finally {
    await output.close()
  }
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  return (currentScope().isAwaited ? awaited : jobs).run(work)
}

/** Opens a file without a name: however this process ends, the file is deleted. */
async function openTemporary(): Promise<FileHandle> {
  const path = join(tmpdir(), `lanternist-video-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

type Said = VideoReport | Pick<VideoReport, 'durationMs'> | null

/** Runs a task in a child process. Returns the report, if the task makes one. */
function runTask(
  source: VideoSource,
  task: VideoTask,
  output: FileHandle | null = null,
): Promise<Said> {
  const { promise, resolve, reject } = Promise.withResolvers<Said>()
  const child = forkBounded(new URL('./video-process.ts', import.meta.url), {
    heapMegabytes,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', output?.fd ?? 'ignore'],
  })
  const timer = setTimeout(() => reject(new UnfitVideo('took-too-long')), timeLimitMs[task.kind])
  let max = { memoryBytes: memoryLimits[task.kind], workMs: maxWorkMs(task.size, 0) }
  const endWatch = watchProcess(
    child.pid,
    () => max,
    (what) => reject(new UnfitVideo(what === 'workMs' ? 'took-too-long' : 'broken')),
  )
  const readPart = boundedReader(source)
  const send = (message: VideoMessage) => child.send(message, (error) => error && reject(error))
  const answer = async (received: unknown) => {
    const said = message.parse(received)
    if ('report' in said) resolve(said.report)
    else if ('measured' in said) resolve(said.measured)
    else if ('done' in said) resolve(null)
    else if ('decoding' in said) max = whileDecoding
    else if ('copied' in said) max = { ...max, workMs: maxWorkMs(task.size, said.copied) }
    else if ('unfit' in said) reject(new UnfitVideo(said.unfit, { cause: said.why }))
    else send({ read: said.read, bytes: await readPart(said.start, said.end) })
  }
  child.on('message', (received) => void answer(received).catch(reject))
  child.on('error', reject)
  // An exit without a message: the process ran out of memory, or the decoder crashed.
  child.on('exit', () => reject(new UnfitVideo('broken')))
  // Jobs can wait, but a user waits for the work of a request.
  send({ task, maxReadBytes, givesWay: !currentScope().isAwaited })
  return promise.finally(() => {
    clearTimeout(timer)
    endWatch()
    child.kill('SIGKILL')
  })
}

function boundedReader({ size, read }: VideoSource): VideoSource['read'] {
  let reads = 0
  let bytesRead = 0
  return (start, end) => {
    reads += 1
    bytesRead += end - start
    const isWithin = start <= end && end <= size && end - start <= maxReadBytes
    if (!isWithin || reads > maxReads(size) || bytesRead > maxBytesRead(size))
      throw new UnfitVideo('broken')
    return read(start, end)
  }
}
