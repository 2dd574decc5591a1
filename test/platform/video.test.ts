/** Inspecting videos: their type and size, and the frame that represents them. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import { examineVideo, measureVideo, probeVideo, UnfitVideo } from '../../src/server/media/video.ts'
import { makeFilm } from '../support/sample-media.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'

const sourceOf = (bytes: Uint8Array) => ({
  size: bytes.length,
  read: async (start: number, end: number) => bytes.subarray(start, end),
})
const look = (bytes: Uint8Array) => examineVideo(sourceOf(bytes))

async function colourAt(
  png: Uint8Array,
  [left, top]: readonly [left: number, top: number],
): Promise<number[]> {
  const { width, height } = await sharp(png).metadata()
  const at = { left: Math.floor(left * width), top: Math.floor(top * height), width: 1, height: 1 }
  return [...(await sharp(png).extract(at).raw().toBuffer())]
}
const isRed = ([red = 0, , blue = 0]: number[]) => red > 150 && blue < 100
const isBlue = ([red = 0, , blue = 0]: number[]) => blue > 150 && red < 100

test.each(['mp4', 'mov', 'webm'] as const)(
  '%s: size, duration, title and poster',
  async (format) => {
    const found = await look(await makeFilm({ format, title: 'Ada Lovelace' }))
    expect(found).toMatchObject({
      width: 320,
      height: 240,
      title: 'Ada Lovelace',
      posterMissing: null,
    })
    expect(found.durationMs).toBeGreaterThan(900)
    expect(found.durationMs).toBeLessThan(1100)
    expect(await sharp(found.poster!).metadata()).toMatchObject({ width: 320, height: 240 })
    expect(isRed(await colourAt(found.poster!, [0.5, 0.2]))).toBe(true)
    expect(isBlue(await colourAt(found.poster!, [0.5, 0.8]))).toBe(true)
  },
)

test.each(['mp4', 'webm'] as const)('%s: how long it is, by itself', async (format) => {
  expect(await measureVideo(sourceOf(await makeFilm({ format, frames: 60 })))).toBe(2000)
})

test('how long a recording is that does not say, and not what is no film', async () => {
  const live = await makeFilm({ format: 'webm', live: true, frames: 60 })
  expect(await measureVideo(sourceOf(live))).toBe(2000)
  await expect(measureVideo(sourceOf(live.subarray(0, 40)))).rejects.toBeInstanceOf(UnfitVideo)
})

test.each([
  [90, 240, 320, [0.8, 0.5], [0.2, 0.5]],
  [180, 320, 240, [0.5, 0.8], [0.5, 0.2]],
  [270, 240, 320, [0.2, 0.5], [0.8, 0.5]],
] as const)(
  'turned by %i degrees, the poster is upright',
  async (rotation, width, height, red, blue) => {
    const { poster, ...found } = await look(await makeFilm({ rotation }))
    expect(found).toMatchObject({ width, height })
    expect(await sharp(poster!).metadata()).toMatchObject({ width, height })
    expect(isRed(await colourAt(poster!, red))).toBe(true)
    expect(isBlue(await colourAt(poster!, blue))).toBe(true)
  },
)

test('the poster is not black if the video starts black', async () => {
  for (const blackFrames of [20, 100]) {
    const { poster } = await look(await makeFilm({ frames: 150, blackFrames }))
    expect(isRed(await colourAt(poster!, [0.5, 0.2]))).toBe(true)
  }
  const { poster } = await look(await makeFilm({ blackFrames: 30 }))
  expect(await colourAt(poster!, [0.5, 0.2])).toEqual([0, 0, 0])
})

test('a large frame becomes a poster of 1280 at most', async () => {
  const { poster, width } = await look(await makeFilm({ width: 1920, height: 1080, frames: 2 }))
  expect(width).toBe(1920)
  expect(await sharp(poster!).metadata()).toMatchObject({ width: 1280, height: 720 })
})

test('an invalid video is refused, however it is broken', async () => {
  const film = await makeFilm({ frames: 5 })
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('nonsense'),
    film.subarray(0, 60),
    Buffer.alloc(5000, 0xff),
    Buffer.concat([film.subarray(0, 200), Buffer.alloc(3000, 0x41)]),
  ])
    await expect(look(bytes)).rejects.toBeInstanceOf(UnfitVideo)
})

test('only the parts that are needed are read of a long file', async () => {
  const film = await makeFilm({ frames: 5 })
  // Padding: only its size matters.
  const space = Buffer.alloc(60 * 1024 * 1024)
  space.writeUInt32BE(space.length)
  space.write('free', 4)
  const bytes = Buffer.concat([film, space])
  let read = 0
  const found = await examineVideo({
    size: bytes.length,
    async read(start, end) {
      read += end - start
      return bytes.subarray(start, end)
    },
  })
  expect(found.poster).not.toBeNull()
  expect(read).toBeLessThan(4 * 1024 * 1024)
})

test('a failing source reports its own failure', async () => {
  const failing = examineVideo({ size: 5000, read: () => Promise.reject(new Error('no disk')) })
  await expect(failing).rejects.toThrow('no disk')
  expect((await look(await makeFilm({ frames: 2 }))).width).toBe(320)
})

testShared('a video with an unknown codec is refused', async () => {
  const names = ['wpt-counting.mp4', 'tiny/mitra-mp4.mp4', 'tiny/mitra-qt.mov']
  for (const name of names) {
    const film = readFileSync(sharedFile(`corpora/media/${name}`))
    await expect(look(film), name).rejects.toMatchObject({ reason: 'no-picture' })
    await expect(probeVideo(sourceOf(film)), name).rejects.toMatchObject({ reason: 'no-picture' })
  }
  return names.length
})
