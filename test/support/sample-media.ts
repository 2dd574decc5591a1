/** Pictures and videos that tests generate, with the private metadata that cameras add. */
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import { vp8FrameOf } from '../../demo/painting/webm.ts'
import { sharp } from '../../src/server/media/libvips.ts'

/** Texts that only the owner may ever see. */
export const secrets = ['Secret Street 7', 'GPSLatitude', '+50.2996+014.8203', 'SecretCam 3000']

type Paint = { width?: number; height?: number; seed?: number }

/** Returns a picture with shapes that differ by seed. */
export function paint({ width = 800, height = 600, seed = 1 }: Paint = {}) {
  const cells = 12
  let state = seed * 2_654_435_761
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  const pixels = Buffer.alloc(cells * cells * 3)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = Math.floor(next() * 256)
  return sharp(pixels, { raw: { width: cells, height: cells, channels: 3 } }).resize(
    width,
    height,
    { fit: 'fill', kernel: 'cubic' },
  )
}

/** Returns a JPEG as a phone writes it: location, device, description, orientation, and an XMP packet. */
export function privateJpeg(options: Paint & { orientation?: number } = {}): Promise<Buffer> {
  return paint(options)
    .withExif({
      IFD0: { ImageDescription: 'Secret Street 7', Make: 'SecretCam 3000' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '50/1 17/1 58/1' },
    })
    .withXmp(
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Secret Street 7</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>',
    )
    .withMetadata({ orientation: options.orientation ?? 1 })
    .jpeg()
    .toBuffer()
}

export function plainJpeg(options: Paint = {}): Promise<Buffer> {
  return paint(options).jpeg({ quality: 92 }).toBuffer()
}

type Film = {
  readonly format?: 'mp4' | 'mov' | 'webm'
  readonly width?: number
  readonly height?: number
  readonly frames?: number
  /** The minimum size of each frame, as in large films. */
  readonly frameBytes?: number
  /** The number of black frames at the start. */
  readonly blackFrames?: number
  readonly rotation?: 0 | 90 | 180 | 270
  readonly title?: string
  /** In the format of phones. */
  readonly location?: string
  /** Puts the box with the metadata after the frames. */
  readonly movieLast?: boolean
  /** A WebM as browsers record it, with parts of unknown size. */
  readonly live?: boolean
}

/** Generates a film whose upper half is red and lower half blue, so that a rotation is visible. */
export async function makeFilm(film: Film = {}): Promise<Buffer> {
  const { format = 'mp4', width = 320, height = 240, frames = 30, blackFrames = 0 } = film
  const fastStart = film.movieLast ? false : ('in-memory' as const)
  const formats = {
    mp4: () => new Mp4OutputFormat({ fastStart }),
    mov: () => new MovOutputFormat({ fastStart }),
    webm: () =>
      new WebMOutputFormat({ appendOnly: film.live ?? false, minimumClusterDuration: 0.2 }),
  }
  const target = new BufferTarget()
  const output = new Output({ format: formats[format](), target })
  const source = new EncodedVideoPacketSource('vp8')
  output.addVideoTrack(source, { rotation: film.rotation ?? 0, frameRate: 30 })
  if (film.title !== undefined || film.location !== undefined)
    output.setMetadataTags({
      ...(film.title === undefined ? {} : { title: film.title }),
      ...(film.location === undefined ? {} : { raw: locationTag(format, film.location) }),
    })
  await output.start()
  const { frameBytes = 0 } = film
  const [black, halves] = [
    padded(await drawFrame(width, height, { black: true }), frameBytes),
    padded(await drawFrame(width, height), frameBytes),
  ]
  const decoderConfig = { codec: 'vp8', codedWidth: width, codedHeight: height }
  for (let index = 0; index < frames; index += 1) {
    const packet = new EncodedPacket(
      index < blackFrames ? black : halves,
      'key',
      index / 30,
      1 / 30,
    )
    await source.add(packet, { decoderConfig })
  }
  await output.finalize()
  if (!target.buffer) throw new Error('no film was made')
  return Buffer.from(target.buffer)
}

function padded(frame: Buffer, bytes: number): Buffer {
  return Buffer.concat([frame, Buffer.alloc(Math.max(0, bytes - frame.length))])
}

function locationTag(format: string, location: string): Record<string, string> {
  return format === 'webm' ? { LOCATION: location } : { '\u00a9xyz': location }
}

/** Returns a frame of VP8, the content of a lossy WebP picture. */
async function drawFrame(width: number, height: number, { black = false } = {}): Promise<Buffer> {
  const pixels = new Uint8Array(width * height * 3)
  for (let at = 0; at < pixels.length; at += 3) {
    const isUpper = at < pixels.length / 2
    pixels.set(black ? [0, 0, 0] : isUpper ? [230, 70, 60] : [20, 20, 200], at)
  }
  return vp8FrameOf(
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .webp()
      .toBuffer(),
  )
}
