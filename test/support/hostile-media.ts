/**
 * Files that try to exhaust a parser: tables of millions of entries, endless small parts, deep nesting. The
 * first bytes of each are those of a valid file.
 */
import { crc32, deflateSync } from 'node:zlib'
import { sharp } from '../../src/server/media/libvips.ts'
import { makeFilm, plainJpeg } from './sample-media.ts'

export type HostileFile = {
  readonly name: string
  readonly mimeType: string
  readonly fileName: string
  /** Returns a file of about this size. */
  readonly make: (bytes: number) => Promise<Buffer>
}

export const hostileFiles: readonly HostileFile[] = [
  video('mp4', 'a table of places', (bytes) => withTracks(bytes, tableTrack)),
  video('mp4', 'tables of a film', filmWithTables),
  video('mp4', 'endless boxes', (bytes) => mp4With(repeat(box('free'), bytes))),
  video('mp4', 'endless boxes in the movie', (bytes) => withMovie(repeat(box('free'), bytes))),
  video('mp4', 'deep nesting', (bytes) => withMovie(nestBoxes(bytes))),
  video('mp4', 'endless tracks', (bytes) => withMovie(repeat(box('trak', box('mdia')), bytes))),
  video('mp4', 'endless fragments', (bytes) => mp4With(repeat(box('moof', box('traf')), bytes))),
  video('webm', 'endless voids', (bytes) => webmWith(repeat(Buffer.from([0xec, 0x80]), bytes))),
  video('webm', 'endless tags', (bytes) => webmWith(element('1254c367', repeat(tag(), bytes)))),
  video('webm', 'deep nesting', (bytes) => webmWith(element('1254c367', nestTags(bytes)))),
  video('webm', 'endless cues', (bytes) => webmWith(element('1c53bb6b', repeat(cue(), bytes)))),
  video('webm', 'endless clusters', (bytes) => webmWith(repeat(openCluster(), bytes))),
  picture('jpeg', 'endless comments', (bytes) => jpegWith(repeat(segment(0xfe, ''), bytes))),
  picture('jpeg', 'endless EXIF', (bytes) => jpegWith(repeat(segment(0xe1, 'Exif\0\0'), bytes))),
  picture('jpeg', 'endless profiles', (bytes) => jpegWith(repeat(profile(), bytes))),
  picture('jpeg', 'endless fill bytes', (bytes) => jpegWith(Buffer.alloc(bytes, 0xff))),
  picture('jpeg', 'endless restarts', (bytes) =>
    jpegWith(repeat(Buffer.from('ffd0', 'hex'), bytes)),
  ),
  picture('jpeg', 'endless scans', jpegWithScans),
  picture('png', 'endless texts', (bytes) => pngWith(repeat(pngChunk('tEXt', 'a\0'), bytes))),
  picture('png', 'endless unknown chunks', (bytes) => pngWith(repeat(pngChunk('aaAa', ''), bytes))),
  picture('png', 'packed texts', (bytes) => pngWith(repeat(packedText(), bytes))),
  picture('png', 'endless empty pixels', (bytes) => pngWith(repeat(pngChunk('IDAT', ''), bytes))),
  picture('png', 'endless frames', (bytes) => pngWith(repeat(pngFrame(), bytes))),
  picture('webp', 'endless unknown chunks', (bytes) => webpWith(repeat(riffChunk('aaaa'), bytes))),
  picture('webp', 'endless frames', webpWithFrames),
  picture('gif', 'endless frames', (bytes) => gifWith(repeat(gifFrame, bytes))),
  picture('gif', 'endless comments', (bytes) =>
    gifWith(repeat(Buffer.from('21fe00', 'hex'), bytes)),
  ),
  picture('gif', 'endless sub-blocks', (bytes) =>
    gifWith(Buffer.concat([Buffer.from('21fe', 'hex'), Buffer.alloc(bytes, 1), Buffer.alloc(2)])),
  ),
]

type Make = HostileFile['make']

function video(format: 'mp4' | 'webm', how: string, make: Make): HostileFile {
  return {
    name: `${format}, ${how}`,
    mimeType: `video/${format}`,
    fileName: `film.${format}`,
    make,
  }
}

function picture(format: 'jpeg' | 'png' | 'webp' | 'gif', how: string, make: Make): HostileFile {
  const fileName = `photo.${format === 'jpeg' ? 'jpg' : format}`
  return { name: `${format}, ${how}`, mimeType: `image/${format}`, fileName, make }
}

function repeat(part: Buffer, bytes: number): Buffer {
  return Buffer.alloc(Math.ceil(bytes / part.length) * part.length, part)
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([numbers(body.length + 8), Buffer.from(type, 'latin1'), body])
}

async function mp4With(extra: Buffer): Promise<Buffer> {
  return Buffer.concat([await makeFilm({ frames: 3 }), extra])
}

/** Adds to the movie box, which is the last of the film, so that no frame moves. */
async function withMovie(extra: Buffer): Promise<Buffer> {
  const film = await makeFilm({ frames: 3, movieLast: true })
  const at = film.indexOf('moov') - 4
  const movie = Buffer.concat([film.subarray(at), extra])
  movie.writeUInt32BE(movie.length)
  return Buffer.concat([film.subarray(0, at), movie])
}

const tableBytes = 7 * 1024 * 1024

/** Adds unused tracks, each with tables as long as the parser may hold in memory. */
function withTracks(bytes: number, track: (bytes: number) => Buffer): Promise<Buffer> {
  const tracks: Buffer[] = []
  for (let left = bytes; left > 0; left -= tableBytes)
    tracks.push(track(Math.min(left, tableBytes)))
  return withMovie(Buffer.concat(tracks))
}

function tableTrack(bytes: number): Buffer {
  const count = Math.floor(bytes / 4)
  const handler = box('hdlr', numbers(0, 0), Buffer.from('text'), Buffer.alloc(13))
  const table = box(
    'stbl',
    box('stsz', numbers(0, 1, count)),
    box('stsc', numbers(0, 1, 1, 1, 1)),
    box('stco', numbers(0, count), Buffer.alloc(count * 4, 1)),
  )
  return box('trak', box('mdia', handler, box('minf', table)))
}

/** Returns a film whose tables claim millions of frames of one byte. */
async function filmWithTables(bytes: number): Promise<Buffer> {
  const film = await makeFilm({ frames: 3, movieLast: true })
  const count = Math.floor(bytes / 16)
  const replaced = new Map([
    ['stts', box('stts', numbers(0, count), repeat(numbers(1, 1), count * 8))],
    ['stsz', box('stsz', numbers(0, 0, count), Buffer.alloc(count * 4, 1))],
    ['stco', box('stco', numbers(0, count), repeat(numbers(40), count * 4))],
    ['stsc', box('stsc', numbers(0, 1, 1, 1, 1))],
  ])
  const at = film.indexOf('moov') - 4
  return Buffer.concat([film.subarray(0, at), rebuilt(film.subarray(at), replaced)])
}

const containers: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])

function rebuilt(boxes: Buffer, replaced: ReadonlyMap<string, Buffer>): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < boxes.length;) {
    const end = at + boxes.readUInt32BE(at)
    const type = boxes.toString('latin1', at + 4, at + 8)
    const other = replaced.get(type)
    if (containers.has(type)) parts.push(box(type, rebuilt(boxes.subarray(at + 8, end), replaced)))
    else parts.push(other ?? boxes.subarray(at, end))
    at = end
  }
  return Buffer.concat(parts)
}

/** Nests boxes: each contains the rest. */
function nestBoxes(bytes: number): Buffer {
  const nested = Buffer.alloc(bytes - (bytes % 8))
  for (let at = 0; at < nested.length; at += 8) {
    nested.writeUInt32BE(nested.length - at, at)
    nested.write(at % 16 === 0 ? 'trak' : 'mdia', at + 4, 'latin1')
  }
  return nested
}

/** Returns an element whose size always takes eight bytes. */
function element(id: string, content: Uint8Array): Buffer {
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(content.length) | (1n << 56n))
  return Buffer.concat([Buffer.from(id, 'hex'), size, content])
}

/** Appends to the clusters of a segment of unknown size. */
async function webmWith(extra: Buffer): Promise<Buffer> {
  return Buffer.concat([await makeFilm({ format: 'webm', live: true, frames: 3 }), extra])
}

const tag = () => Buffer.from('73738367c880', 'hex')
const cue = () => Buffer.from('bb8bb38101b786f78101f18101', 'hex')
const openCluster = () => Buffer.from('1f43b675ffe78101', 'hex')

function nestTags(bytes: number): Buffer {
  const head = 10
  const nested = Buffer.alloc(bytes - (bytes % head))
  for (let at = 0; at < nested.length; at += head) {
    nested.write('67c8', at, 'hex')
    nested.writeBigUInt64BE(BigInt(nested.length - at - head) | (1n << 56n), at + 2)
  }
  return nested
}

async function jpegWith(extra: Buffer): Promise<Buffer> {
  const plain = await plainJpeg({ width: 64, height: 48 })
  return Buffer.concat([plain.subarray(0, 2), extra, plain.subarray(2)])
}

function segment(marker: number, text: string): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, marker, 0, text.length + 2]),
    Buffer.from(text, 'latin1'),
  ])
}

const profile = () => segment(0xe2, 'ICC_PROFILE\0\u0001\u0001a')

/** Repeats the last scan of a progressive picture. */
async function jpegWithScans(bytes: number): Promise<Buffer> {
  const plain = await sharp({
    create: { width: 2000, height: 2000, channels: 3, background: '#468' },
  })
    .jpeg({ progressive: true })
    .toBuffer()
  const at = plain.lastIndexOf(Buffer.from('ffda', 'hex'))
  const scan = plain.subarray(at, -2)
  return Buffer.concat([
    plain.subarray(0, -2),
    repeat(Buffer.from(scan), bytes),
    plain.subarray(-2),
  ])
}

/** Returns a chunk of a PNG. */
export function pngChunk(type: string, content: Uint8Array | string): Buffer {
  const body = Buffer.concat([Buffer.from(type), Buffer.from(content)])
  return Buffer.concat([numbers(body.length - 4), body, numbers(crc32(body))])
}

async function pngWith(extra: Buffer): Promise<Buffer> {
  const plain = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#468' } })
    .png()
    .toBuffer()
  const at = plain.indexOf('IDAT') - 4
  return Buffer.concat([plain.subarray(0, at), extra, plain.subarray(at)])
}

function packedText(): Buffer {
  const text = deflateSync(Buffer.alloc(8_000_000, 'a'))
  return pngChunk('zTXt', Buffer.concat([Buffer.from('title\0\0'), text]))
}

const pngFrame = () => pngChunk('fcTL', numbers(0, 8, 8, 0, 0, 0, 0).subarray(0, 26))

function riffChunk(type: string, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from(type), size, content])
}

function riff(...chunks: Buffer[]): Buffer {
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))
}

async function smallWebp(): Promise<Buffer> {
  const create = { width: 1, height: 1, channels: 3, background: '#468' } as const
  return (await sharp({ create }).webp({ lossless: true }).toBuffer()).subarray(12)
}

async function webpWith(extra: Buffer): Promise<Buffer> {
  return riff(await smallWebp(), extra)
}

async function webpWithFrames(bytes: number): Promise<Buffer> {
  const head = Buffer.alloc(10)
  head[0] = 0x02
  const frame = riffChunk('ANMF', Buffer.concat([Buffer.alloc(16), await smallWebp()]))
  return riff(riffChunk('VP8X', head), riffChunk('ANIM', Buffer.alloc(6)), repeat(frame, bytes))
}

const gifFrame = Buffer.from('2c0000000001000100000202440100', 'hex')

async function gifWith(extra: Buffer): Promise<Buffer> {
  const head = Buffer.from('47494638396101000100800000000000ffffff', 'hex')
  return Buffer.concat([head, gifFrame, extra, Buffer.from([0x3b])])
}
