/** Imported pictures that are too large to hold several in memory. */
import { expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import { serveReplies } from '../support/far-site.ts'
import type { ImportWorld } from '../support/import-world.ts'
import { createImportWorld } from '../support/import-world.ts'
import { plainJpeg } from '../support/sample-media.ts'
import { useWorld } from '../support/use-world.ts'
import { putMedia } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'

let world: ImportWorld
let ana: Person

useWorld(createImportWorld, async (fresh) => {
  world = fresh
  ana = await world.adult('ana')
})

/** Makes a picture of this size. The bytes after the picture's end do not belong to it, but must be read. */
const pictureOf = async (megabytes: number) =>
  Buffer.concat([await plainJpeg()], Math.round(megabytes * 1_048_576))

test('are not downloaded beyond thirty megabytes, and are named', async () => {
  const sizes: Record<string, Buffer> = {
    '/a.jpg': await pictureOf(29),
    '/b.jpg': await pictureOf(31),
  }
  const far = await serveReplies(
    ({ path }) =>
      (response) =>
        response.end(sizes[path]),
  )
  world.letThrough(far.host)
  const urls = Object.keys(sizes).map((path) => `${far.origin}${path}`)
  const { session } = await ana.imports.importSession({ body: { title: 'Large', urls } })
  await world.runJobs()
  const { media, skipped } = await ana.sessions.read({ params: { id: String(session.id) } })
  expect(media.map(({ mediaUrl }) => mediaUrl?.startsWith('/media/'))).toEqual([true])
  expect(skipped).toMatchObject([{ source: urls[1], code: 'too_large' }])
})

test('are published if they are in the vault', async () => {
  // Valid up to its end: other people would not see bytes after the end of a picture, so they would not
  // be copied.
  const create = { width: 3500, height: 3200, channels: 3, background: '#a04020' } as const
  const large = await sharp({ create }).png({ compressionLevel: 0 }).toBuffer()
  expect(large.byteLength).toBeGreaterThan(31 * 1_048_576)
  const mediaId = Number(await putMedia(ana, large, 'large.png'))
  await world.runJobs()
  const { session } = await ana.sessions.createManual({
    body: { title: 'Mine', slides: [{ mediaId }] },
  })
  const id = await world.publish(ana, String(session.id))
  expect((await ana.community.open({ params: { id } })).media).toHaveLength(1)
  expect(await world.filesIn('general')).toHaveLength(2)
})
