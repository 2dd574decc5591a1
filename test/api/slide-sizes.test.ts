/**
 * Slides list the available sizes of their picture, its focus point, and the length of a film (contract
 * 1.3).
 */
import { describe, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import { exportSession, importArchive } from '../support/archive-world.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld, publishManual } from '../support/community-world.ts'
import { privateTraces } from '../support/private-traces.ts'
import {
  addressesOf,
  allWidths,
  pictureSizes,
  showMedia,
  showWide,
  slidesOf,
  wide,
} from '../support/rendition-world.ts'
import { makeFilm, paint, plainJpeg, privateJpeg } from '../support/sample-media.ts'
import { useWorld } from '../support/use-world.ts'
import { listed, putMedia } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'

let world: CommunityWorld
let ana: Person

useWorld(createCommunityWorld, async (fresh) => {
  world = fresh
  ana = await world.adult('ana')
})

/** Paints a spot on a plain ground, a fifth from the left and a third from the top. */
const spotted = () => {
  const ground = sharp({
    create: { width: 900, height: 600, channels: 3, background: '#5a6a7a' },
  })
  const spot = Buffer.from(
    [...Array(80 * 80).keys()].flatMap((at) => (at % 16 < 8 ? [250, 60, 30] : [255, 230, 40])),
  )
  const raw = { width: 80, height: 80, channels: 3 } as const
  return ground
    .composite([{ input: spot, raw, left: 140, top: 160 }])
    .png()
    .toBuffer()
}

const moving = async (format: 'gif' | 'webp') => {
  const pages = [
    await paint({ seed: 1 }).png().toBuffer(),
    await paint({ seed: 2 }).png().toBuffer(),
  ]
  const image = sharp(pages, { join: { animated: true } })
  return format === 'gif'
    ? image.gif({ delay: [300, 500] }).toBuffer()
    : image.webp({ delay: [300, 500] }).toBuffer()
}

describe('a picture of the vault', () => {
  test('is available in all its widths, upright and without private metadata', async () => {
    const photo = await privateJpeg({ width: 1600, height: 2400, orientation: 6 })
    const id = await showMedia(world, ana, [await putMedia(ana, photo)])
    const [slide] = await slidesOf(ana, id)
    expect(slide).toMatchObject({ width: 2400, height: 1600, lengthMs: null })
    const sizes = await pictureSizes(world, slide!)
    expect(sizes.map(({ name }) => name)).toEqual(allWidths)
    for (const { name, width, height, format, bytes } of sizes) {
      const high = Math.round(Number(name) / 1.5)
      expect([width, height, format]).toEqual([Number(name), high, 'webp'])
      expect(await privateTraces(bytes)).toEqual([])
    }
    expect(slide!.focus!.x).toBeGreaterThanOrEqual(0)
    expect(slide!.focus!.y).toBeLessThanOrEqual(1)
  })

  test('has no size wider than itself, and its thumbnails are not made again', async () => {
    const mediaId = await putMedia(ana, await plainJpeg({ width: 1300, height: 900 }))
    const id = await showMedia(world, ana, [mediaId])
    const [slide] = await slidesOf(ana, id)
    const { thumbnails } = await listed(ana, mediaId)
    expect(slide!.sizes).toEqual(
      Object.fromEntries(thumbnails.map(({ width, url }) => [width, url])),
    )
    expect(Object.keys(slide!.sizes ?? {})).toEqual(['320', '640', '1280'])
  })

  test('is examined in its storage', async () => {
    const id = await showMedia(world, ana, [await putMedia(ana, await spotted(), 'spot.png')])
    const [slide] = await slidesOf(ana, id)
    expect(Math.abs(slide!.focus!.x - 0.2)).toBeLessThan(0.05)
    expect(Math.abs(slide!.focus!.y - 1 / 3)).toBeLessThan(0.05)
  })

  test('has no sizes before they exist, and gets them without a change of the session', async () => {
    const mediaId = await putMedia(ana, await paint(wide).jpeg().toBuffer())
    const { session, media } = await ana.sessions.createManual({
      body: { title: 'Early', slides: [{ mediaId: Number(mediaId) }] },
    })
    expect(media[0]).toMatchObject({ sizes: null, focus: null, lengthMs: null })
    await world.runJobs()
    const after = await ana.sessions.read({ params: { id: String(session.id) } })
    expect(Object.keys(after.media[0]!.sizes ?? {})).toEqual(allWidths)
    expect(after.session.updatedAt).toBe(session.updatedAt)
    const headers = { 'if-match': session.updatedAt }
    const slides = [{ id: media[0]!.id, caption: 'Still mine' }]
    const params = { id: String(session.id) }
    const edited = await ana.sessions.replaceMedia({ params, headers, body: { slides } })
    expect(edited.media[0]).toMatchObject({ caption: 'Still mine', sizes: after.media[0]!.sizes })
    const changed = { id: params.id, mediaId: String(media[0]!.id) }
    const one = await ana.sessions.updateMedia({ params: changed, body: { caption: 'Mine' } })
    expect(one).toMatchObject({ sizes: after.media[0]!.sizes, focus: after.media[0]!.focus })
  })

  test('narrower than all sizes, or in one colour, has no sizes', async () => {
    const small = await plainJpeg({ width: 300, height: 200 })
    const flat = await sharp({
      create: { width: 800, height: 600, channels: 3, background: '#123456' },
    })
      .png()
      .toBuffer()
    const ids = [await putMedia(ana, small), await putMedia(ana, flat, 'flat.png')]
    const [first, second] = await slidesOf(ana, await showMedia(world, ana, ids))
    expect(first).toMatchObject({ sizes: null, focus: { x: expect.any(Number) } })
    expect(Object.keys(second!.sizes ?? {})).toEqual(['320', '640'])
    expect(second!.focus).toBeNull()
  })

  test('its sizes are not items of the vault', async () => {
    await showWide(world, ana)
    expect((await ana.vault.list()).files).toHaveLength(1)
    world.clock.advance(120_000)
    await world.runJobs()
    expect((await ana.vault.list()).files).toHaveLength(1)
  })
})

test('films and animations have a length, and no sizes', async () => {
  const ids = [
    await putMedia(ana, await moving('gif'), 'moving.gif'),
    await putMedia(ana, await moving('webp'), 'moving.webp'),
    await putMedia(ana, await makeFilm({ frames: 45 }), 'film.mp4'),
  ]
  const [gif, webp, film] = await slidesOf(ana, await showMedia(world, ana, ids))
  for (const slide of [gif, webp]) expect(slide).toMatchObject({ sizes: null, lengthMs: 800 })
  expect(film).toMatchObject({ type: 'video', sizes: null, focus: null, lengthMs: 1500 })
})

test('imported slides have their own sizes and lengths', async () => {
  const urls = ['jpg/a.jpg', 'gif/b.gif', 'webm/c.webm'].map((at) => `${world.site.origin}/${at}`)
  const { session } = await ana.imports.importSession({ body: { title: 'Brought along', urls } })
  await world.runJobs()
  const [jpeg, gif, webm] = await slidesOf(ana, String(session.id))
  const sizes = await pictureSizes(world, jpeg!)
  expect(sizes.map(({ name, width }) => [name, width])).toEqual([
    ['320', 320],
    ['640', 640],
  ])
  for (const { bytes } of sizes) expect(await privateTraces(bytes)).toEqual([])
  expect(jpeg!.sizes?.[640]).toBe(jpeg!.thumbnail)
  // The GIF of the test site has one frame.
  expect(gif).toMatchObject({ sizes: null, lengthMs: null })
  expect(webm).toMatchObject({ sizes: null, lengthMs: 300 })
})

test('copies in the community and saved ones have sizes too', async () => {
  const { id } = await publishManual(world, ana)
  const bo = await world.adult('bo')
  const published = (await bo.community.open({ params: { id } })).media
  const { sessionId } = await bo.community.save({ params: { id } })
  await world.runJobs()
  const saved = await slidesOf(bo, String(sessionId))
  for (const slides of [published, saved]) {
    const sizes = await pictureSizes(world, slides[0]!)
    expect(sizes.map(({ name, width }) => [name, width])).toEqual([
      ['320', 320],
      ['640', 640],
    ])
    expect(slides.map(({ lengthMs }) => lengthMs)).toEqual([null, null, 300])
  }
  const addresses = [...addressesOf(published), ...addressesOf(saved)]
  expect(new Set(addresses).size).toBe(4)
})

test('slides from an archive have them too', async () => {
  const { sessionId } = await showWide(world, ana)
  const archive = await exportSession(ana, Number(sessionId))
  const bo = await world.as('bo')
  const { session } = await importArchive(bo, archive)
  await world.runJobs()
  const [slide] = await slidesOf(bo, String(session.id))
  const sizes = await pictureSizes(world, slide!)
  expect(sizes.map(({ name, width }) => [name, String(width)])).toEqual(
    allWidths.map((width) => [width, width]),
  )
})

test('a picture on another site has none', async () => {
  const slides = [{ mediaUrl: `${world.site.origin}/jpg/a.jpg` }]
  const { session } = await ana.sessions.createManual({ body: { title: 'Far', slides } })
  await world.runJobs()
  const [slide] = await slidesOf(ana, String(session.id))
  expect(slide).toMatchObject({ sizes: null, focus: null, lengthMs: null })
})
