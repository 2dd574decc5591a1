/** Sharing files of the vault, by links and in the community (contract, sections 2 and 4.4). */
import { describe, expect, test } from 'vitest'
import { sweepStoppedLinks } from '../../src/server/features/share-links/jobs.ts'
import { runJob } from '../../src/server/jobs/job.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { privateTraces } from '../support/private-traces.ts'
import { refusingRows } from '../support/refused-rows.ts'
import { plainJpeg, privateJpeg } from '../support/sample-media.ts'
import { useWorld } from '../support/use-world.ts'
import {
  createVaultWorld,
  download,
  keysIn,
  listed,
  placeFile,
  putMedia,
  unclaimedKeys,
} from '../support/vault-media.ts'
import type { Person, World } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: World
let ana: Person
let bo: Person
let photo: Buffer

useWorld(createVaultWorld, async (fresh) => {
  world = fresh
  photo = await plainJpeg()
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
})

const published = { policyAgreed: true, tags: ['city'] }
const share = (id: string, body: object = published, person = ana) =>
  person.vault.share({ params: { id }, body })
const byLink = (id: string) => share(id, { shareToCommunity: false })
const unshare = (id: string, person = ana) => person.vault.unshare({ params: { id } })
const open = (code: string, person = world.visitor()) =>
  person.vault.openShared({ params: { code } })
const records = () => world.ctx.db.selectFrom('community_media').selectAll().execute()

describe('a link', () => {
  test('is created once, works for anyone, and publishes nothing', async () => {
    const id = await putMedia(ana, photo, 'holiday.jpg')
    const first = await byLink(id)
    expect(first).toEqual({
      shareCode: expect.any(String),
      shareUrl: `/shared/media/${first.shareCode}`,
    })
    expect(await byLink(id)).toEqual(first)
    expect(await listed(ana, id)).toMatchObject({
      isShared: true,
      shareCode: first.shareCode,
      shareToCommunity: false,
    })
    await world.runJobs()
    const opened = await open(first.shareCode)
    expect(opened).toMatchObject({
      name: 'holiday.jpg',
      type: 'image',
      width: 800,
      height: 600,
      ownerName: 'ana',
    })
    expect((await download(world, opened.url)).equals(photo)).toBe(true)
    expect(await records()).toEqual([])
    expect(await keysIn(world, 'general')).toEqual([])
  })

  test('needs neither tags, policy nor age', async () => {
    const id = await putMedia(bo, photo)
    const { shareCode } = await share(id, { shareToCommunity: false }, bo)
    expect((await open(shareCode)).ownerName).toBe('bo')
  })

  test('that is unknown is not found, with the same message', async () => {
    for (const code of ['3f1c9a2e-7b54-4d0e-9c0d-1a2b3c4d5e6f', 'nonsense', '1']) {
      const refusal = await refused(open(code))
      expect([refusal.status, refusal.body]).toEqual([404, { message: 'Share not found' }])
    }
  })

  test('leads to a file without private metadata, and its owner keeps the original', async () => {
    const original = await privateJpeg({ orientation: 6 })
    const id = await putMedia(ana, original)
    const { shareCode } = await byLink(id)
    const shown = await download(world, (await open(shareCode)).url)
    expect(await privateTraces(shown)).toEqual([])
    expect(await sharp(shown).metadata()).toMatchObject({ width: 600, height: 800 })
    const { url } = await listed(ana, id)
    expect((await download(world, url)).equals(original)).toBe(true)
  })

  test('to a file published as adult works for adults only', async () => {
    const id = await putMedia(ana, photo)
    const { shareCode } = await share(id)
    for (const person of [world.visitor(), bo])
      expect((await refused(open(shareCode, person))).status).toBe(404)
    await bo.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
    expect((await open(shareCode, bo)).type).toBe('image')
    await share(id, { ...published, nsfw: false })
    expect((await open(shareCode)).type).toBe('image')
  })
})

describe('withdrawing', () => {
  test('from the community keeps the link and nothing else', async () => {
    const id = await putMedia(ana, photo)
    const { shareCode, communityUrl } = await share(id, { ...published, nsfw: false })
    expect(await byLink(id)).toEqual({ shareCode, shareUrl: `/shared/media/${shareCode}` })
    expect(await records()).toEqual([])
    expect(await keysIn(world, 'general')).toEqual([])
    expect(await unclaimedKeys(world)).toEqual([])
    expect((await world.visitor().fetch(communityUrl!)).status).toBe(404)
    expect(await listed(ana, id)).toMatchObject({ isShared: true, shareToCommunity: false })
    expect((await open(shareCode)).type).toBe('image')
    expect((await share(id)).communityMediaId).toBeGreaterThan(0)
  })

  test('the share ends the link as well', async () => {
    const id = await putMedia(ana, photo)
    const { shareCode } = await share(id, { ...published, nsfw: false })
    expect(await unshare(id)).toEqual({ message: 'Share removed successfully' })
    expect(await refused(open(shareCode))).toMatchObject({
      status: 410,
      body: { code: 'SHARE_STOPPED' },
    })
    expect(await records()).toEqual([])
    expect(await keysIn(world, 'general')).toEqual([])
    expect(await listed(ana, id)).toMatchObject({
      isShared: false,
      shareCode: null,
      shareToCommunity: false,
    })
    expect((await byLink(id)).shareCode).not.toBe(shareCode)
    world.clock.advance(30 * 24 * 3_600_000)
    expect((await refused(open(shareCode))).status).toBe(404)
    await runJob(world.ctx, sweepStoppedLinks, {})
    expect(await world.ctx.db.selectFrom('stopped_media_shares').select('code').execute()).toEqual(
      [],
    )
  })

  test('a stopped link says nothing about a deleted file', async () => {
    const id = await putMedia(ana, photo)
    const { shareCode } = await byLink(id)
    await unshare(id)
    await ana.vault.remove({ params: { id } })
    expect((await refused(open(shareCode))).status).toBe(404)
  })

  test('a file that was never shared is no error', async () => {
    expect((await unshare(await putMedia(ana, photo))).message).toBe('Share removed successfully')
  })

  test('deleting the file deletes link, copy, record and everything made from it', async () => {
    const id = await putMedia(ana, await privateJpeg())
    const { shareCode } = await share(id, { ...published, nsfw: false })
    await world.runJobs()
    await ana.vault.remove({ params: { id } })
    expect((await refused(open(shareCode))).status).toBe(404)
    expect(await records()).toEqual([])
    expect([...(await keysIn(world, 'general')), ...(await keysIn(world, 'user-media'))]).toEqual(
      [],
    )
    expect(await unclaimedKeys(world)).toEqual([])
    expect(await world.ctx.db.selectFrom('file_origins').selectAll().execute()).toEqual([])
  })
})

describe('by path', () => {
  const byPath = (filePath: string, body: object = published, person = ana) =>
    person.vault.shareByPath({ body: { filePath, ...body } })
  const idOf = async (person: Person) => (await person.accounts.currentUser()).id

  test('creates the record if only the file exists, then works as by id', async () => {
    const path = await placeFile(world, await idOf(ana), 'Uploads/found.jpg', photo)
    const made = await byPath(path)
    expect(made.communityMediaId).toBeGreaterThan(0)
    const { files } = await ana.vault.list()
    expect(files).toMatchObject([{ path, category: 'upload', shareCode: made.shareCode }])
    expect(await byPath(path)).toEqual(made)
    expect(await share(String(files[0]!.id))).toEqual(made)
  })

  test('refuses like by id', async () => {
    const path = await placeFile(world, await idOf(ana), 'Uploads/found.jpg', photo)
    const messageOf = async (body: object) => (await refused(byPath(path, body))).body
    expect(await messageOf({})).toEqual({
      message: 'Policy confirmation is required for upload sharing',
    })
    expect(await messageOf({ policyAgreed: true })).toEqual({
      message: 'At least one tag is required for upload sharing',
    })
    const his = await placeFile(world, await idOf(bo), 'Uploads/his.jpg', photo)
    expect((await refused(byPath(his, published, bo))).status).toBe(403)
  })

  test('finds nothing outside the caller’s folder', async () => {
    const [anaId, boId] = [await idOf(ana), await idOf(bo)]
    const hers = await placeFile(world, anaId, 'Uploads/hers.jpg', photo)
    await placeFile(world, anaId, 'Private/other.jpg', photo)
    await placeFile(world, anaId, 'Uploads/words.json', Buffer.from('{}'))
    for (const path of [
      `users/${boId}/Uploads/missing.jpg`,
      `users/${boId}/../${anaId}/Uploads/hers.jpg`,
      `users/${boId}/Uploads/../../${anaId}/Uploads/hers.jpg`,
      `/${hers}`,
      `users/${boId}`,
      'hers.jpg',
      'users/',
      hers,
    ]) {
      const refusal = await refused(byPath(path, { shareToCommunity: false }, bo))
      expect([path, refusal.status, refusal.body]).toEqual([
        path,
        404,
        { message: 'Media not found' },
      ])
    }
    for (const place of ['Private/other.jpg', 'Uploads/words.json'])
      expect(
        (await refused(byPath(`users/${anaId}/${place}`, { shareToCommunity: false }))).status,
      ).toBe(404)
    expect((await refused(byPath('', published))).status).toBe(400)
  })
})

describe('not allowed to share', () => {
  test('a file of another account, an unknown one, or one without an id', async () => {
    const id = await putMedia(ana, photo)
    const { shareCode } = await byLink(id)
    for (const call of [
      () => share(id, { shareToCommunity: false }, bo),
      () => share(id, published, bo),
      () => unshare(id, bo),
      () => share('999999'),
      () => unshare('999999'),
    ]) {
      const refusal = await refused(call())
      expect([refusal.status, refusal.body]).toEqual([404, { message: 'Media not found' }])
    }
    for (const bad of ['0', '-1', 'x', '99999999999'])
      for (const call of [() => share(bad), () => unshare(bad)])
        expect(await refused(call())).toMatchObject({
          status: 400,
          body: { message: 'Invalid media ID' },
        })
    expect((await open(shareCode)).ownerName).toBe('ana')
  })

  test('a missing file', async () => {
    const id = await putMedia(ana, photo)
    const { path } = await listed(ana, id)
    await world.ctx.storage.remove('user-media', path)
    for (const call of [() => byLink(id), () => share(id)])
      expect(await refused(call())).toMatchObject({ body: { message: 'Media not found' } })
    expect(await keysIn(world, 'general')).toEqual([])
  })
})

test('a file published as adult is adult in every session that shows it, and stays so', async () => {
  const id = await putMedia(ana, photo)
  const make = async (title: string) => {
    const slides = [{ mediaId: Number(id) }]
    return (await ana.sessions.createManual({ body: { title, slides } })).session
  }
  const before = await make('Before')
  expect([before.nsfw, before.thumbnail]).toEqual([false, expect.stringContaining('/media/')])
  await share(id, { ...published, nsfw: true })
  await unshare(id)
  const after = await make('After')
  for (const { id } of [before, after]) {
    const params = { id: String(id) }
    const { shareCode: code } = await ana.sharing.shareSession({ params, body: {} })
    const { session, media } = await ana.sessions.read({ params })
    expect([session.nsfw, media.map(({ nsfw }) => nsfw)]).toEqual([true, [true]])
    const preview = await world.visitor().sharing.preview({ params: { code } })
    expect([preview.session.thumbnail, preview.media]).toEqual([null, []])
    expect((await bo.sharing.open({ params: { code } })).media).toEqual([])
  }
})

describe('when something fails', () => {
  test('a link that cannot be created is reported, and nothing is left', async () => {
    const id = await putMedia(ana, photo)
    await refusingRows(world.ctx, 'media_shares', async () => {
      for (const call of [() => byLink(id), () => share(id)])
        expect(await refused(call())).toMatchObject({
          status: 500,
          body: { message: 'Failed to create share link' },
        })
      const path = (await listed(ana, id)).path
      const byPath = ana.vault.shareByPath({ body: { filePath: path, shareToCommunity: false } })
      expect((await refused(byPath)).body).toEqual({ message: 'Failed to create share link' })
    })
    expect(await keysIn(world, 'general')).toEqual([])
    expect(await unclaimedKeys(world)).toEqual([])
    expect(await records()).toEqual([])
    expect(await listed(ana, id)).toMatchObject({ isShared: false, shareToCommunity: false })
  })

  test('between the files and the record, the files are deleted', async () => {
    const id = await putMedia(ana, photo)
    await refusingRows(world.ctx, 'community_media', async () => {
      const refusal = await refused(share(id))
      expect([refusal.status, refusal.body]).toEqual([500, { message: 'Failed to share media' }])
      const path = (await listed(ana, id)).path
      const byPath = ana.vault.shareByPath({ body: { filePath: path, ...published } })
      expect((await refused(byPath)).body).toEqual({ message: 'Failed to share media' })
    })
    expect(await keysIn(world, 'general')).toEqual([])
    expect(await unclaimedKeys(world)).toEqual([])
    expect(await listed(ana, id)).toMatchObject({ isShared: false, shareToCommunity: false })
    expect((await share(id)).communityMediaId).toBeGreaterThan(0)
  })
})

test.each([
  ['photo.jpg', () => photo.subarray(0, 700)],
  ['photo.png', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['film.mp4', () => Buffer.from('\0\0\0\u0014ftypisom\0\0\0\0isom\0\0\0\u0008mdat', 'latin1')],
])('%s that cannot be decoded is refused for every use', async (name, bytes) => {
  const { id: userId } = await ana.accounts.currentUser()
  const filePath = await placeFile(world, userId, `Uploads/${name}`, bytes())
  const [found] = (await ana.vault.list()).files
  const id = String(found?.id)
  const unshowable = {
    status: 400,
    body: {
      error: 'Validation Error',
      message: 'Validation failed: the file cannot be decoded, so it cannot be shown to others',
    },
  }
  expect(await refused(byLink(id))).toMatchObject(unshowable)
  expect(await refused(share(id))).toMatchObject(unshowable)
  const byPath = ana.vault.shareByPath({ body: { filePath, ...published } })
  expect(await refused(byPath)).toMatchObject(unshowable)
  const slides = [{ mediaId: Number(id) }]
  const session = ana.sessions.createManual({ body: { title: 'Mine', slides } })
  expect(await refused(session)).toMatchObject(unshowable)
  expect(await listed(ana, id)).toMatchObject({ isShared: false, shareToCommunity: false })
  expect(await keysIn(world, 'general')).toEqual([])
})
