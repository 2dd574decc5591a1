/** The scenes that can be painted, with the moods and the picture shapes of each. */

export const shapes = {
  landscape: { width: 1600, height: 1000 },
  portrait: { width: 1200, height: 1600 },
  square: { width: 1280, height: 1280 },
} as const

export type Shape = keyof typeof shapes

export const repertoire = {
  ridges: {
    moods: ['dawn', 'dusk', 'haze', 'night', 'storm', 'autumn'],
    shapes: ['landscape', 'landscape', 'portrait'],
  },
  lake: { moods: ['dawn', 'noon', 'dusk', 'night'], shapes: ['landscape', 'square', 'landscape'] },
  sea: {
    moods: ['sunrise', 'sunset', 'moonlit', 'storm'],
    shapes: ['landscape', 'landscape', 'portrait'],
  },
  aurora: { moods: ['green', 'violet', 'crimson'], shapes: ['landscape', 'portrait'] },
  moon: {
    moods: ['silver', 'harvest', 'blood', 'blue'],
    shapes: ['square', 'portrait', 'landscape'],
  },
  planets: { moods: ['giant', 'ocean', 'ember'], shapes: ['landscape', 'square', 'portrait'] },
  galaxy: { moods: ['spiral', 'nebula'], shapes: ['landscape', 'square', 'portrait'] },
  skyline: {
    moods: ['dusk', 'night', 'rain', 'dawn'],
    shapes: ['landscape', 'landscape', 'portrait', 'square'],
  },
  lanterns: { moods: ['amber', 'rose', 'jade'], shapes: ['portrait', 'landscape'] },
  balloons: { moods: ['dawn', 'day', 'dusk'], shapes: ['landscape', 'portrait', 'square'] },
  jellyfish: { moods: ['blue', 'violet', 'green'], shapes: ['portrait', 'landscape', 'square'] },
  chromatrope: { moods: ['spiral', 'petals', 'lattice', 'star'], shapes: ['square'] },
  papercut: {
    moods: ['ocean', 'canyon', 'forest', 'night'],
    shapes: ['square', 'landscape', 'portrait'],
  },
  marbling: {
    moods: ['indigo', 'rose', 'moss', 'ink'],
    shapes: ['landscape', 'portrait', 'square'],
  },
  contours: { moods: ['atlas', 'night', 'paper'], shapes: ['landscape', 'square', 'portrait'] },
} as const satisfies Record<string, { moods: readonly string[]; shapes: readonly Shape[] }>

export type SceneName = keyof typeof repertoire
export type MoodOf<Name extends SceneName> = (typeof repertoire)[Name]['moods'][number]

/** One picture to paint. `phase` runs from 0 to 1 through an animation, and 1 shows the same picture as 0. */
export type Commission<Name extends SceneName = SceneName> = {
  readonly seed: number
  readonly mood: MoodOf<Name>
  readonly width: number
  readonly height: number
  readonly phase: number
}

/** Paints a picture as bytes of red, green and blue. The same commission always returns the same bytes. */
export type Scene<Name extends SceneName> = (commission: Commission<Name>) => Uint8Array

/** The words from which the titles of a scene's pictures are built. */
export type Words<Name extends SceneName> = {
  readonly subjects: readonly string[]
  readonly moods: { readonly [Mood in MoodOf<Name>]: readonly string[] }
}
