/** Files, folders and zips that people add: their order, the suggested title, and the files left out. */
import { describe, expect, test } from 'vitest'
import { filesOfList, type Brought } from '../../src/web/uploads/brought-files.ts'
import { captureTime } from '../../src/contract/capture-time.ts'
import { gatherMedia } from '../../src/web/uploads/gather-media.ts'
import { readZip } from '../../src/web/uploads/zip-reader.ts'
import { exifJpeg, exifPng, exifWebp, tiff } from '../support/exif.ts'
import { buildZip } from '../support/zip-builder.ts'

const at = (text: string) => new Date(text).getTime()

describe('the time a picture was taken', () => {
  test('is read from JPEG, PNG and WebP, in both byte orders, with its zone where it has one', () => {
    const local = at('2024-06-12T08:30:15')
    for (const isLittle of [true, false]) {
      const exif = tiff({ takenAt: '2024:06:12 08:30:15', isLittle })
      for (const picture of [exifJpeg(exif), exifPng(exif), exifWebp(exif)])
        expect(captureTime(picture)).toBe(local)
    }
    const zoned = tiff({ takenAt: '2024:06:12 08:30:15', offset: '+02:00', fraction: '25' })
    expect(captureTime(exifJpeg(zoned))).toBe(at('2024-06-12T06:30:15.250Z'))
  })

  test('is unknown where it is missing, made up or cut off at any byte', () => {
    const whole = exifJpeg(tiff({ takenAt: '2024:06:12 08:30:15' }))
    for (const text of ['0000:00:00 00:00:00', 'not a time at all.', '2024:13:45 99:99:99'])
      expect(captureTime(exifJpeg(tiff({ takenAt: text })))).toBe(null)
    for (let length = 0; length < whole.length - 3; length += 1)
      expect([null, at('2024-06-12T08:30:15')]).toContain(captureTime(whole.slice(0, length)))
    expect(captureTime(new Uint8Array())).toBe(null)
  })

  test('is read only within the file’s bytes', () => {
    const bytes = exifJpeg(tiff({ takenAt: '2024:06:12 08:30:15' }))
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = bytes.slice()
      changed[index] = 0xff
      expect(() => captureTime(changed)).not.toThrow()
    }
  })
})

test('pictures are put in the order in which they were taken, and named by folder and days', async () => {
  const brought = bring({
    'Norway/Day 2/IMG_1.jpg': exifJpeg(tiff({ takenAt: '2024:06:14 10:00:00' })),
    'Norway/Day 1/IMG_10.jpg': exifJpeg(tiff({ takenAt: '2024:06:12 10:00:00' })),
    'Norway/Day 1/IMG_9.jpg': exifJpeg(tiff({ takenAt: '2024:06:12 10:00:00' })),
    'Norway/.DS_Store': new Uint8Array([1]),
  })
  const { media, suggestedTitle, leftOut } = await gatherMedia(brought, 'en-GB')
  expect(media.map(({ name }) => name)).toEqual(['IMG_9.jpg', 'IMG_10.jpg', 'IMG_1.jpg'])
  expect(suggestedTitle.replaceAll(/\s*–\s*/g, '–')).toBe('Norway, 12–14 June 2024')
  expect(leftOut).toEqual([])
})

test('a picture without a capture time uses its file time, and a title without a folder', async () => {
  const { media, suggestedTitle } = await gatherMedia(
    bring({ 'b.png': exifPng(null), 'a.png': exifPng(null) }, at('2023-01-05T12:00:00')),
    'en-GB',
  )
  expect(media.map(({ name }) => name)).toEqual(['a.png', 'b.png'])
  expect(suggestedTitle).toBe('5 January 2023')
})

test('the kind is detected from the bytes, and other files are left out or passed on', async () => {
  const gathered = await gatherMedia(
    bring({
      'film.bin': bytesOf('\0\0\0 ftypisom'),
      'telephone.jpg': bytesOf('\0\0\0 ftypheic'),
      'camera.mov': bytesOf('\0\0\0 ftypqt  '),
      'list.txt': bytesOf('https://example.com/1.jpg'),
    }),
  )
  expect(gathered.media.map(({ name, type }) => [name, type])).toEqual([['film.bin', 'video/mp4']])
  expect(gathered.leftOut).toEqual([
    { name: 'telephone.jpg', why: expect.stringContaining('HEIC') },
    { name: 'camera.mov', why: expect.stringContaining('MP4') },
  ])
  expect(gathered.others.map(({ name }) => name)).toEqual(['list.txt'])
})

describe('a plain zip', () => {
  test('is unpacked, stored or deflated, and acts like a folder', async () => {
    const jpeg = exifJpeg(tiff({ takenAt: '2024:06:12 10:00:00' }))
    const zip = buildZip([
      { name: 'two.jpg', content: jpeg, deflated: true },
      { name: 'one.gif', content: 'GIF89a and more' },
      { name: '__MACOSX/two.jpg', content: 'x' },
      { name: 'words.txt', content: 'words' },
    ])
    const { media, leftOut, suggestedTitle } = await gatherMedia(
      bring({ 'Harbours.zip': zip }),
      'en',
    )
    expect(media.map(({ name }) => name).toSorted()).toEqual(['one.gif', 'two.jpg'])
    const file = await media.find(({ name }) => name === 'two.jpg')?.open()
    expect(file?.type).toBe('image/jpeg')
    expect(new Uint8Array((await file?.arrayBuffer()) ?? [])).toEqual(new Uint8Array(jpeg))
    expect(leftOut.map(({ name }) => name)).toEqual(['words.txt'])
    expect(suggestedTitle).toMatch(/^Harbours, /)
  })

  test('that was downloaded here is no plain one', async () => {
    const zip = buildZip([{ name: 'manifest.json', content: '{}' }])
    const { archives, media } = await gatherMedia(bring({ 'session.zip': zip }))
    expect([archives.map(({ name }) => name), media]).toEqual([['session.zip'], []])
  })

  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(5_000_000)])
  test.each([
    ['grows more than pictures do', { content: jpeg, deflated: true }],
    ['is larger than declared', { content: jpeg, deflated: true, central: { bytes: 400_000 } }],
    ['is smaller than declared', { content: 'GIF89a', deflated: true, central: { bytes: 60 } }],
    ['is locked', { content: 'GIF89a', flags: 0x801 }],
    ['is packed in an unknown way', { content: 'GIF89a', central: { method: 12 } }],
    ['is not where it should be', { content: 'GIF89a', headerAt: 3 }],
    ['reaches past the end', { content: 'GIF89a', central: { packedBytes: 9e8, bytes: 9e8 } }],
  ])('with a file that %s skips that file, and imports the rest', async (_, part) => {
    const zip = buildZip([
      { name: 'good.gif', content: 'GIF89a and more' },
      { name: 'bad.jpg', ...part },
    ])
    const { media, leftOut } = await gatherMedia(bring({ 'mixed.zip': zip }))
    const opened = await Promise.allSettled(media.map((source) => source.open()))
    const bad = media.findIndex(({ name }) => name === 'bad.jpg')
    // Some wrong sizes are found only when the whole file is unpacked.
    if (bad === -1) expect(leftOut.map(({ name }) => name)).toEqual(['bad.jpg'])
    else expect(opened[bad]?.status).toBe('rejected')
    expect(media.some(({ name }) => name === 'good.gif')).toBe(true)
  })

  test.each([
    ['has too many files', buildZip([], { entries: 6000 })],
    ['is cut off', buildZip([{ name: 'a.gif', content: 'GIF89a' }]).subarray(0, 60)],
    ['names more files than it has', buildZip([{ name: 'a.gif', content: 'GIF' }], { entries: 9 })],
    ['has its list elsewhere', buildZip([{ name: 'a.gif' }], { directoryAt: 4_000_000_000 })],
  ])('that %s is refused in words, and left to the server', async (_, zip) => {
    await expect(readZip(new Blob([new Uint8Array(zip)]))).rejects.toThrow(/^The zip /)
    const { archives } = await gatherMedia(bring({ 'bad.zip': zip }))
    expect(archives.map(({ name }) => name)).toEqual(['bad.zip'])
  })
})

test('more than a session holds is named', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 503 }, (_, n) => [`${n}.gif`, bytesOf('GIF89a')]),
  )
  const { media, leftOut } = await gatherMedia(bring(many))
  expect([media.length, leftOut.length]).toEqual([500, 3])
})

test('a folder is read up to a limit', () => {
  const files = Array.from({ length: 5001 }, (_, n) => new File(['x'], `${n}.gif`))
  expect(filesOfList(files).isCut).toBe(true)
  expect(filesOfList(files).files).toHaveLength(5000)
})

function bring(files: Record<string, Uint8Array>, lastModified = 0): Brought {
  return {
    files: Object.entries(files)
      .filter(([path]) => !path.includes('/.'))
      .map(([path, bytes]) => ({
        path,
        file: new File([new Uint8Array(bytes)], path.split('/').at(-1) ?? '', { lastModified }),
      })),
    isCut: false,
  }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
