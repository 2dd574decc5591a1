/** Small films as playlists with their pieces (HLS), in a form that every Chromium plays, and a host of them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { VideoEncoder, VideoFrame } from '@napi-rs/webcodecs'
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'

const [width, height, framesASecond, pieceS] = [64, 48, 10, 1]
const codec = 'vp09.00.10.08'

/** A host that pages may read from, and its diary. */
export async function openFilmHost() {
  const files = new Map<string, Buffer | 'endless'>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    asked.push(path)
    const file = files.get(path)
    const type = path.endsWith('.m3u8') ? 'application/vnd.apple.mpegurl' : 'video/mp4'
    const headers = { 'access-control-allow-origin': '*', 'content-type': type }
    response.writeHead(file ? 200 : 404, headers)
    if (file !== 'endless') return void response.end(file)
    const send = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 35)));
      response.once('drain', send)
    }
    send()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    asked,
    /** The address of its playlist. */
    put(name: string, film: ReadonlyMap<string, Buffer | 'endless'>): string {
      for (const [file, bytes] of film) files.set(`/${name}/${file}`, bytes)
      return `${origin}/${name}/playlist.m3u8`
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** By their file names: '/playlist.m3u8' names '/pieces.m3u8', and that one the rest. */
export async function makeFilmInPieces(seconds: number): Promise<ReadonlyMap<string, Buffer>> {
  const [head, ...pieces] = partsOf(await encode(seconds))
  const names = pieces.map((_, index) => `piece${index}.m4s`)
  const listed = names.flatMap((name) => [`#EXTINF:${pieceS},`, name])
  return new Map([
    [
      'playlist.m3u8',
      textOf(`#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="${codec}"`, 'pieces.m3u8'),
    ],
    [
      'pieces.m3u8',
      textOf(
        `#EXT-X-TARGETDURATION:${pieceS}`,
        '#EXT-X-PLAYLIST-TYPE:VOD',
        '#EXT-X-MAP:URI="head.mp4"',
        ...listed,
        '#EXT-X-ENDLIST',
      ),
    ],
    ['head.mp4', head ?? Buffer.alloc(0)],
    ...pieces.map((piece, index) => [names[index] ?? '', piece] as const),
  ])
}

export function textOf(...lines: readonly string[]): Buffer {
  return Buffer.from(['#EXTM3U', '#EXT-X-VERSION:7', ...lines, ''].join('\n'))
}

async function encode(seconds: number): Promise<Buffer> {
  const target = new BufferTarget()
  const format = new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: pieceS })
  const output = new Output({ format, target })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source, { frameRate: framesASecond })
  await output.start()
  const packets: Parameters<typeof source.add>[] = []
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      const packet = new EncodedPacket(
        bytes,
        chunk.type === 'key' ? 'key' : 'delta',
        chunk.timestamp / 1e6,
        1 / framesASecond,
      )
      packets.push([packet, { decoderConfig: { codec, codedWidth: width, codedHeight: height } }])
    },
    error: (error) => {
      throw error
    },
  })
  encoder.configure({ codec, width, height, bitrate: 50_000, framerate: framesASecond })
  for (let index = 0; index < seconds * framesASecond; index += 1) {
    const pixels = Buffer.alloc(width * height * 4, (index * 8) % 256)
    const timestamp = Math.round((index * 1e6) / framesASecond)
    const frame = new VideoFrame(pixels, {
      format: 'RGBA',
      codedWidth: width,
      codedHeight: height,
      timestamp,
    })
    encoder.encode(frame, { keyFrame: index % (pieceS * framesASecond) === 0 })
    frame.close()
  }
  await encoder.flush()
  encoder.close()
  for (const [packet, meta] of packets) await source.add(packet, meta)
  await output.finalize()
  if (!target.buffer) throw new Error('no film was made')
  return Buffer.from(target.buffer)
}

/** What stands before the first piece, and each piece: a 'moof' with what follows it. */
function partsOf(film: Buffer): Buffer[] {
  const starts: number[] = [0]
  let [at, end] = [0, film.length]
  while (at < film.length) {
    const kind = film.toString('latin1', at + 4, at + 8)
    if (kind === 'moof') starts.push(at)
    if (kind === 'mfra') end = at
    at += film.readUInt32BE(at) || film.length
  }
  return starts.map((start, index) => film.subarray(start, starts[index + 1] ?? end))
}
