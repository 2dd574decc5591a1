/** Scenes of enhancements and of invalid pictures. */
import { captionPictureMaxBytes } from '../../../src/contract/captions.ts'
import { enhancementMaxBytes } from '../../../src/contract/enhancement-limits.ts'
import { dataUri } from '../pictures.ts'
import { fileOf, samples } from '../vault-world.ts'
import type { Person } from '../world.ts'
import type { Scene } from './stage.ts'
import { call, nobodys, until } from './stage.ts'
import { ask, askPaid, codeOf, formOf, newKey, smallPicture } from './things.ts'

const enhancement: Scene = async ({ adult, as }) => {
  const ana = await adult('ana')
  const file = await smallPicture()
  await enhance(ana, file)
  await ana.enhancement.giveConsent({ body: { version: 1 } })
  const { body } = await enhance(ana, file)
  await enhance(ana, file, 'splendid')
  await enhance(ana, fileOf(Buffer.from('no'), 'a.png', 'image/png'))
  await enhance(ana, tooLarge(enhancementMaxBytes))
  const { generationId = 0 } = body as { generationId?: number }
  await ana.enhancement.status()
  await ana.enhancement.consentStatus()
  await ana.enhancement.recent()
  await ana.enhancement.clearStuck()
  await call(ana, 'enhancement.download', { params: { id: String(generationId) } })
  await call(ana, 'enhancement.saveResult', { json: { generationId } })
  await call(ana, 'enhancement.saveResult', { json: { generationId: Number(nobodys) } })
  const poor = await as('bo')
  await poor.enhancement.giveConsent({ body: { version: 1 } })
  for (let tries = 0; tries < 6; tries += 1)
    if ((await enhance(poor, file, 'high')).status === 402) return
}

/** Sends more enhancements at once than allowed, until the daily limit of the account. */
const manyEnhancements: Scene = async ({ adult }) => {
  const ana = await adult('ana')
  await ana.enhancement.giveConsent({ body: { version: 1 } })
  const file = await smallPicture()
  // Enhancements of a killed node count as running until their lease expires.
  await until(
    () => Promise.all(Array.from({ length: 5 }, () => ask(ana, ...enhancing(file), newKey()))),
    (answers) => answers.some(({ body }) => codeOf(body) === 'DAILY_LIMIT_REACHED'),
  )
}

const unfitPictures: Scene = async ({ adult }) => {
  const ana = await adult('ana')
  const large = tooLarge(captionPictureMaxBytes)
  const largeUri = dataUri(new Uint8Array(await large.arrayBuffer()))
  for (const media_url of [
    dataUri(samples.gif, 'image/gif'),
    dataUri(samples.svg, 'image/svg+xml'),
    largeUri,
    'http://127.0.0.1:1/a.png',
  ]) {
    await call(ana, 'captions.generate', { json: { media_url } })
    const context = { index: 0, total: 1 }
    await call(ana, 'captions.generateManual', { json: { image: media_url, context } })
  }
  for (const name of ['images.uploadFirst', 'images.uploadSecond'])
    await ask(ana, name, { form: () => formOf('image', large) })
  await call(ana, 'images.compose', { json: { babeImageUrl: largeUri, cockImageUrl: largeUri } })
  const frames = { frameMs: 200, effect: 'cut', size: 128, format: 'webp' }
  await call(ana, 'images.animate', { json: { ...frames, imageUrls: [largeUri, largeUri] } })
  const regions = [{ x: 0.1, y: 0.1, width: 0.5, height: 0.5 }]
  const cover = { regions, mode: 'bar', strength: 5 }
  await call(ana, 'images.censor', { json: { ...cover, imageUrl: largeUri } })
  const notWhatItSays = fileOf(samples.html, 'a.png', 'image/png')
  await ask(ana, 'vault.upload', { form: () => formOf('file', notWhatItSays) })
  await ask(ana, 'vault.upload', { form: () => formOf('file', large, { source: 'elsewhere' }) })
}

function enhance(person: Person, file: File, quality?: string) {
  return askPaid(person, ...enhancing(file, quality))
}

function enhancing(file: File, quality = 'low') {
  const form = () => formOf('image', file, { quality })
  return ['enhancement.generate', { form }] as const
}

/** Returns a file above the limit that starts like a picture. */
function tooLarge(maxBytes: number): File {
  const bytes = Buffer.alloc(maxBytes + 1)
  samples.png.copy(bytes)
  return fileOf(bytes, 'a.png', 'image/png')
}

export const pictureScenes = {
  enhancement,
  manyEnhancements,
  unfitPictures,
} satisfies Record<string, Scene>
