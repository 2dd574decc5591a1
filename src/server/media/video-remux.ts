/**
 * Removes metadata from a video: copies its video and audio packets unchanged into a new file. Tags, names
 * and tracks of coordinates are not copied.
 */
import type {
  EncodedPacket,
  Input,
  InputAudioTrack,
  InputTrack,
  InputVideoTrack,
  OutputFormat,
  Target,
} from 'mediabunny'
import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'

export type Container = 'mp4' | 'mov' | 'webm'

const maxTracks = 8
// A day at thirty frames a second.
const maxPackets = 3_000_000
const reportEvery = 1000
// Smaller files are held in memory to put the table before the frames; larger ones have it at the end.
const maxInMemoryBytes = 16 * 1024 * 1024

/** Copies the packets, and reports the count at intervals. Throws if no video packet can be copied. */
export async function remux(
  input: Input,
  { container, size, target }: { container: Container; size: number; target: Target },
  report: (packets: number) => void,
): Promise<void> {
  const format = formatOf(container, size)
  const output = openOutput(format, target)
  const lanes = await openLanes(input, output, format)
  const pictures = lanes.filter(({ isPicture }) => isPicture)
  await output.start()
  for (let packets = 0; lanes.length > 0; packets += 1) {
    if (packets > maxPackets) throw new Error('too many packets')
    if (packets % reportEvery === 0) report(packets)
    // The muxer needs the tracks interleaved.
    const next = lanes.reduce((first, lane) => (lane.atSeconds < first.atSeconds ? lane : first))
    if (!(await next.copyOne())) lanes.splice(lanes.indexOf(next), 1)
  }
  if (pictures.every(({ copied }) => copied === 0)) throw new Error('no frame can be copied')
  await output.finalize()
}

/**
 * Opens the output with a fixed clock. The muxer writes the creation time into the file, which is private
 * and makes the same video differ each time. This process has no other use for the clock.
 */
function openOutput(format: OutputFormat, target: Target): Output {
  const { now } = Date
  Date.now = () => 0
  try {
    return new Output({ format, target })
  } finally {
    Date.now = now
  }
}

function formatOf(container: Container, size: number): OutputFormat {
  const fastStart = size <= maxInMemoryBytes ? 'in-memory' : false
  if (container === 'webm') return new WebMOutputFormat()
  return container === 'mov'
    ? new MovOutputFormat({ fastStart })
    : new Mp4OutputFormat({ fastStart })
}

type Lane = {
  readonly isPicture: boolean
  readonly copied: number
  /** The current time in the film. */
  readonly atSeconds: number
  /** Copies one packet. Returns false at the end. */
  readonly copyOne: () => Promise<boolean>
}

async function openLanes(input: Input, output: Output, format: OutputFormat): Promise<Lane[]> {
  const tracks = [...(await input.getVideoTracks()), ...(await input.getAudioTracks())].slice(
    0,
    maxTracks,
  )
  const starts = await Promise.all(tracks.map((track) => track.getFirstTimestamp()))
  // Audio may start before the video at a negative time, which a new file must not contain.
  const shiftSeconds = Math.max(0, -Math.min(0, ...starts))
  const lanes: Lane[] = []
  for (const track of tracks) {
    const add = track.isVideoTrack()
      ? await openVideo(track, output, format)
      : track.isAudioTrack() && (await openAudio(track, output, format))
    if (add) lanes.push(laneOf(track, add, shiftSeconds))
  }
  if (lanes.length === 0) throw new Error('no track can be copied')
  return lanes
}

type Add = (packet: EncodedPacket) => Promise<void>

async function openVideo(
  track: InputVideoTrack,
  output: Output,
  format: OutputFormat,
): Promise<Add | null> {
  const codec = await track.getCodec()
  const decoderConfig = await track.getDecoderConfig()
  if (!codec || !decoderConfig || !format.getSupportedVideoCodecs().includes(codec)) return null
  const source = new EncodedVideoPacketSource(codec)
  // Phones store their orientation, and players rotate each frame.
  output.addVideoTrack(source, { transformationMatrix: await track.getTransformationMatrix() })
  return (packet) => source.add(packet, { decoderConfig })
}

async function openAudio(
  track: InputAudioTrack,
  output: Output,
  format: OutputFormat,
): Promise<Add | null> {
  const codec = await track.getCodec()
  const decoderConfig = await track.getDecoderConfig()
  if (!codec || !decoderConfig || !format.getSupportedAudioCodecs().includes(codec)) return null
  const source = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(source)
  return (packet) => source.add(packet, { decoderConfig })
}

function laneOf(track: InputTrack, add: Add, shiftSeconds: number): Lane {
  const sink = new EncodedPacketSink(track)
  let packets: AsyncGenerator<EncodedPacket, void> | null = null
  const lane = {
    isPicture: track.isVideoTrack(),
    copied: 0,
    atSeconds: 0,
    async copyOne() {
      try {
        packets ??= sink.packets((await sink.getFirstKeyPacket()) ?? undefined)
        const { value: packet } = await packets.next()
        if (!packet) return false
        const timestamp = packet.timestamp + shiftSeconds
        await add(shiftSeconds === 0 ? packet : packet.clone({ timestamp }))
        lane.atSeconds = timestamp
        lane.copied += 1
        return true
      } catch (error) {
        // The file was cut off here.
        if (lane.copied > 0) return false
        throw error
      }
    },
  }
  return lane
}
