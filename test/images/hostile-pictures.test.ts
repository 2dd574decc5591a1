/** Pictures that exhaust their reader. `npm run faults media` measures larger ones. */
import { expect, test } from 'vitest'
import { makeDisplayable } from '../../src/server/media/displayable-picture.ts'
import { readEmbeddedTitle } from '../../src/server/media/embedded-title.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { inspectPicture, UnfitPicture } from '../../src/server/media/picture.ts'
import { hostileFiles } from '../support/hostile-media.ts'
import { paint } from '../support/sample-media.ts'

const bytesPerFile = 2 * 1024 * 1024
const pictures = hostileFiles.filter(({ mimeType }) => mimeType.startsWith('image/'))
/** Pictures with few parts, or whose parts need no memory. */
const harmless = new Set([
  'jpeg, endless fill bytes',
  'jpeg, endless restarts',
  'png, packed texts',
])

test.each(pictures)('$name', async ({ name, make }) => {
  const bytes = await make(bytesPerFile)
  const outcome = await inspectPicture(bytes).then(
    () => 'seen',
    (error: unknown) => (error instanceof UnfitPicture ? error.reason : String(error)),
  )
  expect(outcome).toBe(harmless.has(name) ? 'seen' : 'too-many-parts')
  await makeDisplayable(bytes).catch((error: unknown) => {
    if (!(error instanceof UnfitPicture)) throw error
  })
})

test('packed texts are unpacked no further than a title is long', async () => {
  const packed = pictures.find(({ name }) => name === 'png, packed texts')
  const picture = await inspectPicture(await packed!.make(bytesPerFile))
  expect(picture.bytes.length).toBeLessThan(1000)
  expect(await readEmbeddedTitle(picture)).toBeNull()
  const titled = await paint().png().withXmp(xmpOf('Ada Lovelace')).toBuffer()
  expect(await readEmbeddedTitle(await inspectPicture(titled))).toBe('Ada Lovelace')
})

test('an animation of two thousand pages is accepted, one of more is not', async () => {
  const frame = Buffer.from('2c0000000001000100000202440100', 'hex')
  const head = Buffer.from('47494638396101000100800000000000ffffff', 'hex')
  const film = (pages: number) =>
    Buffer.concat([head, Buffer.alloc(frame.length * pages, frame), Buffer.from([0x3b])])
  expect((await inspectPicture(film(2000))).pages).toBe(2000)
  expect((await sharp(film(2001), { animated: true }).metadata()).pages).toBe(2001)
  await expect(inspectPicture(film(2001))).rejects.toMatchObject({ reason: 'too-many-parts' })
})

function xmpOf(title: string): string {
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`
}
