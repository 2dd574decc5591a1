/**
 * The process that `video.ts` starts for one video. It has nothing of the service: it asks for parts
 * of the file, says what it has found, and is ended.
 */
import process from 'node:process'
import { CustomSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny'
import type { InputVideoTrack } from 'mediabunny'
import { sharp } from './libvips.ts'
import type { Still } from './video-poster.ts'
import { findPoster, posterMaxWidth } from './video-poster.ts'

const maxCacheBytes = 16 * 1024 * 1024
// A small file can claim huge frames, and decoders take memory that no option of Node limits.
const maxMemoryBytes = 1024 * 1024 * 1024
const memoryCheckMs = 50

const waiting = new Map<number, (bytes: Uint8Array) => void>()
let reads = 0

process.on('message', (received: { size: number } | { read: number; bytes: Uint8Array }) => {
  if ('size' in received) void examine(received.size)
  else {
    waiting.get(received.read)?.(received.bytes)
    waiting.delete(received.read)
  }
})

setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes) process.exit(1)
}, memoryCheckMs).unref()

function tell(message: object): void {
  process.send?.(message)
}

function read(start: number, end: number): Promise<Uint8Array> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array>()
  waiting.set((reads += 1), resolve)
  tell({ read: reads, start, end })
  return promise
}

async function examine(size: number): Promise<void> {
  const source = new CustomSource({
    getSize: () => size,
    read,
    maxCacheSize: maxCacheBytes,
    prefetchProfile: 'fileSystem',
  })
  const input = new Input({ formats: [MP4, QTFF, WEBM, MATROSKA], source })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) return tell({ unfit: 'no-picture', why: 'no video track' })
    const { title } = await input.getMetadataTags()
    const width = await track.getDisplayWidth()
    const height = await track.getDisplayHeight()
    if (!(width > 0 && height > 0)) return tell({ unfit: 'no-picture', why: 'no size' })
    const seconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration())
    const duration = Number.isFinite(seconds) && seconds >= 0 ? seconds : null
    const found = await drawPoster(track, duration, { width, height }).catch((error: unknown) => ({
      poster: null,
      posterMissing: error instanceof Error ? error.message : 'unknown',
    }))
    const durationMs = duration === null ? null : Math.round(duration * 1000)
    tell({ report: { width, height, durationMs, title: title ?? null, ...found } })
  } catch (error) {
    tell({ unfit: 'broken', why: String(error) })
  }
}

async function drawPoster(
  track: InputVideoTrack,
  duration: number | null,
  shown: { width: number; height: number },
) {
  const still: Still = await findPoster(track, duration)
  const width = Math.min(shown.width, posterMaxWidth)
  const height = Math.max(1, Math.round((shown.height / shown.width) * width))
  const poster = await sharp(still.pixels, {
    raw: { width: still.width, height: still.height, channels: 4 },
  })
    // Phones note which way up they were held, and players turn each frame.
    .rotate(await track.getRotation())
    .removeAlpha()
    .resize(width, height, { fit: 'fill' })
    .png()
    .toBuffer()
  return { poster, posterMissing: null }
}
