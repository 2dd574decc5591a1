/** Small HLS films, in a codec that every Chromium plays, and a host for them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { openBrowser } from './browser.ts'

const [width, height, framesASecond, pieceS] = [64, 48, 10, 1]
const codec = 'vp09.00.10.08'

/** Serves files with CORS and records the requests. */
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
    /** Adds a film and returns the address of its playlist. */
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

/** Returns the files by name: 'playlist.m3u8' names 'pieces.m3u8', which names the others. */
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
  const decoderConfig = { codec, codedWidth: width, codedHeight: height }
  for (const { base64, type, timestampS } of await encodeFrames(seconds * framesASecond)) {
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
    const packet = new EncodedPacket(bytes, type, timestampS, 1 / framesASecond)
    await source.add(packet, { decoderConfig })
  }
  await output.finalize()
  if (!target.buffer) throw new Error('no film was made')
  return Buffer.from(target.buffer)
}

type Encoded = { base64: string; type: 'key' | 'delta'; timestampS: number }

/**
 * Encodes in the browser, which can encode on every processor. It allows that only in a secure context, such
 * as a page of this machine.
 */
async function encodeFrames(frames: number): Promise<Encoded[]> {
  const blank = createServer((_, response) => response.end())
  blank.listen(0, '127.0.0.1')
  await once(blank, 'listening')
  const browser = await openBrowser()
  const page = await browser.newPage()
  try {
    await page.goto(`http://127.0.0.1:${(blank.address() as AddressInfo).port}/`)
    return await page.evaluate(encodeInPage, {
      frames,
      codec,
      width,
      height,
      framesASecond,
      keyEvery: pieceS * framesASecond,
    })
  } finally {
    await page.close()
    blank.close()
    blank.closeAllConnections()
  }
}

type Film = Record<'frames' | 'width' | 'height' | 'framesASecond' | 'keyEvery', number>

/** Runs in the page. */
async function encodeInPage(film: Film & { codec: string }): Promise<Encoded[]> {
  const { codec, width, height, framesASecond } = film
  const encoded: Encoded[] = []
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      const base64 = btoa(String.fromCodePoint(...bytes))
      encoded.push({ base64, type: chunk.type, timestampS: chunk.timestamp / 1e6 })
    },
    error: (error) => {
      throw error
    },
  })
  encoder.configure({ codec, width, height, bitrate: 50_000, framerate: framesASecond })
  for (let index = 0; index < film.frames; index += 1) {
    const pixels = new Uint8Array(width * height * 4).fill((index * 8) % 256)
    const timestamp = Math.round((index * 1e6) / framesASecond)
    const frame = new VideoFrame(pixels, {
      format: 'RGBA',
      codedWidth: width,
      codedHeight: height,
      timestamp,
    })
    encoder.encode(frame, { keyFrame: index % film.keyEvery === 0 })
    frame.close()
  }
  await encoder.flush()
  encoder.close()
  return encoded
}

/** Splits the film into its header and its pieces: each is a 'moof' and the boxes after it. */
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
