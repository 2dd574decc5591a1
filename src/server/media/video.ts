/**
 * Looks into a stranger's video in a process of its own: containers are large tables and decoders
 * large programs in C, and what a hostile file does to one, to its memory or to its time, must not
 * happen to the service.
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
  /** The end is not included. */
  readonly read: (start: number, end: number) => Promise<Uint8Array>
}

export type VideoReport = z.output<typeof report>

/** Why a video is not worked on. */
export class UnfitVideo extends Error {
  override name = 'UnfitVideo'
  readonly reason: 'broken' | 'no-picture' | 'took-too-long'

  constructor(reason: UnfitVideo['reason'], options?: ErrorOptions) {
    super(`The video is unfit: ${reason}`, options)
    this.reason = reason
  }
}

const bytes = z.instanceof(Uint8Array)
const durationMs = z.int().nonnegative().nullable()
const report = z.object({
  /** As it is seen: turned, and with square pixels. */
  width: z.int().positive(),
  height: z.int().positive(),
  durationMs,
  title: z.string().nullable(),
  /** A PNG of a frame near the start, at most 1280 wide. */
  poster: bytes.nullable(),
  /** Why there is no poster, in a few words. */
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
// All of the process, of which Node itself is 85: the tables of a film of three hours take 60 more,
// copying one with packets of a megabyte 80.
const memoryLimits: Readonly<Record<VideoTask['kind'], number>> = {
  probe: 150 * megabyte,
  examine: 150 * megabyte,
  measure: 150 * megabyte,
  remux: 200 * megabyte,
}
// Until a frame is decoded. Looking into an honest film takes a sixth of this, and copying one a quarter
// of what it is given for its frames; a file of nothing but beginnings would take minutes.
const mostWorkMs = (size: number, copied: number) =>
  Math.min(1500 + size / 50_000 + copied / 7, 2000 + size / 20_000)
// A small file can claim huge frames, and decoders take memory that no option of Node limits.
const whileDecoding = { memoryBytes: 1024 * megabyte, workMs: Infinity }
const maxReadBytes = megabyte
const timeLimitMs: Readonly<Record<VideoTask['kind'], number>> = {
  probe: 10_000,
  examine: 60_000,
  measure: 60_000,
  remux: 60_000,
}
// Each part of a file is read a few times at most, and small ones do not come without end.
const mostReads = (size: number) => 4000 + size / 16_384
const mostBytesRead = (size: number) => 4 * size + 64 * maxReadBytes
// What a new file may be longer than the old one: tables that were packed more tightly.
const mostOutputBytes = (size: number) => 1.25 * size + 16 * maxReadBytes

// One at a time of each kind, as each takes its share of the memory. Somebody waits for a probe, so it
// does not wait for the long work, nor does what a request asks for wait for jobs.
const probes = new Semaphore({ atOnce: 1, reserve: 1 })
const awaited = new Semaphore({ atOnce: 1 })
const jobs = new Semaphore({ atOnce: 1 })

/** Fails with UnfitVideo where nobody could show it, or as the source does. */
export async function probeVideo(source: VideoSource): Promise<void> {
  await probes.run(() => runTask(source, { kind: 'probe', size: source.size }))
}

/** One after the other, by turns of their accounts; fails with UnfitVideo, or as the source does. */
export function examineVideo(source: VideoSource): Promise<VideoReport> {
  return inTurn(async () => {
    const said = await runTask(source, { kind: 'examine', size: source.size })
    if (!said || !('poster' in said)) throw new UnfitVideo('broken')
    return said
  })
}

/** How long it is; null where it does not say. As `examineVideo`, without decoding a frame. */
export function measureVideo(source: VideoSource): Promise<number | null> {
  return inTurn(async () => {
    const said = await runTask(source, { kind: 'measure', size: source.size })
    return said?.durationMs ?? null
  })
}

/** Hands over the pictures and the sound of a video as a new file, which goes once `use` is done. */
export async function remuxVideo<T>(
  source: VideoSource,
  container: Container,
  use: (content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const output = await openTemporary()
  try {
    await inTurn(() => runTask(source, { kind: 'remux', size: source.size, container }, output))
    const { size } = await output.stat()
    if (size === 0 || size > mostOutputBytes(source.size)) throw new UnfitVideo('broken')
    return await use(output.createReadStream({ start: 0, autoClose: false }))
  } finally {
    await output.close()
  }
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  return (currentScope().isAwaited ? awaited : jobs).run(work)
}

/** A file without a name: whatever ends this process, nothing is left of it. */
async function openTemporary(): Promise<FileHandle> {
  const path = join(tmpdir(), `lanternist-video-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

type Said = VideoReport | Pick<VideoReport, 'durationMs'> | null

/** The report, where the task was to make one. */
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
  let most = { memoryBytes: memoryLimits[task.kind], workMs: mostWorkMs(task.size, 0) }
  const endWatch = watchProcess(
    child.pid,
    () => most,
    (what) => reject(new UnfitVideo(what === 'workMs' ? 'took-too-long' : 'broken')),
  )
  const readPart = boundedReader(source)
  const send = (message: VideoMessage) => child.send(message, (error) => error && reject(error))
  const answer = async (received: unknown) => {
    const said = message.parse(received)
    if ('report' in said) resolve(said.report)
    else if ('measured' in said) resolve(said.measured)
    else if ('done' in said) resolve(null)
    else if ('decoding' in said) most = whileDecoding
    else if ('copied' in said) most = { ...most, workMs: mostWorkMs(task.size, said.copied) }
    else if ('unfit' in said) reject(new UnfitVideo(said.unfit, { cause: said.why }))
    else send({ read: said.read, bytes: await readPart(said.start, said.end) })
  }
  child.on('message', (received) => void answer(received).catch(reject))
  child.on('error', reject)
  // Without a word: its memory was not enough, or the decoder fell over the file.
  child.on('exit', () => reject(new UnfitVideo('broken')))
  // What a job does can wait; what a request has asked for is waited for.
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
    if (!isWithin || reads > mostReads(size) || bytesRead > mostBytesRead(size))
      throw new UnfitVideo('broken')
    return read(start, end)
  }
}
