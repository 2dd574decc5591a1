/** Pictures that tests draw, and checks of result pixels. */
import type { Sharp } from '../../src/server/media/libvips.ts'
import { sharp } from '../../src/server/media/libvips.ts'

export type Colour = readonly [number, number, number]

export const red: Colour = [220, 30, 30]
export const green: Colour = [30, 180, 60]
export const blue: Colour = [30, 60, 220]
export const white: Colour = [250, 250, 250]

type Format = 'jpeg' | 'png' | 'webp'

export function plain(width: number, height: number, [r, g, b]: Colour, format: Format = 'png') {
  return encoded(
    sharp({ create: { width, height, channels: 3, background: { r, g, b } } }),
    format,
  ).toBuffer()
}

/** Returns a picture of one colour, with an alpha from 0 to 1. */
export function clear(width: number, height: number, [r, g, b]: Colour, alpha: number) {
  return sharp({ create: { width, height, channels: 4, background: { r, g, b, alpha } } })
    .png()
    .toBuffer()
}

/**
 * Returns a picture that is red at the top left, green at the top right, blue below when it is displayed, in
 * any stored orientation.
 */
export async function signpost(
  width: number,
  height: number,
  { orientation = 1, format = 'jpeg' }: { orientation?: number; format?: Format } = {},
) {
  const left = Math.floor(width / 2)
  const top = Math.floor(height / 2)
  const upright = await sharp({
    create: { width, height, channels: 3, background: rgb(blue) },
  })
    .composite([
      { input: await plain(left, top, red), left: 0, top: 0 },
      { input: await plain(width - left, top, green), left, top: 0 },
    ])
    .png()
    .toBuffer()
  const stored = await undo(upright, orientation)
  return encoded(sharp(stored), format).withMetadata({ orientation }).toBuffer()
}

/** Returns noise that no encoder can compress much, the same every time. */
export async function noise(width: number, height: number, format: Format = 'jpeg', seed = 1) {
  let state = seed
  const data = Buffer.alloc(width * height * 3)
  for (let place = 0; place < data.length; place += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    data[place] = state >>> 24
  }
  return encoded(sharp(data, { raw: { width, height, channels: 3 } }), format).toBuffer()
}

export function dataUri(bytes: Uint8Array, type = 'image/png'): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

export async function pixelsOf(bytes: Uint8Array, page = 0) {
  const { data, info } = await sharp(bytes, { page })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const at = (x: number, y: number): number[] => [
    ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
  ]
  return { width, height, at, data }
}

/** Returns true if a pixel has about this colour; JPEG and palettes are never exact. */
export function isAbout(pixel: readonly number[], colour: Colour, tolerance = 12): boolean {
  return colour.every((value, channel) => Math.abs(value - (pixel[channel] ?? -1000)) <= tolerance)
}

/** Returns the name of the colour, for readable expectations. */
export function colourAt(
  { at }: { at: (x: number, y: number) => number[] },
  x: number,
  y: number,
): string {
  const pixel = at(x, y)
  const known = Object.entries({ red, green, blue, white }).find(([, colour]) =>
    isAbout(pixel, colour),
  )
  return known?.[0] ?? `rgba(${pixel.join(', ')})`
}

function encoded(image: Sharp, format: Format): Sharp {
  if (format === 'png') return image.png()
  return format === 'jpeg' ? image.jpeg({ quality: 95 }) : image.webp({ lossless: true })
}

/** Returns the picture that a camera would store for this orientation tag. */
async function undo(upright: Buffer, orientation: number): Promise<Buffer> {
  const image = sharp(upright)
  const step = (change: (image: Sharp) => Sharp) => change(image).png().toBuffer()
  switch (orientation) {
    case 2:
      return step((image) => image.flop())
    case 3:
      return step((image) => image.rotate(180))
    case 4:
      return step((image) => image.flip())
    case 5: {
      const turned = await step((image) => image.rotate(90))
      return sharp(turned).flop().png().toBuffer()
    }
    case 6:
      return step((image) => image.rotate(-90))
    case 7: {
      const turned = await step((image) => image.rotate(-90))
      return sharp(turned).flop().png().toBuffer()
    }
    case 8:
      return step((image) => image.rotate(90))
    default:
      return upright
  }
}

function rgb([r, g, b]: Colour) {
  return { r, g, b }
}
