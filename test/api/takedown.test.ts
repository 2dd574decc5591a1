/** A takedown hides every copy of a picture (contract, section 10), and a dismissal restores them all. */
import { beforeEach, describe, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import { sitePictures } from '../support/community-world.ts'
import type { ModerationWorld } from '../support/moderation-world.ts'
import { aPicture, createModerationWorld } from '../support/moderation-world.ts'
import { dataUri, plain, white } from '../support/pictures.ts'
import { useWorld } from '../support/use-world.ts'
import { putMedia } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: ModerationWorld
let ana: Person
let bo: Person
let cy: Person

useWorld(createModerationWorld, async (fresh) => {
  world = fresh
  ;[ana, bo, cy] = [await world.adult('ana'), await world.adult('bo'), await world.adult('cy')]
})

describe('of a published session that was saved, saved again, shared and composed with', () => {
  let everywhere: string[]
  let reportId: string
  let savedByBo: number
  let boCode: string

  beforeEach(async () => {
    const { id } = await world.publishPictures(ana, [1, 2])
    const { media } = await bo.community.open({ params: { id } })
    savedByBo = (await bo.community.save({ params: { id } })).sessionId
    boCode = (await bo.sharing.shareSession({ params: { id: String(savedByBo) }, body: {} }))
      .shareCode
    const again = await world.publish(bo, String(savedByBo))
    const savedByCy = (await cy.community.save({ params: { id: again } })).sessionId
    const composed = await world.compose(bo, media[0]?.mediaUrl ?? '')
    await world.runJobs()
    const { files } = await bo.vault.list()
    everywhere = [
      ...media.flatMap(({ mediaUrl, thumbnail }) =>
        [mediaUrl, thumbnail].filter((url) => url !== null),
      ),
      ...(await world.addressesOf(bo, savedByBo)),
      ...(await world.addressesOf(cy, savedByCy)),
      composed.imageUrl,
      ...files.flatMap(({ url, thumbnails }) => [url, ...thumbnails.map((one) => one.url)]),
    ]
    expect(everywhere.length).toBeGreaterThan(14)
    expect(await world.statusesOf(everywhere)).toEqual([200])
    reportId = await world.report({ targetType: 'community_session', targetId: Number(id) })
  })

  test('no copy can be fetched any more, not even by the account that made it', async () => {
    expect(await world.statusesOf(everywhere)).toEqual([404])
    expect(await world.statusesOf(everywhere, bo)).toEqual([404])
    expect(await world.statusesOf(everywhere, cy)).toEqual([404])
    expect((await cy.community.browse()).items).toEqual([])
    expect(await refused(cy.sharing.open({ params: { code: boCode } }))).toMatchObject({
      status: 404,
    })
    const copying = world.compose(cy, everywhere[0] ?? '')
    expect(await refused(copying)).toMatchObject({ status: 400 })
  })

  test('a confirmed one is refused in every variation', async () => {
    await world.resolve(reportId, 'remove_and_block')
    expect(await world.statusesOf(everywhere, bo)).toEqual([404])
    const disguised = await sharp(await aPicture(1))
      .extract({ left: 32, top: 24, width: 576, height: 432 })
      .resize(400)
      .webp({ quality: 50 })
      .toBuffer()
    const blocked = { status: 422, body: { code: 'CONTENT_BLOCKED' } }
    expect(await refused(putMedia(cy, disguised, 'mine.webp'))).toMatchObject(blocked)
    const address = dataUri(disguised, 'image/webp')
    expect(await refused(world.compose(cy, address))).toMatchObject(blocked)
    const region = { x: 0.2, y: 0.2, width: 0.5, height: 0.5 }
    const censor = { imageUrl: address, regions: [region], mode: 'bar' as const, strength: 3 }
    expect(await refused(cy.images.censor({ body: censor }))).toMatchObject(blocked)
    const frames = [address, dataUri(await aPicture(50), 'image/jpeg')]
    const animate = {
      imageUrls: frames,
      effect: 'cut' as const,
      format: 'webp' as const,
      frameMs: 200,
      size: 256,
    }
    expect(await refused(cy.images.animate({ body: animate }))).toMatchObject(blocked)
    const image = new Blob([new Uint8Array(disguised)])
    expect(await refused(cy.images.uploadFirst({ form: { image } }))).toMatchObject(blocked)
    expect(await refused(cy.images.uploadSecond({ form: { image } }))).toMatchObject(blocked)
    const page = (bytes: Buffer) => sharp(bytes).resize(400, 300, { fit: 'fill' }).png().toBuffer()
    const pages = [await page(await plain(400, 300, white)), await page(await aPicture(1))]
    const animated = sharp(pages, { join: { animated: true } })
    const hidden = await animated.webp({ delay: [10, 10] }).toBuffer()
    const later = new Blob([new Uint8Array(hidden)])
    expect(await refused(cy.images.uploadFirst({ form: { image: later } }))).toMatchObject(blocked)
    expect(await refused(putMedia(cy, hidden, 'hidden.webp'))).toMatchObject(blocked)
    await cy.enhancement.giveConsent({ body: { version: 1 } })
    const file = new File([image], 'a.webp', { type: 'image/webp' })
    expect(
      await refused(cy.enhancement.generate({ form: { image: file, quality: 'low' } })),
    ).toMatchObject({
      status: 422,
      body: { code: 'SAFETY_REJECTED' },
    })
    expect(Number(await putMedia(cy, await aPicture(77), 'other.jpg'))).toBeGreaterThan(0)
  })

  test('a dismissed one is back everywhere', async () => {
    await world.resolve(reportId, 'dismiss')
    expect(await world.statusesOf(everywhere)).toEqual([200])
    expect((await cy.community.browse()).items).toHaveLength(2)
    await cy.sharing.open({ params: { code: boCode } })
    expect(await world.ctx.db.selectFrom('hidden_files').selectAll().execute()).toEqual([])
    expect(await world.ctx.db.selectFrom('hidden_sessions').selectAll().execute()).toEqual([])
  })
})

describe('of pictures that were there before they were blocked', () => {
  test('accounts with the same picture can neither share, publish nor save it', async () => {
    const theirs = await putMedia(bo, await aPicture(5))
    const mine = await world.publishPictures(cy, [5])
    const pending = await putMedia(bo, await aPicture(5), 'again.jpg')
    const media = await world.shareMedia(ana, await aPicture(5))
    const reportId = await world.report({ targetType: 'shared_media', shareCode: media.shareCode })
    await world.resolve(reportId, 'remove_and_block')
    const blocked = { status: 422, body: { code: 'CONTENT_BLOCKED' } }
    for (const id of [theirs, pending])
      expect(await refused(bo.vault.share({ params: { id }, body: {} }))).toMatchObject(blocked)
    const [file] = (await bo.vault.list()).files
    const byPath = bo.vault.shareByPath({ body: { filePath: file?.path ?? '' } })
    expect(await refused(byPath)).toMatchObject(blocked)
    expect(await refused(bo.community.save({ params: { id: mine.id } }))).toMatchObject(blocked)
    const params = { id: mine.sessionId }
    const sharing = cy.sharing.shareSession({ params, body: {} })
    expect(await refused(sharing)).toMatchObject(blocked)
    const publishing = cy.sessions.update({ params, body: { shareToCommunity: true } })
    expect(await refused(publishing)).toMatchObject(blocked)
    const slides = [{ mediaId: Number(theirs) }]
    const byHand = { title: 'By hand', slides, shareToCommunity: true, nsfw: false }
    expect(await refused(bo.sessions.createManual({ body: byHand }))).toMatchObject(blocked)
  })

  test('neither a cover nor the thumbnail of a film brings it back', async () => {
    const blocked = `${world.site.origin}/photo/city.jpg`
    world.feed.put('city', sitePictures(world.site, 'city', 1, { mediaUrl: blocked }))
    const { id: reported } = await world.makePublished(ana)
    const target = { targetType: 'community_session', targetId: Number(reported) }
    await world.resolve(await world.report(target), 'remove_and_block')
    const mediaUrl = `${world.site.origin}/webm/film.webm`
    const film = { mediaUrl, type: 'video', thumbnail: blocked } as const
    world.feed.put('city', [
      ...sitePictures(world.site, 'other', 1),
      ...sitePictures(world.site, 'film', 1, film),
    ])
    const sessionId = await world.makeFilled(bo)
    const id = await world.publish(bo, sessionId, { thumbnail: blocked })
    const { session, media } = await bo.community.open({ params: { id } })
    expect(media.map(({ type }) => type).toSorted()).toEqual(['image', 'video'])
    expect(media.find(({ type }) => type === 'video')?.thumbnail).toBeNull()
    // The cover falls back to the session's own picture.
    expect(session.thumbnail).toBe(media.find(({ type }) => type === 'image')?.thumbnail)
  })

  test('a slide of another site that is blocked is left out of a publication', async () => {
    const mediaUrl = `${world.site.origin}/photo/city.jpg`
    world.feed.put('city', sitePictures(world.site, 'city', 1, { mediaUrl }))
    const { id } = await world.makePublished(ana)
    const reportId = await world.report({ targetType: 'community_session', targetId: Number(id) })
    await world.resolve(reportId, 'remove_and_block')
    const other = await world.makeFilled(bo)
    await world.publish(bo, other)
    expect((await world.told(other)).at(-1)?.type).toBe('publish_failed')
  })
})
