/** Films that exhaust their reader. `npm run faults media` measures larger ones. */
import { expect, test } from 'vitest'
import type { VideoSource } from '../../src/server/media/video.ts'
import { examineVideo, probeVideo, remuxVideo, UnfitVideo } from '../../src/server/media/video.ts'
import { hostileFiles } from '../support/hostile-media.ts'
import { makeFilm } from '../support/sample-media.ts'

const bytesPerFile = 2 * 1024 * 1024
const films = hostileFiles.filter(({ mimeType }) => mimeType.startsWith('video/'))

function watched(bytes: Buffer) {
  const sizes: number[] = []
  const source: VideoSource = {
    size: bytes.length,
    read: async (start, end) => {
      sizes.push(end - start)
      return bytes.subarray(start, end)
    },
  }
  return { source, sizes }
}

const orUnfit = (error: unknown) => {
  if (!(error instanceof UnfitVideo)) throw error
}

test.each(films)('$name', async ({ make, mimeType }) => {
  const { source, sizes } = watched(await make(bytesPerFile))
  await probeVideo(source).catch(orUnfit)
  const container = mimeType === 'video/webm' ? 'webm' : 'mp4'
  await remuxVideo(source, container, async (content) => {
    let bytes = 0
    for await (const chunk of content) bytes += chunk.length
    expect(bytes).toBeLessThan(source.size)
  }).catch(orUnfit)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024)
})

test('a table that says more than a process may hold ends the process and nothing else', async () => {
  const tables = films.find(({ name }) => name === 'mp4, tables of a film')
  const { source } = watched(await tables!.make(64 * 1024 * 1024))
  await expect(probeVideo(source)).rejects.toBeInstanceOf(UnfitVideo)
  const { source: fine } = watched(await makeFilm({ frames: 2 }))
  expect((await examineVideo(fine)).width).toBe(320)
})

test('a file of nothing but starts is abandoned before it takes minutes', async () => {
  const clusters = films.find(({ name }) => name === 'webm, endless clusters')
  const { source } = watched(await clusters!.make(42 * 1024 * 1024))
  const given = remuxVideo(source, 'webm', async () => 'made')
  await expect(given).rejects.toMatchObject({ reason: 'took-too-long' })
})

test.each([
  ['a hundred megabytes', { frames: 250, frameBytes: 400 * 1024 }],
  ['many small frames', { frames: 40_000, frameBytes: 1000 }],
])('an honest film of %s is not taken for one of those', async (_, film) => {
  const { source } = watched(await makeFilm(film))
  await probeVideo(source)
  await remuxVideo(source, 'mp4', async (content) => {
    let bytes = 0
    for await (const chunk of content) bytes += chunk.length
    expect(bytes).toBeGreaterThan(0.98 * source.size)
  })
  expect((await examineVideo(source)).width).toBe(320)
})
