/** Perceptual hashes, which recognise a picture. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import { areAlike, hashPicture } from '../../src/server/media/perceptual-hash.ts'
import { inspectPicture } from '../../src/server/media/picture.ts'
import { disguises } from '../support/disguises.ts'
import { paint, plainJpeg } from '../support/sample-media.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'

const hashesOf = async (bytes: Uint8Array) => hashPicture(await inspectPicture(bytes))

async function expectKnown(name: string, bytes: Uint8Array): Promise<number> {
  const own = await hashesOf(bytes)
  const forms = Object.entries(await disguises(bytes))
  for (const [disguise, changed] of forms)
    expect(areAlike(own, await hashesOf(changed)), `${name}, ${disguise}`).toBe(true)
  return forms.length
}

test('a painted picture is recognised in every variation, and distinguished from others', async () => {
  await expectKnown('painted', await plainJpeg({ seed: 1 }))
  const many = await Promise.all(
    Array.from({ length: 12 }, async (_, seed) => hashesOf(await plainJpeg({ seed: seed + 1 }))),
  )
  for (const [index, one] of many.entries())
    for (const other of many.slice(0, index)) expect(areAlike(one, other)).toBe(false)
})

test('the first hash is the upright picture’s own', async () => {
  const [own] = await hashesOf(await plainJpeg())
  const turned = await paint()
    .rotate(-90)
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 92 })
    .toBuffer()
  const [same] = await hashesOf(turned)
  expect(own).toMatch(/^[0-9a-f]{256}$/)
  expect(areAlike([own!], [same!])).toBe(true)
})

test('a picture of one colour has no hash: it would be that of any other', async () => {
  const blank = (background: string) =>
    sharp({ create: { width: 300, height: 300, channels: 3, background } })
      .png()
      .toBuffer()
  expect(await hashesOf(await blank('#fff'))).toEqual([])
  expect(areAlike([], await hashesOf(await plainJpeg()))).toBe(false)
})

describe('an animation is recognised by its visible pages', () => {
  const size = { width: 96, height: 72 }
  const white = () =>
    sharp({ create: { ...size, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
  const animation = async (pages: Buffer[], delay: number[], format: 'gif' | 'webp') => {
    const joined = sharp(pages, { join: { animated: true } })
    const timing = { delay, loop: 0 }
    const image = format === 'gif' ? joined.gif(timing) : joined.webp(timing)
    return image.toBuffer()
  }

  test.each(['gif', 'webp'] as const)('%s: by a later page', async (format) => {
    const hidden = await paint({ seed: 3, ...size })
      .png()
      .toBuffer()
    const own = await hashesOf(hidden)
    const pages = [await white(), hidden]
    expect(areAlike(own, await hashesOf(await animation(pages, [10, 10], format)))).toBe(true)
    // Also after a page with hashes of its own, where it is shown for a quarter of the time.
    const other = (seed: number) =>
      paint({ seed: 20 + seed, ...size })
        .png()
        .toBuffer()
    const many = await Promise.all(Array.from({ length: 30 }, (_, index) => other(index)))
    many[11] = hidden
    const delay = many.map((_, index) => (index === 11 ? 200 : 20))
    const hashes = await hashesOf(await animation(many, delay, format))
    expect(areAlike(own, hashes)).toBe(true)
    expect(hashes.length).toBeLessThanOrEqual(10 * 12 + 30)
    expect(areAlike(await hashesOf(await other(99)), hashes)).toBe(false)
  })

  test.each(['gif', 'webp'] as const)('%s: by a page that is gone in a moment', async (format) => {
    const page = (seed: number) =>
      paint({ seed, ...size })
        .png()
        .toBuffer()
    const hidden = await page(3)
    const others = Array.from({ length: 40 }, (_, index) => page(20 + (index % 5)))
    const many = await Promise.all(others)
    many[17] = hidden
    const delay = many.map((_, index) => (index === 17 ? 10 : 300))
    const hashes = await hashesOf(await animation(many, delay, format))
    expect(areAlike(await hashesOf(hidden), hashes)).toBe(true)
    expect(areAlike(await hashesOf(await page(99)), hashes)).toBe(false)
    // Each look is hashed once, however often it appears.
    expect(hashes.filter((hash) => hash.startsWith('p')).length).toBeLessThanOrEqual(12)
  })

  test.each([3, 6, 8])('a brief page of a WebP of orientation %i', async (orientation) => {
    const page = (seed: number) =>
      paint({ seed, ...size })
        .png()
        .toBuffer()
    const pages = [await page(20), await page(3), await page(21)]
    const animated = await sharp(pages, { join: { animated: true } })
      .withMetadata({ orientation })
      .webp({ delay: [4000, 10, 4000] })
      .toBuffer()
    const upright = await sharp(
      await sharp(pages[1]).withMetadata({ orientation }).png().toBuffer(),
    )
      .autoOrient()
      .png()
      .toBuffer()
    expect(areAlike(await hashesOf(upright), await hashesOf(animated))).toBe(true)
  })

  test('pages that look alike are stored once', async () => {
    const page = () => paint({ seed: 3, ...size })
    const pages = [await page().png().toBuffer(), await page().blur(1).png().toBuffer()]
    const hashes = await hashesOf(await animation(pages, [50, 50], 'gif'))
    expect(hashes.filter((hash) => !hash.startsWith('p'))).toHaveLength(12)
  })
})

testShared(
  'photographs are recognised in every variation, and distinguished from each other',
  async () => {
    const folder = sharedFile('corpora/media')
    const names = readdirSync(folder).filter((name) =>
      /^(photo-.*|plot\.)(jpg|webp|png)$/.test(name),
    )
    const photographs = names.map((name) => readFileSync(`${folder}/${name}`))
    let cases = 0
    for (const [index, bytes] of photographs.entries())
      // Every fourth picture here, hundreds in `npm run faults recognition`.
      if (index % 4 === 0) cases += await expectKnown(names[index]!, bytes)
    const hashes = await Promise.all(photographs.map(hashesOf))
    for (const [index, one] of hashes.entries())
      for (const [before, other] of hashes.slice(0, index).entries()) {
        expect(areAlike(one, other), `${names[index]} ${names[before]}`).toBe(false)
        cases += 1
      }
    return cases
  },
)
