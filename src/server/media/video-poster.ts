/** Finds the poster frame of a video: near the start, and not black. */
import type * as Codecs from '@napi-rs/webcodecs'
import type { EncodedVideoChunk, VideoDecoderConfig, VideoFrame } from '@napi-rs/webcodecs'
import type { EncodedPacket, InputVideoTrack } from 'mediabunny'
import { EncodedPacketSink } from 'mediabunny'
import { sharp } from './libvips.ts'

export type Still = { readonly pixels: Uint8Array; readonly width: number; readonly height: number }

// The number of packets to decode after a key frame, and the distance between examined frames.
const packetsInARow = 90
const lookEvery = 15
const laterLooks = [0.1, 0.25, 0.5, 0.75]
const maxPixels = 36_000_000
const maxQueued = 8
// The mean (0 to 255) below which a frame counts as black.
const darkest = 20

export const posterMaxWidth = 1280

/** Returns RGBA as encoded, not rotated yet. Throws if the video cannot be decoded. */
export async function findPoster(
  track: InputVideoTrack,
  durationSeconds: number | null,
): Promise<Still> {
  const config = await track.getDecoderConfig()
  if (!config) throw new Error('no decoder supports the codec')
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

/** Opens the decoder, a native package that some platforms lack. Without it only the poster is missing. */
async function openDecoder(sink: EncodedPacketSink, config: object) {
  const codecs = await import('@napi-rs/webcodecs').catch(() => {
    throw new Error('no decoder for this platform')
  })
  // The same shape, declared by two libraries.
  const setting = { ...config, hardwareAcceleration: 'prefer-software' } as VideoDecoderConfig
  const { supported } = await codecs.VideoDecoder.isConfigSupported(setting)
  if (!supported) throw new Error('no decoder supports the codec')
  return (first: EncodedPacket | null) => decodeFrom(sink, first, { codecs, setting })
}

/** Decodes a key frame of VP8 with libvips: a lossy WebP contains exactly such a frame. */
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

/** Returns the first frame, and a few of the following ones as long as they are black. */
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
    const index = seen++
    // Stored by index, in whatever order the copies finish.
    if (index % lookEvery === 0) stills[index / lookEvery] = await stillOf(frame)
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
    // One frame that is bright enough will do.
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
