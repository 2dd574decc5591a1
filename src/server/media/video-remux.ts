/**
 * A video without what it says beside pictures and sound: its packets are copied into a new file as
 * they are, and nothing else comes along, neither tags nor names nor tracks of coordinates.
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
// At thirty frames a second this is a day.
const maxPackets = 3_000_000
const toldEvery = 1000
// Held in memory until its table stands before its frames; a larger film has its table at the end.
const maxInMemoryBytes = 16 * 1024 * 1024

/** Fails where no packet of the picture can be copied. Tells now and then how many have been. */
export async function remux(
  input: Input,
  { container, size, target }: { container: Container; size: number; target: Target },
  tell: (packets: number) => void,
): Promise<void> {
  const format = formatOf(container, size)
  const output = openOutput(format, target)
  const lanes = await openLanes(input, output, format)
  const pictures = lanes.filter(({ isPicture }) => isPicture)
  await output.start()
  for (let packets = 0; lanes.length > 0; packets += 1) {
    if (packets > maxPackets) throw new Error('too many packets')
    if (packets % toldEvery === 0) tell(packets)
    // The muxer wants the tracks side by side.
    const next = lanes.reduce((first, lane) => (lane.atSeconds < first.atSeconds ? lane : first))
    if (!(await next.copyOne())) lanes.splice(lanes.indexOf(next), 1)
  }
  if (pictures.every(({ copied }) => copied === 0)) throw new Error('no frame can be copied')
  await output.finalize()
}

/**
 * The muxer writes into the file when it was made. That is nobody's business, and the same film would
 * come out differently each time; this process does nothing else, so its clock may stand still.
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
  /** Where it is in the film. */
  readonly atSeconds: number
  /** False at its end. */
  readonly copyOne: () => Promise<boolean>
}

async function openLanes(input: Input, output: Output, format: OutputFormat): Promise<Lane[]> {
  const tracks = [...(await input.getVideoTracks()), ...(await input.getAudioTracks())].slice(
    0,
    maxTracks,
  )
  const starts = await Promise.all(tracks.map((track) => track.getFirstTimestamp()))
  // Sound may begin before the picture does, which no new file may.
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
  // Phones note which way up they were held, and players turn each frame.
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
        // The rest of a file that was cut off.
        if (lane.copied > 0) return false
        throw error
      }
    },
  }
  return lane
}
