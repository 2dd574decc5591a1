/**
 * Looks into a stranger's video in a process of its own: decoders are large programs in C, and what
 * a hostile file does to one, to its memory or to its time, must not happen to the service.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { FairSemaphore } from './fair-semaphore.ts'

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
const report = z.object({
  /** As it is seen: turned, and with square pixels. */
  width: z.int().positive(),
  height: z.int().positive(),
  durationMs: z.int().nonnegative().nullable(),
  title: z.string().nullable(),
  /** A PNG of a frame near the start, at most 1280 wide. */
  poster: bytes.nullable(),
  /** Why there is no poster, in a few words. */
  posterMissing: z.string().nullable(),
})
const message = z.union([
  z.object({ read: z.int(), start: z.int().nonnegative(), end: z.int().nonnegative() }),
  z.object({ report }),
  z.object({ unfit: z.enum(['broken', 'no-picture']), why: z.string() }),
])

const memoryMegabytes = 384
const maxReadBytes = 64 * 1024 * 1024
const timeLimitMs = 60_000

const processes = new FairSemaphore({ atOnce: 1 })

/** One after the other, by turns of their accounts; fails with UnfitVideo, or as the source does. */
export function examineVideo(source: VideoSource): Promise<VideoReport> {
  return processes.run(() => examine(source))
}

function examine(source: VideoSource): Promise<VideoReport> {
  const { promise, resolve, reject } = Promise.withResolvers<VideoReport>()
  const child = fork(fileURLToPath(new URL('./video-process.ts', import.meta.url)), [], {
    serialization: 'advanced',
    // No secret of the service, and no option of its own that would not fit.
    env: {},
    execArgv: [`--max-old-space-size=${memoryMegabytes}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const timer = setTimeout(() => reject(new UnfitVideo('took-too-long')), timeLimitMs)
  const answer = async (received: unknown) => {
    const said = message.parse(received)
    if ('report' in said) resolve(said.report)
    else if ('unfit' in said) reject(new UnfitVideo(said.unfit, { cause: said.why }))
    else child.send({ read: said.read, bytes: await readPart(source, said) })
  }
  child.on('message', (received) => void answer(received).catch(reject))
  child.on('error', reject)
  // Without a word: its memory was not enough, or the decoder fell over the file.
  child.on('exit', () => reject(new UnfitVideo('broken')))
  child.send({ size: source.size }, (error) => error && reject(error))
  return promise.finally(() => {
    clearTimeout(timer)
    child.kill('SIGKILL')
  })
}

function readPart(source: VideoSource, { start, end }: { start: number; end: number }) {
  if (end > source.size || end - start > maxReadBytes || end < start) throw new UnfitVideo('broken')
  return source.read(start, end)
}
