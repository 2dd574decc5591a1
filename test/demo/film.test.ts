/** The demo's videos are playable: another library than the one that wrote them reads and decodes them. */
import type { VideoFrame } from '@napi-rs/webcodecs'
import type { EncodedPacket } from 'mediabunny'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Painting } from '../../demo/painting/painting.ts'
import { render } from '../../demo/painting/render.ts'
import { muxWebm, vp8FrameOf } from '../../demo/painting/webm.ts'
import { testDecoding } from '../support/native-packages.ts'

const width = 64
const height = 48

test('a video has its length, its size and every frame in order', async () => {
  const clip = await readClip(muxWebm({ width, height, frameMs: 83, frames: await greys(30) }))
  expect(clip.mimeType).toBe('video/webm')
  expect(clip).toMatchObject({ codec: 'vp8', width, height })
  expect(clip.durationS).toBeCloseTo(30 * 0.083, 2)
  expect(clip.saidDurationS).toBeCloseTo(30 * 0.083, 2)
  expect(clip.packets.map(({ timestamp }) => Math.round(timestamp * 1000))).toEqual(
    Array.from({ length: 30 }, (_, i) => i * 83),
  )
  expect(clip.packets.every(({ type }) => type === 'key')).toBe(true)
})

testDecoding('its frames can be decoded, and show what was put in', async () => {
  const frames = await greys(5)
  const clip = await readClip(muxWebm({ width, height, frameMs: 100, frames }))
  const tones = await decode(clip)
  expect(tones).toHaveLength(5)
  tones.forEach((tone, i) => expect(Math.abs(tone - greyOf(i, 5))).toBeLessThan(14))
})

test('a reader can jump to any time by the index', async () => {
  const clip = await readClip(muxWebm({ width, height, frameMs: 100, frames: await greys(40) }))
  expect((await clip.packetAt(2.55))?.timestamp).toBeCloseTo(2.5, 3)
  expect((await clip.packetAt(3.95))?.timestamp).toBeCloseTo(3.9, 3)
})

testDecoding('what the demo renders is a few seconds long and decodes', async () => {
  const painting: Painting = {
    id: 'a-01',
    scene: 'sea',
    mood: 'sunset',
    seed: 5,
    extension: 'webm',
    type: 'video',
    width,
    height,
  }
  const clip = await readClip(await render({ painting, part: 'whole' }))
  expect(clip.durationS).toBeGreaterThan(2)
  expect(await decode(clip)).toHaveLength(clip.packets.length)
  const thumbnail = await render({ painting, part: 'thumbnail' })
  expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'jpeg' })
})

test('only a simple lossy WebP is a frame', async () => {
  const lossless = await grey(0).webp({ lossless: true }).toBuffer()
  expect(() => vp8FrameOf(lossless)).toThrow(TypeError)
  expect(() => vp8FrameOf(Buffer.from('not a picture'))).toThrow(TypeError)
})

function grey(tone: number) {
  const background = { r: tone, g: tone, b: tone }
  return sharp({ create: { width, height, channels: 3, background } })
}

function greyOf(i: number, count: number): number {
  return Math.round(30 + (i / count) * 190)
}

function greys(count: number): Promise<Buffer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, i) => grey(greyOf(i, count)).webp().toBuffer()),
  )
}

type Clip = Awaited<ReturnType<typeof readClip>>

async function readClip(file: Buffer) {
  const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS })
  const track = await input.getPrimaryVideoTrack()
  if (!track) throw new Error('there is no video in it')
  const sink = new EncodedPacketSink(track)
  const packets: EncodedPacket[] = []
  for await (const packet of sink.packets()) packets.push(packet)
  return {
    packets,
    mimeType: (await input.getMimeType()).split(';')[0],
    durationS: await input.computeDuration(),
    saidDurationS: await input.getDurationFromMetadata(),
    codec: track.codec,
    width: track.displayWidth,
    height: track.displayHeight,
    packetAt: (timeS: number) => sink.getPacket(timeS),
  }
}

/** Returns the mean brightness of every decoded frame. */
async function decode({ packets }: Clip): Promise<number[]> {
  const { EncodedVideoChunk, VideoDecoder } = await import('@napi-rs/webcodecs')
  const tones: Promise<number>[] = []
  const failures: unknown[] = []
  const decoder = new VideoDecoder({
    output: (frame) => void tones.push(toneOf(frame).finally(() => frame.close())),
    error: (error) => void failures.push(error),
  })
  decoder.configure({ codec: 'vp8', codedWidth: width, codedHeight: height })
  for (const { type, data, microsecondTimestamp: timestamp } of packets)
    decoder.decode(new EncodedVideoChunk({ type, data: new Uint8Array(data), timestamp }))
  await decoder.flush()
  decoder.close()
  expect(failures).toEqual([])
  return Promise.all(tones)
}

async function toneOf(frame: VideoFrame): Promise<number> {
  const pixels = new Uint8Array(frame.allocationSize())
  await frame.copyTo(pixels)
  // The luma plane is first. Its range is 16 to 235.
  const plane = pixels.subarray(0, width * height)
  const mean = plane.reduce((sum, byte) => sum + byte, 0) / plane.length
  return ((mean - 16) / 219) * 255
}
