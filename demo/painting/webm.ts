/**
 * Creates short videos without a video encoder. A lossy WebP picture is one key frame of VP8, so it is enough
 * to put the frames that sharp encodes one after another into a WebM file. The file is larger than an
 * encoder's, because every frame is a key frame. Every player of WebM can play it.
 */

type Clip = {
  readonly width: number
  readonly height: number
  readonly frameMs: number
  /** Complete WebP files. */
  readonly frames: readonly Uint8Array[]
}

// Element ids of the Matroska format (RFC 9559), with their length markers.
const ids = {
  ebml: 0x1a45dfa3,
  ebmlVersion: 0x4286,
  ebmlReadVersion: 0x42f7,
  ebmlMaxIdLength: 0x42f2,
  ebmlMaxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  flagLacing: 0x9c,
  codecId: 0x86,
  defaultDuration: 0x23e383,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
  cluster: 0x1f43b675,
  clusterTimestamp: 0xe7,
  simpleBlock: 0xa3,
} as const

const application = 'lanternist'
const nanosecondsInMs = 1_000_000
const keyFrameFlag = 0x80
const framesInCluster = 12

export function muxWebm(clip: Clip): Buffer {
  const head = [information(clip), track(clip)]
  const clusters = chunk(clip.frames, framesInCluster).map((frames, i) => {
    const startMs = i * framesInCluster * clip.frameMs
    return { startMs, bytes: cluster(frames, startMs, clip.frameMs) }
  })
  // Positions count from the start of the segment's data. All numbers in the index have a fixed width, so the
  // length of the index does not depend on them.
  const cuesLength = cues(clusters.map(({ startMs }) => ({ startMs, position: 0 }))).length
  let position = length(head) + cuesLength
  const places = clusters.map(({ startMs, bytes }) => {
    const place = { startMs, position }
    position += bytes.length
    return place
  })
  const body = [...head, cues(places), ...clusters.map(({ bytes }) => bytes)]
  return Buffer.concat([header(), element(ids.segment, ...body)])
}

/** Returns the VP8 frame inside a simple lossy WebP file. */
export function vp8FrameOf(webp: Uint8Array): Buffer {
  const file = Buffer.from(webp.buffer, webp.byteOffset, webp.byteLength)
  const isSimpleLossy =
    file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 16) === 'WEBPVP8 '
  if (!isSimpleLossy) throw new TypeError('Not a simple lossy WebP file')
  return file.subarray(20, 20 + file.readUInt32LE(16))
}

function header(): Buffer {
  return element(
    ids.ebml,
    element(ids.ebmlVersion, unsigned(1)),
    element(ids.ebmlReadVersion, unsigned(1)),
    element(ids.ebmlMaxIdLength, unsigned(4)),
    element(ids.ebmlMaxSizeLength, unsigned(8)),
    element(ids.docType, Buffer.from('webm')),
    element(ids.docTypeVersion, unsigned(4)),
    element(ids.docTypeReadVersion, unsigned(2)),
  )
}

function information({ frames, frameMs }: Clip): Buffer {
  const duration = Buffer.alloc(8)
  duration.writeDoubleBE(frames.length * frameMs)
  return element(
    ids.info,
    element(ids.timestampScale, unsigned(nanosecondsInMs)),
    element(ids.duration, duration),
    element(ids.muxingApp, Buffer.from(application)),
    element(ids.writingApp, Buffer.from(application)),
  )
}

function track({ width, height, frameMs }: Clip): Buffer {
  const entry = element(
    ids.trackEntry,
    element(ids.trackNumber, unsigned(1)),
    element(ids.trackUid, unsigned(1)),
    element(ids.trackType, unsigned(1)),
    element(ids.flagLacing, unsigned(0)),
    element(ids.codecId, Buffer.from('V_VP8')),
    element(ids.defaultDuration, unsigned(frameMs * nanosecondsInMs)),
    element(
      ids.video,
      element(ids.pixelWidth, unsigned(width)),
      element(ids.pixelHeight, unsigned(height)),
    ),
  )
  return element(ids.tracks, entry)
}

function cues(places: readonly { startMs: number; position: number }[]): Buffer {
  const points = places.map(({ startMs, position }) =>
    element(
      ids.cuePoint,
      element(ids.cueTime, fixed(startMs)),
      element(
        ids.cueTrackPositions,
        element(ids.cueTrack, unsigned(1)),
        element(ids.cueClusterPosition, fixed(position)),
      ),
    ),
  )
  return element(ids.cues, ...points)
}

function cluster(frames: readonly Uint8Array[], startMs: number, frameMs: number): Buffer {
  const blocks = frames.map((frame, i) => {
    const head = Buffer.from([0x81, 0, 0, keyFrameFlag])
    head.writeInt16BE(i * frameMs, 1)
    return element(ids.simpleBlock, head, vp8FrameOf(frame))
  })
  return element(ids.cluster, element(ids.clusterTimestamp, unsigned(startMs)), ...blocks)
}

/** Returns an element: id, length and data. The length always takes eight bytes. */
function element(id: number, ...data: readonly Buffer[]): Buffer {
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(length(data)) | (1n << 56n))
  return Buffer.concat([unsigned(id), size, ...data])
}

/** Returns the shortest big-endian form of a whole number. */
function unsigned(value: number): Buffer {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function length(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}

function chunk<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) =>
    list.slice(i * size, (i + 1) * size),
  )
}
