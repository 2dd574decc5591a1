/**
 * Colours as linear red, green and blue light. They are mixed in OKLab, so that the steps of a gradient look
 * natural.
 */
import type { Random } from './random.ts'

export type Colour = readonly [red: number, green: number, blue: number]
export type Stop = readonly [place: number, colour: Colour]

/** Colours for the positions 0 to 1, computed once. */
export type Ramp = { at(place: number): Colour }

export const white: Colour = hex('#ffffff')

const rampSteps = 512

export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value
}

export function lerp(a: number, b: number, t: number): number {
  return a + (b - a) * t
}

/** Returns 0 before `from`, 1 after `to`, and an S-curve between them. `from` may be larger than `to`. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from))
  return t * t * (3 - 2 * t)
}

/** Converts '#rrggbb' from sRGB to linear light. */
export function hex(text: string): Colour {
  const channel = (at: number) => decodeGamma(Number.parseInt(text.slice(at, at + 2), 16) / 255)
  return [channel(1), channel(3), channel(5)]
}

/** Lightness is 0 to 1, chroma 0 to about 0.3, hue in degrees (30 red, 110 yellow, 145 green, 260 blue). */
export function oklch(lightness: number, chroma: number, hueDegrees: number): Colour {
  const angle = (hueDegrees * Math.PI) / 180
  return fromLab([lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)])
}

export function mix(a: Colour, b: Colour, t: number): Colour {
  return [lerp(a[0], b[0], t), lerp(a[1], b[1], t), lerp(a[2], b[2], t)]
}

export function scale(colour: Colour, factor: number): Colour {
  return [colour[0] * factor, colour[1] * factor, colour[2] * factor]
}

/** Rotates the hue of a colour, and scales its chroma and lightness. */
export function shift(
  colour: Colour,
  change: { hueDegrees?: number; chroma?: number; lightness?: number },
): Colour {
  const [l, a, b] = toLab(colour)
  const turn = ((change.hueDegrees ?? 0) * Math.PI) / 180
  const chroma = change.chroma ?? 1
  return fromLab([
    l * (change.lightness ?? 1),
    (a * Math.cos(turn) - b * Math.sin(turn)) * chroma,
    (a * Math.sin(turn) + b * Math.cos(turn)) * chroma,
  ])
}

/** Returns one random change for a whole palette, so that its colours keep their relation to each other. */
export function relight(random: Random, hueDegrees: number): (colour: Colour) => Colour {
  const change = {
    hueDegrees: random.between(-hueDegrees, hueDegrees),
    chroma: random.between(0.85, 1.15),
    lightness: random.between(0.96, 1.04),
  }
  return (colour) => shift(colour, change)
}

export function createRamp(stops: readonly Stop[]): Ramp {
  const colours = Array.from({ length: rampSteps + 1 }, (_, i) => between(stops, i / rampSteps))
  const last = colours[rampSteps] ?? [0, 0, 0]
  return {
    at: (place) => colours[Math.round(clamp(place) * rampSteps)] ?? last,
  }
}

/** Spreads the colours evenly from 0 to 1. */
export function evenRamp(colours: readonly Colour[]): Ramp {
  return createRamp(evenStops(colours))
}

export function evenStops(colours: readonly Colour[]): Stop[] {
  return colours.map((colour, i) => [i / Math.max(1, colours.length - 1), colour])
}

export function encodeGamma(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
}

function decodeGamma(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function between(stops: readonly Stop[], place: number): Colour {
  const after = stops.findIndex(([at]) => at >= place)
  const upper = stops[after === -1 ? stops.length - 1 : after]
  const lower = stops[after === -1 ? stops.length - 1 : Math.max(0, after - 1)]
  if (!upper || !lower) return [0, 0, 0]
  const span = upper[0] - lower[0]
  const t = span <= 0 ? 1 : clamp((place - lower[0]) / span)
  const [from, to] = [toLab(lower[1]), toLab(upper[1])]
  return fromLab([lerp(from[0], to[0], t), lerp(from[1], to[1], t), lerp(from[2], to[2], t)])
}

function toLab([red, green, blue]: Colour): Colour {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function fromLab([lightness, a, b]: Colour): Colour {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    Math.max(0, 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    Math.max(0, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    Math.max(0, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}
