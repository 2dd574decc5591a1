/**
 * Placeholders for the paintings of the demo feed, for services whose tests do not need them: painting a few
 * hundred pictures would slow the tests.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { paintings } from '../../demo/feed/posts.ts'
import type { Painting } from '../../demo/painting/painting.ts'
import { fileNameOf, thumbnailNameOf } from '../../demo/painting/painting.ts'
import { muxWebm } from '../../demo/painting/webm.ts'
import { sharp } from '../../src/server/media/libvips.ts'

const scale = 1 / 16

type Sketch = { readonly name: string; readonly bytes: Buffer }

let sketches: Promise<Sketch[]> | undefined

/** Writes one for every painting into the data folder of a service, before it starts. */
export async function layDemoSketches(dataFolder: string): Promise<void> {
  const folder = join(dataFolder, 'demo')
  await mkdir(folder, { recursive: true })
  sketches ??= drawSketches()
  const drawn = await sketches
  await Promise.all(drawn.map(({ name, bytes }) => writeFile(join(folder, name), bytes)))
}

/** Takes two seconds of processor time; the result is the same for every service. */
async function drawSketches(): Promise<Sketch[]> {
  const drawn = await Promise.all([...paintings.values()].map(drawSketch))
  return drawn.flat()
}

async function drawSketch(painting: Painting, place: number): Promise<Sketch[]> {
  const width = Math.round(painting.width * scale)
  const height = Math.round(painting.height * scale)
  const background = { r: (place * 67) % 256, g: (place * 41) % 256, b: (place * 23) % 256 }
  const plane = sharp({ create: { width, height, channels: 3, background } })
  return [
    { name: thumbnailNameOf(painting), bytes: await plane.clone().jpeg().toBuffer() },
    { name: fileNameOf(painting), bytes: await fileOf(painting) },
  ]

  async function fileOf({ extension }: Painting): Promise<Buffer> {
    if (extension === 'gif') return plane.clone().gif().toBuffer()
    if (extension === 'jpg') return plane.clone().jpeg().toBuffer()
    const still = await plane.clone().webp().toBuffer()
    if (extension === 'webp') return still
    return muxWebm({ width, height, frameMs: 100, frames: [still, still, still] })
  }
}
