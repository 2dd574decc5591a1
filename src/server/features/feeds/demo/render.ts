/** Paints one painting and encodes it: the file itself and a thumbnail of it. Runs in a worker. */
import { sharp } from '../../../media/libvips.ts'
import type { Painting } from './posts.ts'
import type { Commission, Scene, SceneName } from './repertoire.ts'
import { scenes } from './scenes/scenes.ts'
import { muxWebm } from './webm.ts'

export type Rendered = { readonly file: Buffer; readonly thumbnail: Buffer }

const thumbnailPx = 480
const pictureMaxBytes = 150 * 1024
// Most pictures pass at the first; those full of fine lines need less.
const qualities = [82, 66, 50, 38]
const animation = { frames: 20, frameMs: 100 }
const video = { frames: 48, frameMs: 83 }

export async function renderPainting(painting: Painting): Promise<Rendered> {
  switch (painting.type) {
    case 'image':
      return renderPicture(painting)
    case 'gif':
      return renderAnimation(painting)
    case 'video':
      return renderVideo(painting)
  }
}

async function renderPicture(painting: Painting): Promise<Rendered> {
  const pixels = paintFrame(painting, 0)
  const thumbnail = await shrink(painting, pixels)
  let file = Buffer.alloc(0)
  for (const quality of qualities) {
    file = await picture(painting, pixels).webp({ quality, effort: 1 }).toBuffer()
    if (file.length <= pictureMaxBytes) break
  }
  return { file, thumbnail }
}

async function renderAnimation(painting: Painting): Promise<Rendered> {
  const { width, height } = painting
  const pages = frames(painting, animation.frames)
  const pixels = Buffer.concat(pages)
  const raw = { width, height: height * pages.length, channels: 3 as const, pageHeight: height }
  const delay = pages.map(() => animation.frameMs)
  const strip = sharp(pixels, { raw })
  const file =
    painting.extension === 'gif'
      ? await strip.gif({ delay, loop: 0, effort: 3, colours: 32, dither: 0 }).toBuffer()
      : await strip.webp({ delay, loop: 0, quality: 52, effort: 2 }).toBuffer()
  return { file, thumbnail: await shrink(painting, pages[0] ?? pixels) }
}

async function renderVideo(painting: Painting): Promise<Rendered> {
  const { width, height } = painting
  const files: Buffer[] = []
  let thumbnail: Buffer | undefined
  for (let i = 0; i < video.frames; i += 1) {
    const pixels = paintFrame(painting, i / video.frames)
    thumbnail ??= await shrink(painting, pixels)
    files.push(await picture(painting, pixels).webp({ quality: 62, effort: 2 }).toBuffer())
  }
  const file = muxWebm({ width, height, frameMs: video.frameMs, frames: files })
  return { file, thumbnail: thumbnail ?? file }
}

function frames(painting: Painting, count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => paintFrame(painting, i / count))
}

function paintFrame({ scene, mood, seed, width, height }: Painting, phase: number): Uint8Array {
  // A painting's mood is one of its own scene's, which the type of a map by scene cannot say.
  const paint = scenes[scene] as Scene<SceneName>
  return paint({ seed, width, height, phase, mood: mood as Commission['mood'] })
}

function picture({ width, height }: Painting, pixels: Uint8Array) {
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

async function shrink(painting: Painting, pixels: Uint8Array): Promise<Buffer> {
  return picture(painting, pixels)
    .resize(thumbnailPx, thumbnailPx, { fit: 'inside' })
    .webp({ quality: 74, effort: 1 })
    .toBuffer()
}
