/** The frame of a video that stands for it: near the start, and not black. */
import type * as Codecs from '@napi-rs/webcodecs'
import type { EncodedVideoChunk, VideoDecoderConfig, VideoFrame } from '@napi-rs/webcodecs'
import type { EncodedPacket, InputVideoTrack } from 'mediabunny'
import { EncodedPacketSink } from 'mediabunny'
import { sharp } from './libvips.ts'

export type Still = { readonly pixels: Uint8Array; readonly width: number; readonly height: number }

// As far as one looks from a key frame on, and where the next look begins.
const packetsInARow = 90
const lookEvery = 15
const laterLooks = [0.1, 0.25, 0.5, 0.75]
const maxPixels = 36_000_000
const maxQueued = 8
// The mean of 0 to 255 below which a frame counts as black.
const darkest = 20

export const posterMaxWidth = 1280

/** RGBA as it was coded, not turned yet. Throws where it cannot be decoded. */
export async function findPoster(
  track: InputVideoTrack,
  durationSeconds: number | null,
): Promise<Still> {
  const config = await track.getDecoderConfig()
  if (!config) throw new Error('no decoder knows the codec')
  if ((config.codedWidth ?? 0) * (config.codedHeight ?? 0) > maxPixels)
    throw new Error('the frames are too large')
  const sink = new EncodedPacketSink(track)
  const framesFrom = config.codec === 'vp8' ? decodeKeyFrame : await openDecoder(sink, config)
  const looks = [null, ...(durationSeconds ? laterLooks.map((part) => part * durationSeconds) : [])]
  let best: { still: Still; light: number } | null = null
  for (const seconds of looks) {
    const first = seconds === null ? sink.getFirstKeyPacket() : sink.getKeyPacket(seconds)
    for (const still of await framesFrom(await first)) {
      const light = lightOf(still)
      if (light >= darkest) return still
      if (!best || light > best.light) best = { still, light }
    }
  }
  if (!best) throw new Error('no frame could be decoded')
  return best.still
}

/**
 * The decoder is a native package that not every platform has; without it the poster is missing,
 * and the rest of the report is not.
 */
async function openDecoder(sink: EncodedPacketSink, config: object) {
  const codecs = await import('@napi-rs/webcodecs').catch(() => {
    throw new Error('no decoder for this platform')
  })
  // The same shape in two libraries' words.
  const setting = { ...config, hardwareAcceleration: 'prefer-software' } as VideoDecoderConfig
  const { supported } = await codecs.VideoDecoder.isConfigSupported(setting)
  if (!supported) throw new Error('no decoder knows the codec')
  return (first: EncodedPacket | null) => decodeFrom(sink, first, { codecs, setting })
}

/** A key frame of VP8 is what a lossy WebP picture holds, so libvips decodes it. */
async function decodeKeyFrame(packet: EncodedPacket | null): Promise<Still[]> {
  if (!packet) return []
  const { data } = packet
  const head = Buffer.alloc(20)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(12 + data.length + (data.length % 2), 4)
  head.write('WEBPVP8 ', 8, 'latin1')
  head.writeUInt32LE(data.length, 16)
  const webp = Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
  const { data: pixels, info } = await sharp(webp, { limitInputPixels: maxPixels })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [{ pixels, width: info.width, height: info.height }]
}

type Decoder = {
  readonly codecs: typeof Codecs
  readonly setting: VideoDecoderConfig
}

/** The first frame, and a few of those that follow it as long as they are black. */
async function decodeFrom(
  sink: EncodedPacketSink,
  first: EncodedPacket | null,
  { codecs, setting }: Decoder,
): Promise<Still[]> {
  const stills: Still[] = []
  const failures: Error[] = []
  let seen = 0
  const copies: Promise<void>[] = []
  const keep = async (frame: VideoFrame) => {
    const place = seen++
    // In its place, whichever of the copies is done first.
    if (place % lookEvery === 0) stills[place / lookEvery] = await stillOf(frame)
    frame.close()
  }
  const decoder = new codecs.VideoDecoder({
    output: (frame) => {
      copies.push(keep(frame).catch((error: Error) => void failures.push(error)))
    },
    error: (error) => void failures.push(error),
  })
  decoder.configure(setting)
  let packet = first
  for (let count = 0; packet && failures.length === 0 && count < packetsInARow; count += 1) {
    decoder.decode(chunkOf(codecs, packet))
    while (decoder.decodeQueueSize > maxQueued)
      await new Promise((resolve) => setTimeout(resolve, 2))
    // One frame that is light enough is all that is wanted.
    if (stills.some((still) => lightOf(still) >= darkest)) break
    packet = await sink.getNextPacket(packet)
  }
  if (failures.length === 0)
    await decoder.flush().catch((error: Error) => void failures.push(error))
  await Promise.all(copies)
  if (decoder.state !== 'closed') decoder.close()
  const [failure] = failures
  if (failure && stills.length === 0) throw failure
  return stills
}

function chunkOf(codecs: Decoder['codecs'], packet: EncodedPacket): EncodedVideoChunk {
  return new codecs.EncodedVideoChunk({
    type: packet.type,
    timestamp: packet.microsecondTimestamp,
    duration: packet.microsecondDuration,
    data: packet.data,
  })
}

async function stillOf(frame: VideoFrame): Promise<Still> {
  const { width, height } = frame.visibleRect
  const pixels = new Uint8Array(frame.allocationSize({ format: 'RGBA' }))
  await frame.copyTo(pixels, { format: 'RGBA' })
  return { pixels, width, height }
}

function lightOf({ pixels }: Still): number {
  const step = 4 * Math.max(1, Math.floor(pixels.length / 4 / 10_000))
  let sum = 0
  let count = 0
  for (let at = 0; at + 2 < pixels.length; at += step) {
    sum += (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0)
    count += 3
  }
  return count === 0 ? 0 : sum / count
}
