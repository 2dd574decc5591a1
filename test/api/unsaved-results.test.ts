/** Recent results of the picture tools: listed with the time until they expire, or deleted earlier. */
import { expect, test } from 'vitest'
import type { PictureWorld } from '../support/picture-world.ts'
import { compose, createPictureWorld } from '../support/picture-world.ts'
import { blue, dataUri, plain, red } from '../support/pictures.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: PictureWorld
let ana: Person
let bo: Person

const dayMs = 24 * 3_600_000

useWorld(createPictureWorld, async (fresh) => {
  world = fresh
  ana = await world.rich('ana')
  bo = await world.rich('bo')
})

async function make() {
  const [first, second] = [await plain(200, 400, red), await plain(300, 400, blue)]
  return compose(ana, { first: dataUri(first), second: dataUri(second) })
}

const notYours = {
  status: 400,
  body: { code: 'INVALID_INPUT', message: 'This is not one of your temporary results' },
}

test('the caller’s results are listed, newest first, with their remaining time', async () => {
  const { imageUrl: older } = await make()
  world.clock.advance(60_000)
  const { imageUrl: newer } = await make()
  const { items } = await ana.images.results()
  expect(items.map(({ imageUrl }) => imageUrl)).toEqual([newer, older])
  const [item] = items
  expect(item).toMatchObject({
    tool: 'composition',
    width: 500,
    height: 400,
    durationMs: null,
    layout: 'side-by-side',
    seam: 200,
    mediaId: null,
  })
  expect(Date.parse(item?.expiresAt ?? '') - Date.parse(item?.createdAt ?? '')).toBe(dayMs)
  expect((await bo.images.results()).items).toEqual([])
})

test('saved results are marked, and expired ones are not listed, swept or not', async () => {
  const { imageUrl } = await make()
  const { mediaId } = await ana.images.save({ body: { imageUrl } })
  expect((await ana.images.results()).items).toMatchObject([{ imageUrl, mediaId }])
  world.clock.advance(dayMs)
  expect((await ana.images.results()).items).toEqual([])
})

test('a result is discarded at once, only by its owner', async () => {
  const { imageUrl } = await make()
  const body = { imageUrl }
  expect(await refused(bo.images.discard({ body }))).toMatchObject(notYours)
  expect(await refused(ana.images.discard({ body: { imageUrl: '/media/x' } }))).toMatchObject(
    notYours,
  )
  await ana.images.discard({ body })
  expect((await ana.images.results()).items).toEqual([])
  expect(await world.ownKeys()).toEqual([])
  expect((await world.visitor().fetch(imageUrl)).status).toBe(404)
  expect(await refused(ana.images.discard({ body }))).toMatchObject(notYours)
  expect(await refused(ana.images.save({ body }))).toMatchObject(notYours)
})

test('the saved copy of a result stays when the result is discarded', async () => {
  const { imageUrl } = await make()
  const kept = await ana.images.save({ body: { imageUrl } })
  await ana.images.discard({ body: { imageUrl } })
  expect((await ana.vault.list()).files).toMatchObject([{ id: kept.mediaId }])
  expect((await world.bytesAt(kept.url)).length).toBeGreaterThan(0)
})
