/** Videos as others may see them: not a word of where and when, and every frame as it was. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { ByteWindow } from '../../src/server/features/images/byte-window.ts'
import { hideBytes, zeros } from '../../src/server/features/images/hidden-bytes.ts'
import { findPrivateBoxes } from '../../src/server/features/images/mp4-privacy.ts'
import { findPrivateElements } from '../../src/server/features/images/webm-privacy.ts'
import { examineVideo, UnfitVideo } from '../../src/server/platform/video.ts'
import { makeFilm } from '../support/sample-media.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'

// Each look starts a process.
vi.setConfig({ testTimeout: 180_000 })

const place = '+50.2996+014.8203/'
const searches = { mp4: findPrivateBoxes, mov: findPrivateBoxes, webm: findPrivateElements }

function windowOn(bytes: Buffer): ByteWindow {
  return { size: bytes.length, read: async (at, length) => bytes.subarray(at, at + length) }
}

async function* inPieces(bytes: Uint8Array, size = 700) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function cleaned(format: keyof typeof searches, bytes: Buffer): Promise<Buffer> {
  const hidden = await searches[format](windowOn(bytes))
  const pieces: Uint8Array[] = []
  for await (const piece of hideBytes(inPieces(bytes), hidden)) pieces.push(piece)
  return Buffer.concat(pieces)
}

const look = (bytes: Buffer) =>
  examineVideo({ size: bytes.length, read: async (start, end) => bytes.subarray(start, end) })

describe.each(['mp4', 'mov', 'webm'] as const)('%s', (format) => {
  test('loses its place, its title and its times, in the same number of bytes', async () => {
    const film = await makeFilm({ format, location: place, title: 'Secret Street 7' })
    expect(film.includes(place)).toBe(true)
    const shown = await cleaned(format, film)
    expect(shown.length).toBe(film.length)
    expect(shown.includes('50.2996')).toBe(false)
    expect(shown.includes('Secret Street')).toBe(false)
    const [before, after] = [await look(film), await look(shown)]
    expect(before.title).toBe('Secret Street 7')
    expect(after).toEqual({ ...before, title: null })
    expect(after.poster).not.toBeNull()
  })

  test('once clean, has nothing more to hide', async () => {
    const shown = await cleaned(format, await makeFilm({ format, location: place }))
    expect(await searches[format](windowOn(shown))).toEqual([])
  })

  test('no change of bytes makes the search fail otherwise than as unfit', async () => {
    const film = await makeFilm({ format, location: place, frames: 3 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(film.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }),
        fc.nat(film.length),
        async (changes, end) => {
          const broken = Buffer.from(film.subarray(0, Math.max(end, 200)))
          for (const [at, value] of changes) if (at < broken.length) broken[at] = value
          await searches[format](windowOn(broken)).catch((error: unknown) => {
            if (!(error instanceof UnfitVideo)) throw error
          })
        },
      ),
      { numRuns: 300 },
    )
  })
})

test('a WebM whose parts do not know their size is searched to its end', async () => {
  const film = await makeFilm({ format: 'webm', live: true, frames: 60, location: place })
  const late = Buffer.from('1254c3678f', 'hex')
  const whole = Buffer.concat([film, late, Buffer.from('Secret Street 7')])
  const shown = await cleaned('webm', whole)
  expect(shown.includes('Secret')).toBe(false)
  expect(shown.includes('50.2996')).toBe(false)
  const [before, after] = [await look(film), await look(shown)]
  expect(after).toMatchObject({ width: 320, height: 240 })
  expect(after.poster?.length).toBe(before.poster?.length)
})

test('a track of coordinates goes with its samples', async () => {
  const { track, samples, film } = withTextTrack(await makeFilm({ frames: 3, movieLast: true }))
  expect(film.includes(samples)).toBe(true)
  const shown = await cleaned('mp4', film)
  expect(shown.includes(samples)).toBe(false)
  expect(shown.includes(track)).toBe(false)
  expect((await look(shown)).poster).not.toBeNull()
})

test('a box behind the end, an unknown one, and old words in free space go', async () => {
  const film = await makeFilm({ frames: 3 })
  for (const extra of [
    box('uuid', Buffer.from('Secret Street 7 and more')),
    box('free', Buffer.from('Secret Street 7')),
    Buffer.from('Secret Street 7, not even a box'),
  ]) {
    const shown = await cleaned('mp4', Buffer.concat([film, extra]))
    expect(shown.includes('Secret')).toBe(false)
    expect((await look(shown)).poster).not.toBeNull()
  }
})

test('bytes are hidden wherever the pieces of a stream begin and end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(190), fc.integer({ min: 1, max: 60 })), { maxLength: 5 }),
      fc.integer({ min: 1, max: 50 }),
      async (ranges, size) => {
        const bytes = Buffer.alloc(200, 7)
        const hidden = ranges.map(([at, length]) => zeros(at, Math.min(length, 200 - at)))
        const pieces: Uint8Array[] = []
        for await (const piece of hideBytes(inPieces(bytes, size), hidden)) pieces.push(piece)
        const expected = Buffer.from(bytes)
        for (const { at, length } of hidden) expected.fill(0, at, at + length)
        expect(Buffer.concat(pieces).equals(expected)).toBe(true)
        expect(bytes.every((byte) => byte === 7)).toBe(true)
      },
    ),
  )
})

testShared('videos of the corpora play as before once they are clean', async () => {
  const names = ['wpt-A4.mp4', 'wpt-movie_5.webm', 'wpt-test-1s.mp4', 'video-imovie.mp4']
  for (const name of names) {
    const film = readFileSync(sharedFile(`corpora/media/${name}`))
    const shown = await cleaned(name.endsWith('webm') ? 'webm' : 'mp4', film)
    expect(await look(shown), name).toEqual(await look(film))
  }
  return names.length
})

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

/** The film with a track of subtitles that say where the camera was, as drones write them. */
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
  // Behind everything, so that no offset of the film moves; the track is the last part of the movie.
  if (movieEnd !== film.length) throw new Error('the movie box must be the last')
  const track = make(0)
  const at = film.length + track.length + 8
  const movie = Buffer.from(film.subarray(movieAt))
  movie.writeUInt32BE(movie.length + track.length)
  const whole = [film.subarray(0, movieAt), movie, make(at), box('mdat', samples)]
  return { film: Buffer.concat(whole), samples, track: name }
}
