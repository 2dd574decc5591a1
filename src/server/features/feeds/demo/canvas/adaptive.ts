/**
 * For pictures whose every pixel is costly: looks at a coarse grid first, and closer only where
 * neighbours differ. What is smooth is blended, what is an edge is looked at several times.
 */
import type { Canvas } from './canvas.ts'

/** Writes the light that comes from a place, in pixels that need not be whole. */
export type LightAt = (x: number, y: number, into: Float64Array) => void

const coarseStep = 8
const likeness = 0.038
const edgeContrast = 0.09
const edgeOffsets = [-0.3, -0.2, 0.3, 0.2] as const

export function sampleAdaptively(canvas: Canvas, lightAt: LightAt): void {
  const sampler = createSampler(canvas, lightAt)
  for (let top = 0; top < canvas.height - 1; top += coarseStep) {
    for (let left = 0; left < canvas.width - 1; left += coarseStep) {
      refine(sampler, left, top, coarseStep)
    }
  }
  softenEdges(sampler)
}

type Sampler = Canvas & {
  readonly known: Uint8Array
  readonly lightAt: LightAt
  readonly scratch: Float64Array
}

function createSampler(canvas: Canvas, lightAt: LightAt): Sampler {
  const known = new Uint8Array(canvas.width * canvas.height)
  return { ...canvas, known, lightAt, scratch: new Float64Array(3) }
}

function refine(sampler: Sampler, left: number, top: number, size: number): void {
  const { width, height } = sampler
  if (left >= width - 1 || top >= height - 1) return
  const right = Math.min(left + size, width - 1)
  const bottom = Math.min(top + size, height - 1)
  const a = look(sampler, left, top)
  const b = look(sampler, right, top)
  const c = look(sampler, left, bottom)
  const d = look(sampler, right, bottom)
  if (size === 1) return
  const half = size >> 1
  const same = areAlike(sampler.light, a, b) && areAlike(sampler.light, a, c)
  // Whatever is small enough to hide between four corners is likely to cross the middle.
  if (same && areAlike(sampler.light, a, d)) {
    const middle = look(sampler, Math.min(left + half, width - 1), Math.min(top + half, height - 1))
    if (areAlike(sampler.light, a, middle)) {
      blend(sampler, { left, top, right, bottom }, [a, b, c, d])
      return
    }
  }
  refine(sampler, left, top, half)
  refine(sampler, left + half, top, half)
  refine(sampler, left, top + half, half)
  refine(sampler, left + half, top + half, half)
}

/** The place of a pixel in the light, which is known from now on. */
function look(sampler: Sampler, x: number, y: number): number {
  const pixel = y * sampler.width + x
  if (sampler.known[pixel] === 0) {
    sampler.known[pixel] = 1
    sampler.lightAt(x + 0.5, y + 0.5, sampler.scratch)
    sampler.light.set(sampler.scratch, pixel * 3)
  }
  return pixel * 3
}

function areAlike(light: Float32Array, a: number, b: number): boolean {
  return contrast(light, a, b) < likeness
}

/** About what an eye sees: differences between dark tones count for more. */
function contrast(light: Float32Array, a: number, b: number): number {
  let most = 0
  for (let channel = 0; channel < 3; channel += 1) {
    const one = Math.sqrt(light[a + channel] ?? 0)
    const other = Math.sqrt(light[b + channel] ?? 0)
    most = Math.max(most, Math.abs(one - other))
  }
  return most
}

function blend(
  { light, width, known }: Sampler,
  box: { left: number; top: number; right: number; bottom: number },
  [a, b, c, d]: readonly [number, number, number, number],
): void {
  for (let y = box.top; y <= box.bottom; y += 1) {
    const v = (y - box.top) / (box.bottom - box.top)
    for (let x = box.left; x <= box.right; x += 1) {
      const pixel = y * width + x
      if (known[pixel] === 1) continue
      const u = (x - box.left) / (box.right - box.left)
      for (let channel = 0; channel < 3; channel += 1) {
        const upper = (light[a + channel] ?? 0) * (1 - u) + (light[b + channel] ?? 0) * u
        const lower = (light[c + channel] ?? 0) * (1 - u) + (light[d + channel] ?? 0) * u
        light[pixel * 3 + channel] = upper + (lower - upper) * v
      }
    }
  }
}

function softenEdges(sampler: Sampler): void {
  const { width, height, light, known, scratch } = sampler
  const before = light.slice()
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const pixel = y * width + x
      if (known[pixel] === 0) continue
      const i = pixel * 3
      if (
        contrast(before, i, i + 3) < edgeContrast &&
        contrast(before, i, i + width * 3) < edgeContrast &&
        contrast(before, i, i - 3) < edgeContrast &&
        contrast(before, i, i - width * 3) < edgeContrast
      )
        continue
      let [red, green, blue] = [before[i] ?? 0, before[i + 1] ?? 0, before[i + 2] ?? 0]
      for (let offset = 0; offset < edgeOffsets.length; offset += 2) {
        const dx = edgeOffsets[offset] ?? 0
        const dy = edgeOffsets[offset + 1] ?? 0
        sampler.lightAt(x + 0.5 + dx, y + 0.5 + dy, scratch)
        red += Math.min(1.5, scratch[0] ?? 0)
        green += Math.min(1.5, scratch[1] ?? 0)
        blue += Math.min(1.5, scratch[2] ?? 0)
      }
      const looks = 1 + edgeOffsets.length / 2
      light[i] = red / looks
      light[i + 1] = green / looks
      light[i + 2] = blue / looks
    }
  }
}
