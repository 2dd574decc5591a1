/** Uploads: accepted files and where they are stored, and the messages for refused ones (contract 4.4). */
import { readFile } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import { sweepUnclaimedFiles } from '../../src/server/features/files/unclaimed-files.ts'
import { isKey } from '../../src/server/platform/storage/storage.ts'
import { privateTraces } from '../support/private-traces.ts'
import { makeFilm, paint, plainJpeg } from '../support/sample-media.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'
import { useWorld } from '../support/use-world.ts'
import { createVaultWorld, download } from '../support/vault-media.ts'
import {
  fileOf,
  noTraces,
  pngFile,
  samples,
  sendForm,
  tracesIn,
  upload,
  userIdOf,
} from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: World
let ana: Person
let anaId: string

useWorld(createVaultWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
  anaId = await userIdOf(ana)
})

const png = { name: 'file', fileName: 'photo.png', type: 'image/png', value: samples.png }

const wholeFiles = {
  png: async () => samples.png,
  gif: async () => samples.gif,
  jpeg: () => plainJpeg(),
  webp: () => paint().webp().toBuffer(),
  mp4: () => makeFilm({ frames: 3 }),
  m4v: async () => {
    const film = await makeFilm({ frames: 3 })
    film.write('M4V ', film.indexOf('ftyp') + 4, 'latin1')
    return film
  },
  webm: () => makeFilm({ frames: 3, format: 'webm' }),
}

describe('accepted files', () => {
  test.each([
    ['png', 'a.png', 'image/png'],
    ['gif', 'a.gif', 'image/gif'],
    ['jpeg', 'a.jpg', 'image/jpeg'],
    ['jpeg', 'a.JPEG', 'image/jpeg'],
    ['webp', 'a.webp', 'image/webp'],
    ['mp4', 'a.mp4', 'video/mp4'],
    ['m4v', 'a.mp4', 'video/mp4'],
    ['webm', 'a.webm', 'video/webm'],
  ] as const)('%s as %s', async (sample, fileName, type) => {
    const bytes = await wholeFiles[sample]()
    const file = fileOf(bytes, fileName, type)
    const made = await ana.vault.upload({ form: { file } })
    expect(made.filePath).toBe(`users/${anaId}/General/${made.fileName}`)
    expect(made.fileName).toMatch(/^general-\d{13}-a\.[a-zA-Z0-9]+$/)
    const response = await world.visitor().fetch(made.fileUrl)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
    const { files } = await ana.vault.list()
    expect(files).toEqual([made.media])
    expect(files).toMatchObject([
      {
        name: fileName,
        originalName: fileName,
        category: 'upload',
        size: bytes.length,
        path: made.filePath,
        url: made.fileUrl,
        width: 0,
        height: 0,
        isShared: false,
        shareCode: null,
        enrichmentStatus: 'pending',
      },
    ])
  })

  test.each([
    ['general', 'General', 'upload'],
    ['smart-caption', 'Smart-caption', 'smart-caption'],
    ['babecock', 'Babecock', 'babecock'],
    ['hypnococks', 'Hypnococks', 'hypnococks'],
  ] as const)('source %s goes to %s/', async (source, folder, category) => {
    const made = await ana.vault.upload({ form: { file: pngFile(), source } })
    expect(made).toMatchObject({ source, media: { path: made.filePath, category } })
    expect(made.filePath).toMatch(new RegExp(`^users/${anaId}/${folder}/${source}-\\d{13}-photo`))
    const { files, categories } = await ana.vault.list()
    expect(files).toMatchObject([{ category }])
    expect(categories).toEqual({
      'smart-caption': 0,
      babecock: 0,
      hypnococks: 0,
      upload: 0,
      [category]: 1,
    })
  })

  test.each([
    ['profile', 'Profile'],
    ['thumbnail', 'Thumbnails'],
  ] as const)('source %s goes to %s/ and is not an item of the vault', async (source, folder) => {
    const made = await ana.vault.upload({ form: { file: pngFile(), source } })
    expect(made).toMatchObject({ source, media: null })
    expect(made.filePath).toBe(`users/${anaId}/${folder}/${made.fileName}`)
    expect((await world.visitor().fetch(made.fileUrl)).status).toBe(200)
    expect(await ana.vault.list()).toMatchObject({ files: [], totalCount: 0 })
    const waiting = [made.filePath]
    expect(await tracesIn(world)).toEqual({ records: [], unclaimed: waiting, files: waiting })
  })

  testShared('a picture that others see loses its camera metadata', async () => {
    const pictures = ['exifr-gps-phone.jpg', 'immich-gps-thompson-springs.jpg', 'exifr-gps.png']
    for (const name of pictures) {
      const bytes = await readFile(sharedFile(`corpora/images/exif/${name}`))
      const type = name.endsWith('.png') ? 'image/png' : 'image/jpeg'
      const file = fileOf(bytes, name, type)
      expect(await privateTraces(bytes)).not.toEqual([])
      for (const source of ['profile', 'thumbnail'] as const) {
        const { fileUrl } = await ana.vault.upload({ form: { file, source } })
        expect(await privateTraces(await download(world, fileUrl)), name).toEqual([])
      }
      // A file that only its owner sees is stored byte by byte.
      const { fileUrl } = await ana.vault.upload({ form: { file } })
      expect((await download(world, fileUrl)).equals(bytes)).toBe(true)
    }
    return pictures.length
  })

  test('is logged, and queued for an examination', async () => {
    const { mediaId, filePath } = await upload(ana)
    const log = await world.ctx.db.selectFrom('activity_log').selectAll().execute()
    expect(log.filter(({ action }) => action === 'media_uploaded')).toMatchObject([
      { user_id: anaId, feature: 'media_gallery', details: { mediaId, filePath } },
    ])
    const jobs = await world.ctx.queue.boss.findJobs('enrich-media', { data: { mediaId } })
    expect(jobs).toHaveLength(1)
  })

  test('a name may be in any alphabet and of any length; its file has a plain one', async () => {
    for (const name of [
      '日本語 😀',
      'é'.repeat(300),
      'a b(c)#d&e',
      '-',
      '%2e%2e',
      'x'.repeat(3000),
    ]) {
      const { fileName, filePath } = await upload(ana, `${name}.png`)
      expect(fileName).toMatch(/^general-\d{13}-[A-Za-z0-9._-]*\.png$/)
      expect(isKey(filePath)).toBe(true)
    }
    const { files } = await ana.vault.list()
    expect(files.map(({ originalName }) => originalName)).toContain('日本語 😀.png')
    for (const { originalName } of files) expect(originalName.length).toBeLessThanOrEqual(255)
  })

  test('a name that reads backwards is shown as it is', async () => {
    await upload(ana, 'a\u202egnp.png')
    const { files } = await ana.vault.list()
    expect(files).toMatchObject([{ name: 'agnp.png', originalName: 'a\u202egnp.png' }])
  })

  test('a name keeps its quotation marks, which browsers escape; line breaks stay escaped', async () => {
    for (const fileName of ['my %22best%22 one.png', 'a%0D%0Ab%250a.png']) {
      const { body } = await sendForm(ana, [{ ...png, fileName }])
      expect(body['fileName']).toMatch(/^[A-Za-z0-9._-]+$/)
    }
    const { files } = await ana.vault.list()
    const names = ['my "best" one.png', 'a%0D%0Ab%250a.png']
    expect(files.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    expect(files.map(({ originalName }) => originalName).toSorted()).toEqual(names.toSorted())
  })

  test('two files of one name in one millisecond are two files', async () => {
    const stopped = vi.spyOn(world.ctx, 'now').mockReturnValue(new Date())
    try {
      const file = pngFile()
      const send = () => ana.vault.upload({ form: { file } })
      const made = [await send(), ...(await Promise.all(Array.from({ length: 9 }, send)))]
      expect(new Set(made.map(({ filePath }) => filePath)).size).toBe(10)
      const { records, unclaimed, files } = await tracesIn(world)
      expect([records?.length, unclaimed, files?.length]).toEqual([10, [], 10])
    } finally {
      stopped.mockRestore()
    }
  })
})

describe('the form', () => {
  test('may have the source after the file', async () => {
    const source = { name: 'source', value: 'smart-caption' }
    const { status, body } = await sendForm(ana, [png, source])
    expect(status).toBe(200)
    expect(body).toMatchObject({ source: 'smart-caption' })
    expect(body['filePath']).toMatch(/\/Smart-caption\/smart-caption-\d{13}-photo\.png$/)
    expect(await tracesIn(world)).toEqual({
      records: [body['filePath']],
      unclaimed: [],
      files: [body['filePath']],
    })
  })

  test('may have extra fields', async () => {
    const other = { name: '__proto__', value: 'x' }
    expect(await sendForm(ana, [other, png, other])).toMatchObject({ status: 200 })
  })

  test.each([
    ['before', [{ name: 'source', value: 'elsewhere' }, png]],
    ['after', [png, { name: 'source', value: 'elsewhere' }]],
  ])('with an unknown source %s is refused', async (_, parts) => {
    expect(await sendForm(ana, parts)).toMatchObject({
      status: 400,
      body: { error: 'Validation Error' },
    })
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('without a file is refused', async () => {
    const none = { status: 400, body: { message: 'No file uploaded' } }
    expect(await sendForm(ana, [])).toMatchObject({ status: 400 })
    expect(await sendForm(ana, [{ name: 'source', value: 'general' }])).toEqual(none)
    expect(await sendForm(ana, [{ name: 'file', value: 'a text' }])).toEqual(none)
    expect(await sendForm(ana, [{ ...png, name: 'picture' }])).toEqual(none)
    // The value that browsers send for an empty file field.
    const empty = { name: 'file', fileName: '', type: 'application/octet-stream', value: '' }
    expect(await sendForm(ana, [empty])).toEqual(none)
    expect(await refused(ana.vault.upload({ form: {} }))).toMatchObject(none)
    const bare = await ana.fetch('/api/media/upload', { method: 'POST' })
    expect([bare.status, await bare.json()]).toEqual([400, none.body])
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('with two files is refused, and none of them is kept', async () => {
    expect(await sendForm(ana, [png, png])).toMatchObject({
      status: 400,
      body: { error: 'Bad Request' },
    })
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('that cannot be read is refused', async () => {
    const form = { file: fileOf(samples.png, 'a\u0000b.png', 'image/png') }
    expect(await refused(ana.vault.upload({ form }))).toMatchObject({ status: 400 })
    const headers = { 'content-type': 'multipart/form-data' }
    const response = await ana.fetch('/api/media/upload', { method: 'POST', headers, body: 'x' })
    expect(response.status).toBe(400)
    expect(await tracesIn(world)).toEqual(noTraces)
  })
})

describe('what is refused', () => {
  test.each([
    ['text/html', 'a.png', 'png', 'Invalid MIME type: text/html. '],
    ['image/svg+xml', 'a.png', 'svg', 'Invalid MIME type: image/svg+xml. '],
    ['image/jpg', 'a.jpg', 'jpeg', 'Invalid MIME type: image/jpg. '],
    ['video/quicktime', 'a.mov', 'mov', 'Invalid MIME type: video/quicktime. '],
    ['image/png', 'a', 'png', 'Invalid file extension: none. '],
    ['image/png', 'a.exe', 'png', 'Invalid file extension: .exe. '],
    ['image/png', 'a.png.php', 'png', 'Invalid file extension: .php. '],
    ['image/png', 'a.png ', 'png', 'Invalid file extension: .png_. '],
    ['image/png', 'a.jpg', 'png', 'Invalid file extension: .jpg is not'],
    ['video/mp4', 'a.webm', 'mp4', 'Invalid file extension: .webm is not'],
    ['image/png', '../a.png', 'png', 'Invalid file name'],
    ['image/png', 'a..png', 'png', 'Invalid file name'],
    ['image/png', 'b/a.png', 'png', 'Invalid file name'],
    ['image/png', 'b\\a.png', 'png', 'Invalid file name'],
    ['image/png', 'a.png', 'jpeg', 'Invalid file content: it is image/jpeg'],
    ['image/jpeg', 'a.jpg', 'png', 'Invalid file content: it is image/png'],
    ['image/png', 'a.png', 'gif', 'Invalid file content: it is image/gif'],
    ['image/gif', 'a.gif', 'webp', 'Invalid file content: it is image/webp'],
    ['image/png', 'a.png', 'svg', 'Invalid file content'],
    ['image/png', 'a.png', 'html', 'Invalid file content: its type is unknown'],
    ['image/jpeg', 'a.jpg', 'pdf', 'Invalid file content: it is application/pdf'],
    ['image/png', 'a.png', 'empty', 'Invalid file content: it is empty'],
    ['video/mp4', 'a.mp4', 'mov', 'Invalid file content: it is video/quicktime'],
    ['video/mp4', 'a.mp4', 'heic', 'Invalid file content: it is image/heic'],
    ['video/mp4', 'a.mp4', 'webm', 'Invalid file content: it is video/webm'],
    ['video/webm', 'a.webm', 'matroska', 'Invalid file content: it is video/matroska'],
  ] as const)('%s %s with bytes of %s', async (type, fileName, sample, words) => {
    const part = { name: 'file', fileName, type, value: samples[sample] }
    const { status, body } = await sendForm(ana, [part])
    expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'UPLOAD_ERROR' })
    expect(body['message']).toContain(`Upload failed: ${words}`)
    expect(body['suggestion']).not.toBe('')
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('gets the contract’s message', async () => {
    const form = { file: fileOf(samples.pdf, 'a.pdf', 'application/pdf') }
    const failure = await refused(ana.vault.upload({ form }))
    expect(failure.body).toEqual({
      error: 'UPLOAD_ERROR',
      message:
        'Upload failed: Invalid MIME type: application/pdf. Allowed types: image/jpeg, image/png, image/gif, image/webp, video/mp4, video/webm',
      suggestion: 'Use a JPEG, PNG, GIF or WebP picture, or an MP4 or WebM video.',
    })
  })

  test.each([
    ['a picture that begins and does not go on', samples.jpeg, 'a.jpg', 'image/jpeg'],
    ['a container without a film', samples.mp4, 'a.mp4', 'video/mp4'],
    ['a WebM without a segment', samples.webm, 'a.webm', 'video/webm'],
  ])('%s, in every way to upload', async (_, bytes, fileName, type) => {
    for (const source of ['general', 'profile', 'thumbnail', 'smart-caption'] as const) {
      const form = { file: fileOf(bytes, fileName, type), source }
      expect(await refused(ana.vault.upload({ form }))).toMatchObject({
        status: 400,
        body: { error: 'UPLOAD_ERROR' },
      })
    }
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('a picture without its middle or end', async () => {
    const [jpeg, png] = [await plainJpeg(), await paint().png().toBuffer()]
    for (const [bytes, fileName, type] of [
      [jpeg.subarray(0, jpeg.length / 2), 'a.jpg', 'image/jpeg'],
      [png.subarray(0, png.length / 2), 'a.png', 'image/png'],
    ] as const)
      expect(
        await refused(ana.vault.upload({ form: { file: fileOf(bytes, fileName, type) } })),
      ).toMatchObject({ status: 400, body: { error: 'UPLOAD_ERROR' } })
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test.each(['profile', 'thumbnail'] as const)(
    'a film as %s, declared before or after',
    async (source) => {
      const value = await makeFilm({ frames: 3 })
      const film = { name: 'file', fileName: 'film.mp4', type: 'video/mp4', value }
      const said = { name: 'source', value: source }
      for (const parts of [
        [said, film],
        [film, said],
      ])
        expect(await sendForm(ana, parts)).toMatchObject({
          status: 400,
          body: {
            error: 'UPLOAD_ERROR',
            message:
              'Upload failed: Invalid MIME type: video/mp4. Allowed types: image/jpeg, image/png, image/gif, image/webp',
          },
        })
      expect(await tracesIn(world)).toEqual(noTraces)
    },
  )
})

describe('a picture of a profile or a session', () => {
  const put = (source: 'profile' | 'thumbnail') =>
    ana.vault.upload({ form: { file: pngFile(), source } })
  const statusOf = async (address: string) => (await world.visitor().fetch(address)).status
  const dayMs = 24 * 3600 * 1000

  test('is deleted when another replaces it in the profile', async () => {
    const first = await put('profile')
    await ana.accounts.updateProfile({ body: { profileImageUrl: first.fileUrl } })
    world.clock.advance(2 * dayMs)
    await sweepUnclaimedFiles(world.ctx)
    expect(await statusOf(first.fileUrl)).toBe(200)
    const second = await put('profile')
    await ana.accounts.updateProfile({ body: { profileImageUrl: second.fileUrl } })
    expect(await statusOf(first.fileUrl)).toBe(404)
    await sweepUnclaimedFiles(world.ctx)
    expect(await tracesIn(world)).toMatchObject({ unclaimed: [], files: [second.filePath] })
    await ana.accounts.updateProfile({ body: { profileImageUrl: null } })
    await sweepUnclaimedFiles(world.ctx)
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('is deleted when another replaces it in the last session that shows it, or with that session', async () => {
    const [first, second] = [await put('thumbnail'), await put('thumbnail')]
    const make = async (thumbnail: string) => {
      const slides = [{ mediaUrl: 'https://pictures.example/1.jpg' }]
      const { session } = await ana.sessions.createManual({
        body: { title: 'Mine', slides, thumbnail },
      })
      return { id: String(session.id) }
    }
    const [one, other] = [await make(first.fileUrl), await make(first.fileUrl)]
    world.clock.advance(dayMs / 2)
    await ana.sessions.update({ params: one, body: { thumbnail: second.fileUrl } })
    expect(await statusOf(first.fileUrl)).toBe(200)
    await ana.sessions.remove({ params: other, query: {} })
    expect(await statusOf(first.fileUrl)).toBe(404)
    world.clock.advance(2 * dayMs)
    await sweepUnclaimedFiles(world.ctx)
    expect(await tracesIn(world)).toMatchObject({ unclaimed: [], files: [second.filePath] })
    await ana.sessions.update({ params: one, body: { thumbnail: '' } })
    await sweepUnclaimedFiles(world.ctx)
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test.each(['profile', 'thumbnail'] as const)(
    '%s that nothing shows is deleted',
    async (source) => {
      const made = []
      for (let count = 0; count < 8; count += 1) {
        made.push(await put(source))
        world.clock.advance(1000)
      }
      expect((await tracesIn(world)).files).toEqual(made.slice(3).map(({ filePath }) => filePath))
      world.clock.advance(dayMs)
      await sweepUnclaimedFiles(world.ctx)
      expect(await tracesIn(world)).toEqual(noTraces)
    },
  )

  test('cannot be removed by another account', async () => {
    const { fileUrl } = await put('profile')
    await ana.accounts.updateProfile({ body: { profileImageUrl: fileUrl } })
    const bo = await world.as('bo')
    await bo.accounts.updateProfile({ body: { profileImageUrl: fileUrl } })
    await bo.accounts.updateProfile({ body: { profileImageUrl: null } })
    await sweepUnclaimedFiles(world.ctx)
    expect(await statusOf(fileUrl)).toBe(200)
  })
})

test('an upload without a sign-in leaves nothing', async () => {
  expect(await sendForm(world.visitor(), [png])).toMatchObject({ status: 401 })
  expect(await tracesIn(world)).toEqual(noTraces)
})
