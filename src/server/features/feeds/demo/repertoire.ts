/** What can be painted: every scene with the moods it knows and the shapes it looks well in. */

export const shapes = {
  landscape: { width: 1056, height: 660 },
  portrait: { width: 704, height: 1056 },
  square: { width: 840, height: 840 },
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
  forest: {
    moods: ['mist', 'autumn', 'night', 'spring'],
    shapes: ['portrait', 'landscape', 'square'],
  },
  dunes: {
    moods: ['day', 'dusk', 'dawn', 'night'],
    shapes: ['landscape', 'landscape', 'square', 'portrait'],
  },
  stairs: { moods: ['noon', 'evening', 'moonlight'], shapes: ['landscape', 'portrait', 'square'] },
  colonnade: {
    moods: ['morning', 'evening', 'moonlight'],
    shapes: ['portrait', 'landscape', 'square'],
  },
  stilllife: { moods: ['north', 'evening', 'candle'], shapes: ['square', 'portrait', 'landscape'] },
  skyline: {
    moods: ['dusk', 'night', 'rain', 'dawn'],
    shapes: ['landscape', 'landscape', 'portrait', 'square'],
  },
  lanterns: { moods: ['amber', 'rose', 'jade'], shapes: ['portrait', 'landscape'] },
  planets: { moods: ['giant', 'ocean', 'ember'], shapes: ['landscape', 'square', 'portrait'] },
  moon: {
    moods: ['silver', 'harvest', 'blood', 'blue'],
    shapes: ['square', 'portrait', 'landscape'],
  },
  chromatrope: { moods: ['spiral', 'petals', 'lattice', 'star'], shapes: ['square'] },
  snowfield: {
    moods: ['day', 'bluehour', 'dusk', 'snowing'],
    shapes: ['landscape', 'portrait', 'landscape'],
  },
  mesas: { moods: ['day', 'dusk', 'dawn', 'night'], shapes: ['landscape', 'landscape', 'square'] },
  meadow: {
    moods: ['lavender', 'poppies', 'tulips', 'rape'],
    shapes: ['landscape', 'square', 'portrait'],
  },
  cloudsea: {
    moods: ['dawn', 'dusk', 'day', 'moonlit'],
    shapes: ['landscape', 'portrait', 'landscape'],
  },
  papercut: {
    moods: ['ocean', 'canyon', 'forest', 'night'],
    shapes: ['square', 'landscape', 'portrait'],
  },
  woodblock: {
    moods: ['morning', 'evening', 'snow'],
    shapes: ['landscape', 'portrait', 'landscape'],
  },
  flowlines: { moods: ['paper', 'ink', 'ember'], shapes: ['landscape', 'square', 'portrait'] },
  botanical: {
    moods: ['cyanotype', 'herbarium', 'night'],
    shapes: ['portrait', 'portrait', 'square'],
  },
  stainedglass: { moods: ['landscape', 'rose', 'abstract'], shapes: ['portrait', 'square'] },
  marbling: {
    moods: ['indigo', 'rose', 'moss', 'ink'],
    shapes: ['landscape', 'portrait', 'square'],
  },
  galaxy: { moods: ['spiral', 'nebula'], shapes: ['landscape', 'square', 'portrait'] },
  bokeh: { moods: ['warm', 'cold', 'festive'], shapes: ['landscape', 'portrait', 'square'] },
  rainglass: { moods: ['night', 'neon', 'dusk'], shapes: ['portrait', 'landscape', 'square'] },
  jellyfish: { moods: ['blue', 'violet', 'green'], shapes: ['portrait', 'landscape', 'square'] },
  balloons: { moods: ['dawn', 'day', 'dusk'], shapes: ['landscape', 'portrait', 'square'] },
  contours: { moods: ['atlas', 'night', 'paper'], shapes: ['landscape', 'square', 'portrait'] },
  blossom: { moods: ['spring', 'autumn', 'winter'], shapes: ['landscape', 'square', 'portrait'] },
  aurora: { moods: ['green', 'violet', 'crimson'], shapes: ['landscape', 'portrait'] },
} as const satisfies Record<string, { moods: readonly string[]; shapes: readonly Shape[] }>

export type SceneName = keyof typeof repertoire
export type MoodOf<Name extends SceneName> = (typeof repertoire)[Name]['moods'][number]

/** One picture to paint. `phase` runs from 0 to 1 through an animation and joins at its ends. */
export type Commission<Name extends SceneName = SceneName> = {
  readonly seed: number
  readonly mood: MoodOf<Name>
  readonly width: number
  readonly height: number
  readonly phase: number
}

/** Paints a picture as bytes of red, green and blue; the same commission gives the same bytes. */
export type Scene<Name extends SceneName> = (commission: Commission<Name>) => Uint8Array
