/**
 * The process that `video.ts` starts for one video. It shares nothing with the service: it asks for parts
 * of the file, sends its result, and is then killed.
 */
import { write } from 'node:fs'
import { constants, setPriority } from 'node:os'
import process from 'node:process'
import { promisify } from 'node:util'
import type { StreamTargetChunk } from 'mediabunny'
import { CustomSource, Input, MATROSKA, MP4, QTFF, StreamTarget, WEBM } from 'mediabunny'
import type { InputVideoTrack } from 'mediabunny'
import type { Container } from './video-remux.ts'
import { remux } from './video-remux.ts'

export type VideoTask =
  /** Checks that the file is a video. */
  | { readonly kind: 'probe'; readonly size: number }
  | { readonly kind: 'examine'; readonly size: number }
  /** Finds the duration. */
  | { readonly kind: 'measure'; readonly size: number }
  /** Writes only its packets to the file that is open as descriptor 4. */
  | { readonly kind: 'remux'; readonly size: number; readonly container: Container }

/** The messages from `video.ts`. */
export type VideoMessage =
  /** The task, the maximum size of one read, and true if other processes have priority. */
  | { readonly task: VideoTask; readonly maxReadBytes: number; readonly givesWay: boolean }
  | { readonly read: number; readonly bytes: Uint8Array }

const outputFd = 4
const writeBytes = 1024 * 1024
const maxCacheBytes = 4 * 1024 * 1024
const maxTitleCharacters = 4000
const maxReasonCharacters = 200

const waiting = new Map<number, (bytes: Uint8Array) => void>()
let reads = 0
let maxReadBytes = 0

process.on('message', (received: VideoMessage) => {
  if ('task' in received) {
    maxReadBytes = received.maxReadBytes
    if (received.givesWay) setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    void work(received.task)
  } else {
    waiting.get(received.read)?.(received.bytes)
    waiting.delete(received.read)
  }
})
process.on('disconnect', () => process.exit(1))

function send(message: object): void {
  process.send?.(message)
}

async function read(start: number, end: number): Promise<Uint8Array> {
  const whole = new Uint8Array(end - start)
  for (let at = start; at < end; at += maxReadBytes)
    whole.set(await readPiece(at, Math.min(at + maxReadBytes, end)), at - start)
  return whole
}

function readPiece(start: number, end: number): Promise<Uint8Array> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array>()
  waiting.set((reads += 1), resolve)
  send({ read: reads, start, end })
  return promise
}

async function work(task: VideoTask): Promise<void> {
  const source = new CustomSource({
    getSize: () => task.size,
    read,
    maxCacheSize: maxCacheBytes,
    prefetchProfile: 'fileSystem',
  })
  const input = new Input({ formats: [MP4, QTFF, WEBM, MATROSKA], source })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) return send({ unfit: 'no-picture', why: 'no video track' })
    const width = await track.getDisplayWidth()
    const height = await track.getDisplayHeight()
    if (!(width > 0 && height > 0)) return send({ unfit: 'no-picture', why: 'no size' })
    if ((await track.getCodec()) === null)
      return send({ unfit: 'no-picture', why: 'unknown codec' })
    if (task.kind === 'examine') send({ report: await examine(input, track, { width, height }) })
    else if (task.kind === 'measure')
      send({ measured: { durationMs: inMs(await durationOf(input)) } })
    else if (task.kind === 'probe') await probe(track)
    else {
      await remux(input, { ...task, target: outputTarget() }, (copied) => send({ copied }))
      send({ done: true })
    }
  } catch (error) {
    send({ unfit: 'broken', why: String(error).slice(0, maxReasonCharacters) })
  }
}

/** Checks that the first frame can be read, without decoding it. */
async function probe(track: InputVideoTrack): Promise<void> {
  const { EncodedPacketSink } = await import('mediabunny')
  const first = await new EncodedPacketSink(track).getFirstKeyPacket()
  send(first ? { done: true } : { unfit: 'broken', why: 'no key frame' })
}

async function examine(
  input: Input,
  track: InputVideoTrack,
  shown: { width: number; height: number },
) {
  const { title } = await input.getMetadataTags()
  const duration = await durationOf(input)
  const found = await drawPoster(track, duration, shown).catch((error: unknown) => ({
    poster: null,
    posterMissing: error instanceof Error ? error.message.slice(0, maxReasonCharacters) : 'unknown',
  }))
  const durationMs = inMs(duration)
  return { ...shown, durationMs, title: title?.slice(0, maxTitleCharacters) ?? null, ...found }
}

/** Returns seconds. */
async function durationOf(input: Input): Promise<number | null> {
  const seconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration())
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

function inMs(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1000)
}

async function drawPoster(
  track: InputVideoTrack,
  duration: number | null,
  shown: { width: number; height: number },
) {
  send({ decoding: true })
  // Loaded only here: tasks that only read tables or copy packets need neither.
  const { sharp } = await import('./libvips.ts')
  const { findPoster, posterMaxWidth } = await import('./video-poster.ts')
  const still = await findPoster(track, duration)
  const width = Math.min(shown.width, posterMaxWidth)
  const height = Math.max(1, Math.round((shown.height / shown.width) * width))
  const poster = await sharp(still.pixels, {
    raw: { width: still.width, height: still.height, channels: 4 },
  })
    // Phones store their orientation, and players rotate each frame.
    .rotate(await track.getRotation())
    .removeAlpha()
    .resize(width, height, { fit: 'fill' })
    .png()
    .toBuffer()
  return { poster, posterMissing: null }
}

const writeAt = promisify(write)

function outputTarget(): StreamTarget {
  return new StreamTarget(
    new WritableStream<StreamTargetChunk>({
      async write({ data, position }) {
        for (let at = 0; at < data.length;)
          at += (await writeAt(outputFd, data, at, data.length - at, position + at)).bytesWritten
      },
    }),
    { chunked: true, chunkSize: writeBytes },
  )
}
