/** Display files of videos: no metadata about place or time, and every frame unchanged. */
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { InputTrack } from 'mediabunny'
import { BufferSource, EncodedPacketSink, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { VideoSource } from '../../src/server/media/video.ts'
import { examineVideo, remuxVideo, UnfitVideo } from '../../src/server/media/video.ts'
import { makeFilm } from '../support/sample-media.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'

const place = '+50.2996+014.8203/'
type Format = 'mp4' | 'mov' | 'webm'

const sourceOf = (bytes: Buffer): VideoSource => ({
  size: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
})
const look = (bytes: Buffer) => examineVideo(sourceOf(bytes))

function cleaned(format: Format, bytes: Buffer): Promise<Buffer> {
  return remuxVideo(sourceOf(bytes), format, async (content) => {
    const pieces: Uint8Array[] = []
    for await (const piece of content) pieces.push(piece)
    return Buffer.concat(pieces)
  })
}

/** Returns the frames or sounds of each track, in order. */
async function packetsOf(film: Buffer): Promise<Record<string, string[]>> {
  const input = new Input({
    formats: [MP4, QTFF, WEBM, MATROSKA],
    source: new BufferSource(new Uint8Array(film)),
  })
  const packets: Record<string, string[]> = {}
  for (const track of await input.getTracks()) packets[track.type] = await packetsIn(track)
  return packets
}

async function packetsIn(track: InputTrack): Promise<string[]> {
  const found: string[] = []
  for await (const { data, type } of new EncodedPacketSink(track).packets())
    found.push(`${type} ${Buffer.from(data).toString('base64')}`)
  return found
}

describe.each(['mp4', 'mov', 'webm'] as const)('%s', (format) => {
  test('loses its location and its title, and keeps every frame', async () => {
    const film = await makeFilm({ format, location: place, title: 'Secret Street 7' })
    expect(film.includes(place)).toBe(true)
    const shown = await cleaned(format, film)
    expect(shown.includes('50.2996')).toBe(false)
    expect(shown.includes('Secret Street')).toBe(false)
    expect(await packetsOf(shown)).toEqual(await packetsOf(film))
    const [before, after] = [await look(film), await look(shown)]
    expect(before.title).toBe('Secret Street 7')
    expect(after).toEqual({ ...before, title: null })
    expect(after.poster).not.toBeNull()
  })

  test('any changed bytes make it valid or refused, never an error', async () => {
    const film = await makeFilm({ format, location: place, frames: 3 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(film.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }),
        fc.nat(film.length),
        async (changes, end) => {
          const broken = Buffer.from(film.subarray(0, Math.max(end, 200)))
          for (const [at, value] of changes) if (at < broken.length) broken[at] = value
          await cleaned(format, broken).catch((error: unknown) => {
            if (!(error instanceof UnfitVideo)) throw error
          })
        },
      ),
      { numRuns: 6 },
    )
  })
})

test.each([90, 180, 270] as const)(
  'a film rotated by %i degrees stays rotated',
  async (rotation) => {
    const film = await makeFilm({ rotation, frames: 3 })
    expect(await look(await cleaned('mp4', film))).toEqual(await look(film))
  },
)

test('a WebM with parts of unknown size gets their sizes, and loses trailing data', async () => {
  const film = await makeFilm({ format: 'webm', live: true, frames: 60, location: place })
  const late = Buffer.from('1254c3678f', 'hex')
  const whole = Buffer.concat([film, late, Buffer.from('Secret Street 7')])
  const shown = await cleaned('webm', whole)
  expect(shown.includes('Secret')).toBe(false)
  expect(shown.includes('50.2996')).toBe(false)
  expect(await packetsOf(shown)).toEqual(await packetsOf(film))
})

test('a track of coordinates is removed with its samples', async () => {
  const { track, samples, film } = withTextTrack(await makeFilm({ frames: 3, movieLast: true }))
  expect(film.includes(samples)).toBe(true)
  const shown = await cleaned('mp4', film)
  expect(shown.includes(samples)).toBe(false)
  expect(shown.includes(track)).toBe(false)
  expect((await look(shown)).poster).not.toBeNull()
})

test('trailing boxes, unknown ones, and text in free space are removed', async () => {
  const film = await makeFilm({ frames: 3 })
  for (const extra of [
    box('uuid', Buffer.from('Secret Street 7 and more')),
    box('free', Buffer.from('Secret Street 7')),
    Buffer.from('Secret Street 7, not even a box'),
  ]) {
    const shown = await cleaned('mp4', Buffer.concat([film, extra]))
    expect(shown.includes('Secret')).toBe(false)
    expect(await packetsOf(shown)).toEqual(await packetsOf(film))
  }
})

test('a truncated film is shown as far as it goes', async () => {
  const film = await makeFilm({ format: 'webm', live: true })
  const shown = await cleaned('webm', film.subarray(0, film.length - 200))
  const [whole, part] = [await packetsOf(film), await packetsOf(shown)]
  expect(part['video']?.length).toBeGreaterThan(10)
  expect(whole['video']?.slice(0, part['video']?.length)).toEqual(part['video'])
})

test('nothing is left behind, cleaned or not', async () => {
  const film = await makeFilm({ frames: 3 })
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-own-'))
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  })
  await cleaned('mp4', film)
  await expect(cleaned('mp4', film.subarray(0, 60))).rejects.toBeInstanceOf(UnfitVideo)
  await expect(
    remuxVideo(sourceOf(film), 'mp4', () => Promise.reject(new Error('no disk'))),
  ).rejects.toThrow('no disk')
  expect(await readdir(folder)).toEqual([])
})

testShared(
  'videos of the corpora keep their packets',
  async () => {
    const names = ['wpt-A4.mp4', 'wpt-movie_5.webm', 'wpt-test-1s.mp4', 'video-imovie.mp4']
    for (const name of names) {
      const film = readFileSync(sharedFile(`corpora/media/${name}`))
      const shown = await cleaned(name.endsWith('webm') ? 'webm' : 'mp4', film)
      expect(await packetsOf(shown), name).toEqual(await packetsOf(film))
    }
    return names.length
  },
  180_000,
)

function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

/** Adds a track of subtitles that say where the camera was, as drones write them. */
function withTextTrack(film: Buffer) {
  const samples = Buffer.from('GPS(14.8203,50.2996)')
  const half = samples.length / 2
  const name = Buffer.from('DJI.Subtitle\0')
  const handler = box('hdlr', numbers(0, 0), Buffer.from('text'), Buffer.alloc(12), name)
  const table = (at: number) =>
    box(
      'stbl',
      box('stsz', numbers(0, 0, 2, half, half)),
      box('stsc', numbers(0, 1, 1, 2, 1)),
      box('stco', numbers(0, 1, at)),
    )
  const make = (at: number) => box('trak', box('mdia', handler, box('minf', table(at))))
  const movieAt = film.indexOf('moov') - 4
  const movieEnd = movieAt + film.readUInt32BE(movieAt)
  // After everything else, so that no offset of the film changes. The track is the last part of the movie
  // box.
  if (movieEnd !== film.length) throw new Error('the movie box must be the last')
  const track = make(0)
  const at = film.length + track.length + 8
  const movie = Buffer.from(film.subarray(movieAt))
  movie.writeUInt32BE(movie.length + track.length)
  const whole = [film.subarray(0, movieAt), movie, make(at), box('mdat', samples)]
  return { film: Buffer.concat(whole), samples, track: name }
}
