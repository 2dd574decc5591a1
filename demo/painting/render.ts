/** Paints one file of a painting and encodes it. Runs in a worker. */
import type { Sharp } from '../../src/server/media/libvips.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import type { PaintedFile, Painting } from './painting.ts'
import type { Commission, Scene, SceneName } from './repertoire.ts'
import { scenes } from './scenes/scenes.ts'
import { muxWebm } from './webm.ts'

// JPEG instead of WebP: it keeps the grain that hides banding in gradients, and takes an eighth of the time.
// With a lower quality or subsampled colour, a night sky shows blocks.
const still = { quality: 92, chromaSubsampling: '4:4:4' }
const thumbnail = { quality: 88, chromaSubsampling: '4:4:4', mozjpeg: true }
const thumbnailPx = 640
const animation = { frames: 20, frameMs: 100 }
const film = { frames: 48, frameMs: 83, quality: 90 }

export async function render({ painting, part }: PaintedFile): Promise<Buffer> {
  if (part === 'thumbnail') return renderThumbnail(painting)
  switch (painting.type) {
    case 'image':
      return picture(painting, paintFrame(painting, 0)).jpeg(still).toBuffer()
    case 'gif':
      return renderAnimation(painting)
    case 'video':
      return renderFilm(painting)
  }
}

/** Paints at half the size. A scene shows the same picture at every size. */
async function renderThumbnail(painting: Painting): Promise<Buffer> {
  const half = {
    ...painting,
    width: Math.ceil(painting.width / 2),
    height: Math.ceil(painting.height / 2),
  }
  return toThumbnail(picture(half, paintFrame(half, 0)))
}

/** Makes a thumbnail from an existing still picture, in a tenth of the time of painting it. */
export function shrinkToThumbnail(path: string): Promise<Buffer> {
  return toThumbnail(sharp(path))
}

function toThumbnail(image: Sharp): Promise<Buffer> {
  return image
    .resize(thumbnailPx, thumbnailPx, { fit: 'inside', withoutEnlargement: true })
    .jpeg(thumbnail)
    .toBuffer()
}

async function renderAnimation(painting: Painting): Promise<Buffer> {
  const { width, height } = painting
  const pages = Array.from({ length: animation.frames }, (_, i) =>
    paintFrame(painting, i / animation.frames),
  )
  const raw = { width, height: height * pages.length, channels: 3 as const, pageHeight: height }
  const delay = pages.map(() => animation.frameMs)
  const strip = sharp(Buffer.concat(pages), { raw })
  return painting.extension === 'gif'
    ? strip.gif({ delay, loop: 0, effort: 3, colours: 64, dither: 0 }).toBuffer()
    : strip.webp({ delay, loop: 0, quality: 80, effort: 2 }).toBuffer()
}

async function renderFilm(painting: Painting): Promise<Buffer> {
  const { width, height } = painting
  const frames: Buffer[] = []
  for (let i = 0; i < film.frames; i += 1) {
    const pixels = paintFrame(painting, i / film.frames)
    frames.push(
      await picture(painting, pixels).webp({ quality: film.quality, effort: 1 }).toBuffer(),
    )
  }
  return muxWebm({ width, height, frameMs: film.frameMs, frames })
}

function paintFrame({ scene, mood, seed, width, height }: Painting, phase: number): Uint8Array {
  // The mood belongs to the scene, but the type of a map by scene cannot express that.
  const paint = scenes[scene] as Scene<SceneName>
  return paint({ seed, width, height, phase, mood: mood as Commission['mood'] })
}

function picture({ width, height }: Painting, pixels: Uint8Array) {
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}
